import type { DeviceDetail } from '@chargehand/contract';
import { valueText } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { type DataColumn, DataTable } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { Dash, ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { SessionDecision } from './session-decision.tsx';
import { type Session, SessionDuration, SessionEnd } from './session-end.tsx';

const SPEC: ListSpec<Record<never, never>, 'startedAt'> = { filters: {}, sorts: ['startedAt'] };

/** The charging sessions of a device, newest first. */
export default function SessionsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  const connectorName = useConnectorName(device.protocol);
  const list = useList(SPEC, 'listTransactions', (query) => ({ params: { id: device.id }, query }));
  const columns: DataColumn<Session, 'startedAt'>[] = [
    { title: t('sessions.id'), render: (_, session) => <span className="mono">{session.id}</span> },
    {
      title: t('sessions.connector'),
      render: (_, session) => <span className="no-break">{connectorName(session.connector)}</span>,
    },
    { title: t('sessions.started'), sortBy: 'startedAt', render: (_, session) => <ExactTime at={session.startedAt} /> },
    {
      title: t('sessions.stopped'),
      render: (_, session) =>
        session.stoppedAt ? (
          <ExactTime at={session.stoppedAt} />
        ) : (
          <Tag tone="working" glyph="bolt">
            {t('sessions.open')}
          </Tag>
        ),
    },
    { title: t('sessions.lasted'), align: 'end', render: (_, session) => <SessionDuration session={session} /> },
    { title: t('sessions.energy'), align: 'end', render: (_, session) => <Energy session={session} /> },
    { title: t('sessions.idTag'), render: (_, session) => <span className="mono">{session.idTag}</span> },
    {
      title: t('sessions.decision'),
      render: (_, session) => <SessionDecision decision={session.decision} />,
    },
    {
      title: t('sessions.stopReason'),
      render: (_, session) => <SessionEnd session={session} device={device} />,
    },
  ];
  return (
    <DataTable
      label={t('sessions.title')}
      list={list}
      columns={columns}
      empty={t('sessions.empty')}
      compact={(session) => (
        <ListCard title={<ExactTime at={session.startedAt} />} aside={<SessionDuration session={session} />}>
          <CardLine end={<Energy session={session} />}>
            <span>
              {connectorName(session.connector)} · <span className="mono">{session.idTag}</span>
            </span>
            {!session.stoppedAt && <span>{t('sessions.open')}</span>}
          </CardLine>
          <SessionDecision decision={session.decision} />
          <SessionEnd session={session} device={device} />
        </ListCard>
      )}
    />
  );
}

function Energy({ session }: { session: Session }) {
  const { t } = useTranslation('telemetry');
  if (session.meterStop === null) return <Dash />;
  return (
    <span className="no-break">{t('kWh', { value: valueText((session.meterStop - session.meterStart) / 1_000) })}</span>
  );
}
