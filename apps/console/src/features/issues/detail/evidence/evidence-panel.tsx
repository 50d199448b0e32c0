import type { IssueDetail, IssueEvidence } from '@chargehand/contract';
import {
  type ALARM_KINDS,
  type DeviceStatus,
  type AlarmLevel as Level,
  shownReading,
  showText,
  unitSign,
} from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { useConnectionDetail } from '../../../../shared/hooks/use-connection-detail.ts';
import { useConnectorName } from '../../../../shared/hooks/use-connector-name.ts';
import { useModelName } from '../../../../shared/i18n/use-model-name.ts';
import { useNames } from '../../../../shared/i18n/use-names.ts';
import { protocolName } from '../../../../shared/lib/protocol-name.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { Table } from '../../../../shared/ui/table/table.tsx';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { StatusTag } from '../../../../shared/ui/tags/status-tag.tsx';
import { Breakable } from '../../../../shared/ui/values/breakable.tsx';
import { Describe } from '../../../../shared/ui/values/describe.tsx';
import { ItemName } from '../../../../shared/ui/values/item-name.tsx';
import { Dash, ExactTime } from '../../../../shared/ui/values/time-ago.tsx';
import css from '../detail.module.css';
import { CommandTable } from './command-table.tsx';
import { FramesPanel } from './frames-panel.tsx';

type EvidenceItem = IssueEvidence['parameters'][number]['item'];
type EvidenceAlarm = IssueEvidence['alarms'][number];

/** The situation of the device when the issue was created. It stays when the device changes or is deleted. */
export default function EvidencePanel({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const found = useQuery(queryOf('readIssueEvidence', { params: { id: issue.id } }, { quiet: true }));
  if (found.data === undefined) {
    return found.isError ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <SkeletonRows rows={8} />
    );
  }
  const { evidence } = found.data;
  if (evidence === null) return <EmptyState text={t('evidence.none')} />;
  return (
    <div className={css.evidence}>
      <p className={css.note} role="note">
        {t('evidence.frozen')} <ExactTime at={evidence.takenAt} />
        {evidence.withheld > 0 && <span> {t('evidence.withheld', { count: evidence.withheld })}</span>}
      </p>
      <Device evidence={evidence} />
      <Alarms evidence={evidence} />
      <Parameters evidence={evidence} />
      <Readings evidence={evidence} />
      <Part title={t('evidence.commands')} count={evidence.commands.length} none={t('evidence.noCommands')}>
        <CommandTable commands={evidence.commands} protocol={evidence.device.protocol} />
      </Part>
      <FramesPanel issue={issue} frames={evidence.frames} />
    </div>
  );
}

/** One kind of evidence, or the statement that there was none. */
function Part(props: { title: string; count: number; none: string; children: ReactNode }) {
  const { title, count, none, children } = props;
  return (
    <Panel title={title} extra={count > 0 && <span className="quiet">{count}</span>}>
      {count > 0 ? children : <p className="quiet">{none}</p>}
    </Panel>
  );
}

function Device({ evidence: { device } }: { evidence: IssueEvidence }) {
  const modelName = useModelName();
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  return (
    <Panel title={t('evidence.device')}>
      <Describe
        items={[
          { key: 'name', label: t('field.device'), value: device.name },
          { key: 'sn', label: t('evidence.sn'), value: device.sn },
          { key: 'model', label: t('evidence.model'), value: modelName(device.model) },
          { key: 'version', label: t('evidence.softVersion'), value: device.softVersion },
          { key: 'site', label: issues('site'), value: device.site },
          { key: 'customer', label: issues('customer'), value: device.customer },
          { key: 'status', label: issues('statusLabel'), value: <StatusTag status={device.status as DeviceStatus} /> },
          {
            key: 'connected',
            label: t('evidence.connection'),
            value: t(device.connected ? 'evidence.connected' : 'evidence.disconnected'),
          },
          { key: 'protocol', label: t('evidence.protocol'), value: device.protocol && protocolName(device.protocol) },
          { key: 'seen', label: t('evidence.lastSeen'), value: <ExactTime at={device.lastSeenAt} /> },
        ]}
      />
    </Panel>
  );
}

