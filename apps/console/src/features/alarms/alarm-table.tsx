import type { AlarmRow } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, download } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { useAddress } from '../../shared/hooks/lists/use-address.ts';
import { useLongList } from '../../shared/hooks/lists/use-list.ts';
import { useConnectionDetail } from '../../shared/hooks/use-connection-detail.ts';
import { filtersIn, writeListQuery } from '../../shared/lib/lists/list-query.ts';
import { lazyDialog } from '../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { ExplanationButton } from '../../shared/ui/explanations/explanation.tsx';
import { useExplanations } from '../../shared/ui/explanations/use-explanations.ts';
import { ReportIssue } from '../../shared/ui/issues/report-issue.tsx';
import { useReportsIssues } from '../../shared/ui/issues/report-path.ts';
import type { BulkDialogProps } from '../../shared/ui/list/bulk-action.ts';
import { SelectionChanges } from '../../shared/ui/list/selection-changes.tsx';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { AlarmLevel } from '../../shared/ui/tags/alarm-level.tsx';
import { DeviceLink, SiteLink } from '../../shared/ui/values/place-link.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { AlarmFilters, MoreAlarmFilters } from './alarm-filters.tsx';
import { ALARM_LIST, type AlarmPlace, type AlarmSort, filtersOf } from './alarm-list.ts';
import { Acknowledged, AlarmLasted, AlarmState, CodeName, ConnectorName } from './alarm-marks.tsx';
import css from './alarms.module.css';
import { useAlarmRights } from './use-alarm-rights.ts';

const AcknowledgeDialog = lazyDialog(() => import('./alarm/acknowledge-dialog.tsx'));
const AlarmDialog = lazyDialog(() => import('./alarm/alarm-dialog.tsx'));

