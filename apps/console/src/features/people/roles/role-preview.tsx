import type { RoleData } from '@chargehand/contract';
import { deviceRights, type Levels, mayEditUsers } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { StatusGlyph } from '../../../shared/ui/tags/status-glyph.tsx';
import css from '../people.module.css';

/** What a device model asks for unless it says otherwise. */
const USUAL_MODEL = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;

/** In plain words: what somebody with these settings and menus can and cannot do. */
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
  /** every menu, whatever the keys */
  root?: boolean;
  /** whether alarms come by email is said, too */
  emails?: boolean;
}

/** What settings and menus let somebody do, a line for each. */
export function AbilityLines({ data, keys, root = false, emails = false }: Lines) {
  const { t } = useTranslation('people');
  const levels = data.levels as Levels;
  const rights = deviceRights(levels, USUAL_MODEL);
  const all = new Set(keys);
  const held = { has: (key: string) => root || all.has(key) };
  const devices = held.has('auth_device_detail');
  const lines = [
    { key: 'devices', can: held.has('auth_device_list'), text: t('preview.devices') },
    { key: 'edit', can: held.has('auth_device_edit') && rights.edit, text: t('preview.edit') },
    { key: 'control', can: devices && rights.control, text: t('preview.control') },
    { key: 'readParameters', can: devices && rights.readParameters, text: t('preview.readParameters') },
    { key: 'setParameters', can: devices && rights.setParameters, text: t('preview.setParameters') },
    { key: 'download', can: held.has('auth_device_list') && rights.download, text: t('preview.download') },
    { key: 'users', can: held.has('auth_user_list'), text: t('preview.users') },
    { key: 'editUsers', can: held.has('auth_user_edit') && mayEditUsers(levels), text: t('preview.editUsers') },
    ...(emails ? [{ key: 'email', can: data.emailAlarm, text: t('preview.email') }] : []),
  ];
  return (
    <div className={css.rolePreview} aria-live="polite">
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
