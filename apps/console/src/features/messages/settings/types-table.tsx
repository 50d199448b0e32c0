import type { MessageSettingRow, OwnMessageSettings } from '@chargehand/contract';
import { type MessageType, type PlaceSource, type SettingSource, settingExceptions } from '@chargehand/domain';
import { Button, Checkbox, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Entered, TYPE_GROUPS } from './entered.ts';
import css from './settings.module.css';

export type Channel = 'inApp' | 'email' | 'push';

interface Props {
  /** what applies when nothing is set here */
  types: readonly Pick<OwnMessageSettings['types'][number], 'type' | 'usual'>[];
  /** the types that are shown */
  offered(type: MessageType): boolean;
  channels: readonly Channel[];
  /** the source of what is set here */
  source: SettingSource;
  sourceName(source: SettingSource): string;
  own: Entered['own'];
  /** what decides at some places or times instead */
  ties?: readonly PlaceSource[];
  onChange(own: Entered['own']): void;
  disabled?: boolean;
}

const GROUPS = ['faults', 'work', 'others'] as const;

/** The channels of each type of message, and what decides about them. */
export function TypesTable(props: Props) {
  const { offered, channels } = props;
  const { t } = useTranslation('messages');
  return (
    <table className={`fact-table ${css.types}`}>
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
                <TypeRow key={type} type={type} {...props} />
              ))}
            </tbody>
          )
        );
      })}
    </table>
  );
}

function TypeRow({ type, ...props }: Props & { type: MessageType }) {
  const { types, channels, own, onChange, disabled = false, ties = [] } = props;
  const { t } = useTranslation('messages');
  const usual = types.find((one) => one.type === type)?.usual;
  if (!usual) return null;
  const { source: usualSource, ...usualRow } = usual;
  const row: MessageSettingRow = own[type] ?? { type, ...usualRow };
  const source = own[type] ? props.source : usualSource;
  const exceptions = settingExceptions(type, { own: own[type] ?? null, usual }, ties);
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
      {channels.map((channel) => (
        <td key={channel} className={css.channel}>
          <Checkbox
            checked={row[channel]}
            disabled={fixed || disabled}
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
          disabled={fixed || disabled || !row.email}
          aria-label={t('settings.whenOf', { type: name })}
          options={(['immediate', 'delayed'] as const).map((value) => ({ value, label: t(`settings.${value}`) }))}
          onChange={(value) => set({ delayed: value === 'delayed' })}
        />
      </td>
      <td className={css.source}>
        <span className="quiet">{props.sourceName(source)}</span>
        {own[type] && !disabled && (
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
        {exceptions.map(({ source: tie, setting }) => (
          <span key={tie} className={css.exception}>
            {t(`settings.exceptions.${tie}`, {
              channels: channels
                .filter((channel) => setting[channel])
                .map((channel) => t(`settings.${channel}`))
                .join(t('ties.separator')),
            })}
          </span>
        ))}
      </td>
    </tr>
  );
}