function Alarms({ evidence: { alarms, device } }: { evidence: IssueEvidence }) {
  const { t } = useTranslation('issue');
  const { t: words } = useTranslation('alarms');
  const placeOf = useConnectorName(device.protocol);
  const detailOf = useConnectionDetail();
  const rows = alarms.map((alarm) => ({ ...alarm, id: `${alarm.connector} ${alarm.code}` }));
  return (
    <Part title={t('evidence.alarms')} count={rows.length} none={t('evidence.noAlarms')}>
      <Table
        label={t('evidence.alarms')}
        rows={rows}
        scrollWidth="max-content"
        columns={[
          { title: words('level'), render: (_, { level }) => <AlarmLevel level={level as Level} /> },
          {
            title: words('alarm'),
            render: (_, { code, name }) => <Code {...{ code, name, deviceModelId: device.deviceModelId }} />,
          },
          { title: words('kind'), render: (_, { kind }) => words(`kinds.${kind as (typeof ALARM_KINDS)[number]}`) },
          { title: words('where'), render: (_, { connector }) => placeOf(connector) },
          { title: words('raisedAt'), render: (_, { raisedAt }) => <ExactTime at={raisedAt} /> },
          { title: t('evidence.info'), render: (_, { info }) => (info === null ? <Dash /> : detailOf(info)) },
        ]}
      />
    </Part>
  );
}

/** A code with a link to the document that explains it, for users who may read documents. */
function Code(props: { code: string; name: EvidenceAlarm['name']; deviceModelId: number | undefined }) {
  const { code, name, deviceModelId } = props;
  const { language } = useNames();
  const reads = usePermitted(['auth_docs_detail']);
  const own = name?.[language] ?? null;
  const text =
    own === null ? (
      <code>{code}</code>
    ) : (
      <>
        <span>{own}</span> <span className="quiet mono">{code}</span>
      </>
    );
  if (!reads) return text;
  const model = deviceModelId === undefined ? '' : `&deviceModelId=${deviceModelId}`;
  return <Link to={`/manage/docs/detail/type/100?code=${encodeURIComponent(code)}${model}`}>{text}</Link>;
}

function Parameters({ evidence: { parameters } }: { evidence: IssueEvidence }) {
  const { t } = useTranslation('issue');
  const { language } = useNames();
  const value = (text: string | null, item: EvidenceItem) => {
    if (text === null) return <span className="quiet no-break">{t('evidence.missing')}</span>;
    const shown = item ? showText(item, text, language) : { text, unit: '' };
    return <Breakable text={`${shown.text} ${shown.unit}`.trim()} />;
  };
  return (
    <Part title={t('evidence.parameters')} count={parameters.length} none={t('evidence.noParameters')}>
      <Table
        label={t('evidence.parameters')}
        rows={parameters}
        rowKey="key"
        columns={[
          {
            title: t('evidence.parameter'),
            render: (_, { key, item }) => <ItemName itemKey={key} name={item?.name ?? null} documentId={null} />,
          },
          { title: t('evidence.expected'), render: (_, { expected, item }) => value(expected, item) },
          { title: t('evidence.actual'), render: (_, { actual, item }) => <strong>{value(actual, item)}</strong> },
        ]}
      />
      {parameters[0] && <p className="quiet">{t('evidence.baseline', { name: parameters[0].baseline })}</p>}
    </Part>
  );
}

function Readings({ evidence: { readings, device } }: { evidence: IssueEvidence }) {
  const { t } = useTranslation('issue');
  const { t: words } = useTranslation('alarms');
  const placeOf = useConnectorName(device.protocol);
  const { language } = useNames();
  const rows = readings.map((one) => ({ ...one, id: `${one.connector} ${one.key}` }));
  const textOf = ({ value, unit, number, item }: IssueEvidence['readings'][number]) => {
    const reported = number ? { value: Number(value), text: null, unit } : { value: null, text: value, unit };
    const shown = shownReading(reported, item ?? null, language);
    return `${shown.text} ${unitSign(shown.unit)}`.trim();
  };
  return (
    <Part title={t('evidence.readings')} count={rows.length} none={t('evidence.noReadings')}>
      <Table
        label={t('evidence.readings')}
        rows={rows}
        scrollWidth="max-content"
        columns={[
          { title: words('where'), render: (_, { connector }) => placeOf(connector) },
          {
            title: t('evidence.quantity'),
            render: (_, { key, item, variant }) => (
              <ItemName itemKey={key} name={item?.name ?? null} variant={variant ?? ''} documentId={null} />
            ),
          },
          { title: t('evidence.value'), align: 'end', render: (_, one) => textOf(one) },
          { title: t('evidence.at'), render: (_, { at }) => <ExactTime at={at} /> },
        ]}
      />
    </Part>
  );
}
