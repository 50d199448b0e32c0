import type { AlarmSummary } from '@chargehand/contract';
import { ALARM_KINDS, ALARM_LEVELS, type AlarmKind, type AlarmLevel as Level } from '@chargehand/domain';
import { Input, Segmented, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../shared/api/client.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { useTyped } from '../../shared/hooks/use-typed.ts';
import { instantOf, wallTimeOf } from '../../shared/lib/wall-time.ts';
import { AlarmLevel } from '../../shared/ui/alarm-level.tsx';
import { ExportButton } from '../../shared/ui/export-button.tsx';
import { CustomerPicker, ModelPicker, SitePicker } from '../../shared/ui/pickers.tsx';
import { type AlarmList, type AlarmPlace, filtersOf, stateOf } from './alarm-list.ts';
import { useAlarmRights } from './use-alarm-rights.ts';

interface Props {
  list: AlarmList;
  place: AlarmPlace;
  summary: AlarmSummary | undefined;
}

/** What alarms are narrowed by, kept in the address. */
export function AlarmFilters({ list, place, summary }: Props) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const rights = useAlarmRights();
  const narrow = useMedia('(max-width: 760px)');
  const {
    state,
    kind,
    level,
    acknowledged,
    suppressed,
    customerId,
    siteId,
    deviceModelId,
    code = '',
    from,
    to,
  } = list.query;
  const typed = useTyped(code, (text) => list.change({ code: text || undefined }));
  const open = summary ? `${t('states.open')} ${summary.total.toLocaleString('en-US')}` : t('states.open');
  const more = (
    <>
      <Select
        allowClear
        value={ALARM_KINDS.find((known) => known === kind)}
        placeholder={t('kind')}
        aria-label={t('kind')}
        popupMatchSelectWidth={false}
        options={ALARM_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={(next: AlarmKind | undefined) => list.change({ kind: next })}
      />
      <Select
        allowClear
        value={acknowledged}
        placeholder={t('acknowledgement')}
        aria-label={t('acknowledgement')}
        popupMatchSelectWidth={false}
        options={[
          { value: 'false', label: t('notAcknowledged') },
          { value: 'true', label: t('acknowledged') },
        ]}
        onChange={(next: string | undefined) => list.change({ acknowledged: next })}
      />
      <Select
        allowClear
        value={suppressed}
        placeholder={t('counting')}
        aria-label={t('counting')}
        popupMatchSelectWidth={false}
        options={[
          { value: 'false', label: t('counted') },
          { value: 'true', label: t('suppressed') },
        ]}
        onChange={(next: string | undefined) => list.change({ suppressed: next })}
      />
      {place.deviceId === undefined && place.siteId === undefined && (
        <>
          <SitePicker
            value={siteId}
            customerId={customerId}
            placeholder={t('site')}
            onChange={(id) => list.change({ siteId: id })}
          />
          <CustomerPicker
            value={customerId}
            placeholder={t('customer')}
            onChange={(id) => list.change({ customerId: id, siteId: undefined })}
          />
          <ModelPicker
            value={deviceModelId}
            placeholder={t('model')}
            onChange={(id) => list.change({ deviceModelId: id })}
          />
        </>
      )}
      <Input
        className="alarm-code-filter"
        allowClear
        value={typed.text}
        placeholder={t('code')}
        aria-label={t('code')}
        maxLength={64}
        onChange={(event) => typed.type(event.target.value)}
        onPressEnter={() => typed.settleNow(typed.text)}
      />
      <span className="field-row">
        <TimeEdge label={t('from')} value={from} onChange={(next) => list.change({ from: next })} />
        {'–'}
        <TimeEdge label={t('to')} value={to} onChange={(next) => list.change({ to: next })} />
      </span>
    </>
  );
  return (
    <search className="alarm-filters" aria-label={t('filters')}>
      <Segmented<'open' | 'cleared' | 'all'>
        aria-label={t('state')}
        value={stateOf(state) ?? 'all'}
        options={[
          { value: 'open', label: open },
          { value: 'cleared', label: t('states.cleared') },
          { value: 'all', label: common('all') },
        ]}
        onChange={(next) => list.change({ state: next === 'open' ? undefined : next })}
      />
      <Select
        allowClear
        value={ALARM_LEVELS.find((known) => known === level)}
        placeholder={t('level')}
        aria-label={t('level')}
        popupMatchSelectWidth={false}
        options={[...ALARM_LEVELS].reverse().map((value) => ({
          value,
          label: (
            <>
              <AlarmLevel level={value} /> {common(`alarmLevel.${value}`)}
            </>
          ),
        }))}
        onChange={(next: Level | undefined) => list.change({ level: next })}
      />
      {narrow ? (
        <details className="alarm-more">
          <summary>{t('moreFilters')}</summary>
          <div className="alarm-filters">{more}</div>
        </details>
      ) : (
        more
      )}
      {list.filtered && (
        <button type="button" className="text-button" onClick={list.clear}>
          {common('table.clear')}
        </button>
      )}
      {rights.export && (
        <span className="alarm-export">
          <ExportButton
            fetch={(options) => download('exportAlarms', { query: filtersOf(list.query, place) }, options)}
          />
        </span>
      )}
    </search>
  );
}

/** One end of a range of time, in the fleet's zone. */
function TimeEdge(props: { label: string; value: string | undefined; onChange(next: string | undefined): void }) {
  const at = Date.parse(props.value ?? '');
  return (
    <input
      type="datetime-local"
      className="time-input"
      aria-label={props.label}
      title={props.label}
      value={Number.isNaN(at) ? '' : wallTimeOf(at)}
      onChange={(event) => {
        const next = instantOf(event.target.value);
        props.onChange(Number.isNaN(next) ? undefined : new Date(next).toISOString());
      }}
    />
  );
}
