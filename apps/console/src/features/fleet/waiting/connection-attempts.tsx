import type { ConnectionAttemptRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Static } from 'typebox';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import type { DataColumn } from '../../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../../shared/ui/list-page/list-page.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import '../devices/devices.module.css';

type Attempt = Static<typeof ConnectionAttemptRow>;
const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'lastAt'> = { filters, sorts: ['lastAt'] };
/** The live stream does not report attempts, so the list is fetched at an interval. */
const FETCH_MS = 10_000;

/** Rejected connection attempts: address, target and reason. */
export function ConnectionAttempts() {
  const { t } = useTranslation('fleet');
  const list = useList(SPEC, 'listConnectionAttempts', (query) => ({ query }), { refetchInterval: FETCH_MS });
  const columns: DataColumn<Attempt, 'lastAt'>[] = [
    { name: 'lastAt', title: t('attempt.at'), sortBy: 'lastAt', render: (_, one) => <TimeAgo at={one.lastAt} /> },
    {
      name: 'from',
      title: t('attempt.from'),
      render: (_, one) => <span className="mono">{one.remoteAddress}</span>,
    },
    { name: 'protocol', title: t('protocol'), render: (_, one) => one.gateway.toUpperCase() },
    { name: 'target', title: t('attempt.target'), render: (_, one) => <Target attempt={one} /> },
    { name: 'reason', title: t('attempt.reason'), render: (_, one) => t(`attempt.reasons.${one.reason}`) },
    {
      name: 'offered',
      title: t('attempt.offered'),
      render: (_, one) => (one.protocols ? <code>{one.protocols}</code> : <Dash />),
    },
    { name: 'count', title: t('attempt.count'), dataIndex: 'attempts', align: 'end' },
    { name: 'since', title: t('attempt.since'), render: (_, one) => <ExactTime at={one.firstAt} /> },
  ];
  return (
    <ListSection
      label={t('waiting.tabs.attempts')}
      list={list}
      search={t('attempt.search')}
      columns={columns}
      empty={t('attempt.empty')}
      compact={(one) => (
        <ListCard title={<Target attempt={one} />} aside={<TimeAgo at={one.lastAt} />}>
          <span>{t(`attempt.reasons.${one.reason}`)}</span>
          <CardLine end={one.attempts > 1 && `× ${one.attempts}`}>
            <span className="mono">{one.remoteAddress}</span>
          </CardLine>
        </ListCard>
      )}
    />
  );
}

/** The requested path or user name, with a link to the device if it is registered. */
function Target({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation('fleet');
  const { target, deviceId } = attempt;
  if (target === '*') return <span className="quiet">{t('attempt.several')}</span>;
  const text = <span className="mono">{target || '–'}</span>;
  return deviceId === null ? text : <Link to={`/manage/device/detail/${deviceId}`}>{text}</Link>;
}
