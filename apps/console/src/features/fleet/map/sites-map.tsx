import { SITE_STATES, type SiteState } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SiteStateTag } from '../../../shared/ui/tags/site-state-tag.tsx';
import { sitePath } from '../places/place-paths.ts';
import { MapLoading } from './layers/map-loading.tsx';
import css from './map.module.css';
import { SiteMap } from './site-map.tsx';

/** The map of the filtered sites, opened by a button. */
export function SitesMap({ query }: { query: InputOf<'listSitePositions'>['query'] }) {
  const { t } = useTranslation('places');
  const [open, setOpen] = useState(false);
  return (
    <div className={css.sitesMap}>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t('map.hide') : t('map.show')}
      </Button>
      {open && <OpenMap query={query} />}
    </div>
  );
}

function OpenMap({ query }: { query: InputOf<'listSitePositions'>['query'] }) {
  const { t } = useTranslation('places');
  const mayOpen = usePermitted(['auth_site_detail']);
  const positions = useQuery({
    ...queryOf('listSitePositions', { query }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const { data } = positions;
  if (!data) {
    return positions.isError ? (
      <ErrorState error={positions.error} onRetry={() => void positions.refetch()} />
    ) : (
      <div className={`map ${css.mapWaiting}`}>
        <MapLoading />
      </div>
    );
  }
  const { items, unplaced, more } = data;
  return (
    <>
      <MapLegend states={items.map(({ state }) => state)} />
      <SiteMap position={null} places={items} pathOf={(id) => (mayOpen ? sitePath(id) : null)} />
      {(unplaced > 0 || more) && (
        <p className="quiet">
          {more && t('map.more', { count: items.length })} {unplaced > 0 && t('map.unplaced', { count: unplaced })}
        </p>
      )}
    </>
  );
}

/** What the marks of a map mean: the states that occur on it, and how many sites have them. */
function MapLegend({ states }: { states: readonly SiteState[] }) {
  const { t } = useTranslation('places');
  const counts = Map.groupBy(states, (state) => state);
  const shown = SITE_STATES.filter((state) => counts.has(state));
  if (shown.length === 0) return null;
  return (
    <ul className={css.mapLegend} aria-label={t('map.legend')}>
      {shown.map((state) => (
        <li key={state}>
          <SiteStateTag state={state} /> {counts.get(state)?.length}
        </li>
      ))}
    </ul>
  );
}
