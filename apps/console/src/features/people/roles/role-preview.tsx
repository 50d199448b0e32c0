import type { RoleData } from '@chargehand/contract';
import type { Levels } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLevelName } from '../../../shared/i18n/use-level-name.ts';
import { abilitiesOf } from '../../../shared/session/abilities.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { StatusGlyph } from '../../../shared/ui/tags/status-glyph.tsx';
import css from '../people.module.css';

/** What a user with these settings and menus can and cannot do. */
export function RolePreview({ data, keys }: { data: RoleData; keys: readonly string[] }) {
  const { t } = useTranslation('people');
  return (
    <Panel title={t('preview.title')}>
      <AbilityLines data={data} keys={keys} emails />
    </Panel>
  );
}

interface Lines {
  data: RoleData;
  keys: readonly string[];
  /** all menus, whatever the keys */
  root?: boolean;
  /** also shows whether alarms are sent by email */
  emails?: boolean;
}

/** What settings and menus allow, one line for each ability. */
export function AbilityLines({ data, keys, root = false, emails = false }: Lines) {
  const { t } = useTranslation('people');
  const levelName = useLevelName();
  const role = { root, keys: new Set(keys), levels: data.levels as Levels };
  const lines = [
    ...abilitiesOf(role).map(({ ability, can, from }) => ({
      ...{ key: ability, can },
      text: t(`preview.${ability}`, { level: from === null ? '' : levelName(from) }),
    })),
    ...(emails ? [{ key: 'email', can: data.emailAlarm, text: t('preview.email') }] : []),
  ];
  return (
    <div className={`stack ${css.rolePreview}`} aria-live="polite">
      <p>
        {t('preview.reach', {
          customers: t(`preview.customers.${data.customerAccess as 0}`),
          sites: t(`preview.sites.${data.siteAccess as 0}`),
        })}
      </p>
      {!root && <p>{t(`preview.remote.${data.remoteAccess as 0}`)}</p>}
      <ul>
        {lines.map(({ key, can, text }) => (
          <li key={key} className={can ? 'can' : 'cannot'}>
            <StatusGlyph glyph={can ? 'check' : 'bar'} />
            <span>
              <span className="visually-hidden">{can ? t('preview.can') : t('preview.cannot')}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      <p className="quiet">{t('preview.note')}</p>
    </div>
  );
}
