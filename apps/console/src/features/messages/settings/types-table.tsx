import type { MessageSettingRow, OwnMessageSettings, PermissionKey } from '@chargehand/contract';
import { isForVendor, keysOfMessage, type MessageType, permits } from '@chargehand/domain';
import { Button, Checkbox, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { holderOf, useSession } from '../../../shared/session/session.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { type Entered, TYPE_GROUPS } from './entered.ts';
import css from './settings.module.css';

interface Props {
  saved: OwnMessageSettings;
  own: Entered['own'];
  onChange(own: Entered['own']): void;
}

type Channel = 'inApp' | 'email' | 'push';
/** Pushes are offered once a browser is registered: without one, the setting would have no effect. */
const channelsOf = ({ browsers }: OwnMessageSettings): readonly Channel[] =>
  browsers > 0 ? ['inApp', 'email', 'push'] : ['inApp', 'email'];
const GROUPS = ['faults', 'work', 'others'] as const;

/** The channels of each type of message that the user may receive, and what decides about them. */
export function TypesTable({ saved, own, onChange }: Props) {
  const { t } = useTranslation('messages');
  const holder = holderOf(useSession());
  const { user } = useUser();
  const channels = channelsOf(saved);
  const offered = (type: MessageType) =>
    permits(holder, keysOfMessage(type) as PermissionKey[], 'any') &&
    (!isForVendor(type) || user.root || user.platformVendor);
  return (
    <table className={css.types}>
      <thead>
        <tr>
          <th scope="col">{t('settings.type')}</th>
          {channels.map((channel) => (
            <th key={channel} scope="col" className={css.channel}>
              {t(`settings.${channel}`)}
            </th>
          ))}
          <th scope="col">{t('settings.when')}</th>
          <th scope="col">{t('settings.source')}</th>
        </tr>
      </thead>
      {GROUPS.map((group) => {
        const types = TYPE_GROUPS[group].filter(offered);
        return (
          types.length > 0 && (
            <tbody key={group}>
              <tr className={css.group}>
                <th scope="rowgroup" colSpan={channels.length + 3}>
                  {t(`settings.groups.${group}`)}
                </th>
              </tr>
              {types.map((type) => (
                <TypeRow key={type} type={type} saved={saved} own={own} onChange={onChange} />
              ))}
            </tbody>
          )
        );
      })}
    </table>
  );
}

function TypeRow({ type, saved, own, onChange }: Props & { type: MessageType }) {
  const { t } = useTranslation('messages');
  const usual = saved.types.find((one) => one.type === type)?.usual;
  if (!usual) return null;
  const { source: usualSource, ...usualRow } = usual;
  const row: MessageSettingRow = own[type] ?? { type, ...usualRow };
  const source = own[type] ? 'user' : usualSource;
  const fixed = usualSource === 'always';
  const name = t(`types.${type}`);
  const set = (change: Partial<MessageSettingRow>) => onChange({ ...own, [type]: { ...row, ...change } });
  return (
    <tr>
      <th scope="row">
        {name}
        {type === 'recovery' && <span className="quiet">{t('settings.recoveryHint')}</span>}
        {fixed && <span className="quiet">{t('settings.always')}</span>}
      </th>
      {channelsOf(saved).map((channel) => (
        <td key={channel} className={css.channel}>
          <Checkbox
            checked={row[channel]}
            disabled={fixed}
            aria-label={t('settings.onOf', { type: name, channel: t(`settings.${channel}`) })}
            onChange={({ target }) => set({ [channel]: target.checked })}
          >
            <span className={css.label} aria-hidden="true">
              {t(`settings.${channel}`)}
            </span>
          </Checkbox>
        </td>
      ))}
      <td className={css.when}>
        <Select<'immediate' | 'delayed'>
          size="small"
          value={row.delayed ? 'delayed' : 'immediate'}
          disabled={fixed || !row.email}
          aria-label={t('settings.whenOf', { type: name })}
          options={(['immediate', 'delayed'] as const).map((value) => ({ value, label: t(`settings.${value}`) }))}
          onChange={(value) => set({ delayed: value === 'delayed' })}
        />
      </td>
      <td className={css.source}>
        <span className="quiet">{t(`sources.${source}`)}</span>
        {source === 'user' && (
          <Button
            size="small"
            type="link"
            aria-label={t('settings.resetOf', { type: name })}
            title={t('settings.resetHint')}
            onClick={() => {
              const { [type]: _, ...others } = own;
              onChange(others);
            }}
          >
            {t('settings.reset')}
          </Button>
        )}
      </td>
    </tr>
  );
}
