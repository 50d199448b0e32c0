import type { MessageMute } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { placeOf, saveMute } from '../mutes/save-mute.ts';
import css from './settings.module.css';

/** What the user muted, with a button to end each mute. */
export function Mutes() {
  const { t } = useTranslation('messages');
  const mutes = useQuery(queryOf('listMessageMutes', {}, { quiet: true }));
  return (
    <Panel title={t('mute.title')}>
      {mutes.data ? (
        mutes.data.items.length === 0 ? (
          <EmptyState text={t('mute.none')} />
        ) : (
          <ul className={`row-list ${css.mutes}`}>
            {mutes.data.items.map((mute) => (
              <Mute key={mute.id} mute={mute} />
            ))}
          </ul>
        )
      ) : mutes.isError ? (
        <ErrorState error={mutes.error} onRetry={() => void mutes.refetch()} />
      ) : (
        <SkeletonRows rows={2} />
      )}
    </Panel>
  );
}

function Mute({ mute }: { mute: MessageMute }) {
  const { t } = useTranslation('messages');
  const place = placeOf(mute);
  const mayOpen = usePermitted([place.kind === 'device' ? 'auth_device_detail' : 'auth_site_detail']);
  const ending = useMutation({
    mutationFn: () => saveMute(place, null),
    onSuccess: () => toast.success(t('mute.ended', { name: mute.name })),
  });
  return (
    <li>
      <span>
        <span className="quiet">{t(`mute.kind.${place.kind}`)}</span>{' '}
        {mayOpen ? <Link to={`/manage/${place.kind}/detail/${place.id}`}>{mute.name}</Link> : mute.name}
      </span>
      <span className="quiet">
        {t('mute.untilIn')} <ExactTime at={mute.until} />
      </span>
      <Button
        size="small"
        loading={ending.isPending}
        aria-label={t('mute.endOf', { name: mute.name })}
        onClick={() => ending.mutate()}
      >
        {t('mute.end')}
      </Button>
    </li>
  );
}