/** The table of alarms for the fleet, a site or a device. A row opens the alarm with its comments. */
export function AlarmTable({ place }: { place: AlarmPlace }) {
  const { t } = useTranslation('alarms');
  const detailOf = useConnectionDetail();
  const list = useLongList(ALARM_LIST, 'listAlarms', 'after', (query) => filtersOf(query, place));
  const [search, setSearch] = useAddress();
  const rights = useAlarmRights();
  const reports = useReportsIssues();
  const [acknowledging, setAcknowledging] = useState<number | null>(null);
  const { customerId, siteId, deviceModelId, code } = list.query;
  const summary = useQuery(
    queryOf('summarizeAlarms', { query: { customerId, siteId, deviceModelId, code, ...place } }, { quiet: true }),
  );
  const opened = Number(search.get('alarm'));
  const open = (id: number | undefined) => setSearch((now) => writeListQuery(now, { alarm: id }));
  const taken = (alarm: AlarmRow) => (
    <Acknowledged alarm={alarm} onTake={rights.work ? () => setAcknowledging(alarm.id) : undefined} />
  );
  const alarms = list.rows.data?.items ?? [];
  const explanationOf = useExplanations(
    DOCUMENT_TYPES.alarm,
    alarms.map((alarm) => alarm.code),
    alarms.map((alarm) => alarm.deviceModelId),
  );
  const explained = ({ code, deviceModelId }: AlarmRow) => (
    <ExplanationButton
      of={explanationOf(code, deviceModelId)}
      type={DOCUMENT_TYPES.alarm}
      deviceModelId={deviceModelId}
    />
  );
  const report = ({ id, code, deviceName }: AlarmRow) => (
    <ReportIssue of={{ alarmId: id }} name={`${code} · ${deviceName}`} />
  );
  const columns: DataColumn<AlarmRow, AlarmSort>[] = [
    { title: t('level'), width: 96, sortBy: 'level', render: (_, alarm) => <AlarmLevel level={alarm.level} /> },
    { title: t('state'), width: 108, render: (_, alarm) => <AlarmState alarm={alarm} /> },
    {
      title: t('alarm'),
      render: (_, alarm) => (
        <span className={css.twoLines}>
          <span>
            <CodeName of={alarm} />
            {explained(alarm)}
          </span>
          <span className="quiet">
            {t(`kinds.${alarm.kind}`)}
            {alarm.info && ` · ${detailOf(alarm.info)}`}
          </span>
        </span>
      ),
    },
    { title: t('where'), render: (_, alarm) => <Where alarm={alarm} place={place} /> },
    { title: t('raisedAt'), sortBy: 'raisedAt', render: (_, alarm) => <ExactTime at={alarm.raisedAt} /> },
    { title: t('lasted'), render: (_, alarm) => <AlarmLasted alarm={alarm} /> },
    { title: t('repeats'), align: 'end', render: (_, { repeats }) => (repeats > 0 ? `×${repeats + 1}` : <Dash />) },
    { title: t('acknowledged'), render: (_, alarm) => taken(alarm) },
  ];

  return (
    <>
      <ListSection
        label={t('title')}
        list={list}
        filters={<AlarmFilters list={list} summary={summary.data} />}
        moreFilters={<MoreAlarmFilters list={list} place={place} />}
        onExport={
          rights.export
            ? (query, options) => download('exportAlarms', { query: filtersOf(query, place) }, options)
            : undefined
        }
        columns={columns}
        rowActions={reports ? report : undefined}
        onOpen={(alarm) => open(alarm.id)}
        lookOf={(alarm) => `${alarm.clearedAt}|${alarm.level}|${alarm.repeats}|${alarm.acknowledgedAt}`}
        rowClassName={(alarm) => (alarm.clearedAt ? css.alarmOver : 'alarm-active')}
        bulk={
          rights.work
            ? {
                actions: [{ key: 'acknowledge', label: t('acknowledge.ok'), dialog: AcknowledgeSelected }],
                nameOf: ({ code, deviceName }) => `${code} · ${deviceName}`,
                choosable: ({ acknowledgedAt }) => acknowledgedAt === null,
                matching: () =>
                  call('selectAlarms', { query: { ...filtersIn(filtersOf(list.query, place)), acknowledged: false } }),
              }
            : undefined
        }
        empty={t('nothingOpen')}
        compact={(alarm) => (
          <ListCard
            title={
              <>
                <AlarmLevel level={alarm.level} /> <CodeName of={alarm} />
                {explained(alarm)}
              </>
            }
            aside={<AlarmState alarm={alarm} />}
          >
            {place.deviceId === undefined && (
              <CardLine end={place.siteId === undefined && alarm.siteName}>
                <DeviceLink
                  id={alarm.deviceId}
                  name={alarm.deviceName}
                  from={place.siteId === undefined ? 'alarms' : 'site'}
                />
              </CardLine>
            )}
            <CardLine
              end={
                <>
                  {report(alarm)} {taken(alarm)}
                </>
              }
            >
              <ConnectorName of={alarm} />
              <AlarmLasted alarm={alarm} />
            </CardLine>
          </ListCard>
        )}
      />
      {acknowledging !== null && <AcknowledgeDialog ids={[acknowledging]} onClose={() => setAcknowledging(null)} />}
      {opened > 0 && <AlarmDialog id={opened} onClose={() => open(undefined)} />}
    </>
  );
}

function AcknowledgeSelected({ selection, onClose }: BulkDialogProps) {
  const [ids] = useState(() => [...selection.names.keys()]);
  const note = <SelectionChanges selection={selection} />;
  return <AcknowledgeDialog ids={ids} onClose={onClose} onDone={selection.keep} changes={note} />;
}

/** The place of an alarm, unless the page already shows it. */
function Where({ alarm, place }: { alarm: AlarmRow; place: AlarmPlace }) {
  const connector = <ConnectorName of={alarm} />;
  if (place.deviceId !== undefined) return connector;
  return (
    <span className={css.twoLines}>
      <DeviceLink id={alarm.deviceId} name={alarm.deviceName} from={place.siteId === undefined ? 'alarms' : 'site'} />
      <span className="quiet">
        {connector}
        {place.siteId === undefined && (
          <>
            {' · '}
            <SiteLink id={alarm.siteId} name={alarm.siteName} />
          </>
        )}
      </span>
    </span>
  );
}
