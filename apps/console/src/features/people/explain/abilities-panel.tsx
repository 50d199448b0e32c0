import type { Abilities, UserDetail } from '@chargehand/contract';
import { LEVEL_AREAS, LEVEL_VERBS, type Levels } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { useLevelName } from '../../../shared/i18n/use-level-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from '../people.module.css';
import { AbilityLines } from '../roles/role-preview.tsx';

/** The abilities of a user: what they see, what they may do with it, and what their menus open. */
export function AbilitiesPanel({ user }: { user: UserDetail }) {
  const { t } = useTranslation('explain');
  const abilities = useQuery(queryOf('readAbilities', { params: { id: user.id } }, { quiet: true }));
  return (
    <Panel title={t('can.title')}>
      {abilities.data ? (
        <Can abilities={abilities.data} enabled={user.enabled} />
      ) : abilities.isError ? (
        <ErrorState error={abilities.error} onRetry={() => void abilities.refetch()} />
      ) : (
        <SkeletonRows rows={5} />
      )}
    </Panel>
  );
}

function Can({ abilities, enabled }: { abilities: Abilities; enabled: boolean }) {
  const { t } = useTranslation('explain');
  const { t: people } = useTranslation('people');
  const locale = useLocale();
  const levelName = useLevelName();
  const levels = abilities.levels as Levels;
  const data = {
    customerAccess: abilities.customerAccess ?? 0,
    siteAccess: abilities.siteAccess ?? 0,
    remoteAccess: abilities.remoteAccess,
    emailAlarm: false,
    levels,
  };
  return (
    <div className="stack">
      {!enabled && <p className="warning-note">{t('can.disabled')}</p>}
      {abilities.readOnly && <p className="warning-note">{t('can.readOnly')}</p>}
      {abilities.root && <p>{t('can.root')}</p>}
      {abilities.roleId === null && !abilities.root && <p className="warning-note">{t('can.noRole')}</p>}
      <p>
        {t('can.seen', {
          customers: t('can.customers', { count: abilities.seen.customers }),
          sites: t('can.sites', { count: abilities.seen.sites }),
          devices: t('can.devices', { count: abilities.seen.devices }),
        })}
      </p>
      <AbilityLines data={data} keys={abilities.menus.map(({ key }) => key)} root={abilities.root} />
      <details className={css.explainMore}>
        <summary>{t('can.levels')}</summary>
        <ul className={css.explainLevels}>
          {LEVEL_AREAS.map((area) => (
            <li key={area}>
              <strong>{people(`area.${area}`)}</strong>{' '}
              {LEVEL_VERBS.map((verb) => `${people(`verb.${verb}`)} ${levelName(levels[area][verb])}`).join(' · ')}
            </li>
          ))}
        </ul>
      </details>
      <details className={css.explainMore}>
        <summary>{t('can.menus', { count: abilities.menus.length, interfaces: abilities.interfaces })}</summary>
        <ul className={css.assignedList}>
          {abilities.menus.map((menu) => (
            <li key={menu.key}>
              {menuName(menu, locale)}
              {menu.common && <span className="quiet">{` · ${people('menu.common')}`}</span>}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
