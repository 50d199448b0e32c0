import type { DeviceTrafficRow, SiteDetail } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { formatSize } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { type DataColumn, DataTable } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ExportFigures } from './export-figures.tsx';
import css from './statistics.module.css';
import { StepSwitch, useStep } from './step-switch.tsx';
import { TrafficChart } from './traffic-chart.tsx';

const filters = {} as const;
const SPEC: ListSpec<typeof filters, 'total'> = { filters, sorts: ['total'] };

/** The bytes from and to the devices of a site over time, and by device. */
export default function SiteTraffic({ site: { id: siteId, name } }: { site: SiteDetail }) {
  const { t } = useTranslation('statistics');
  const [step, setStep] = useStep();
  const traffic = useQuery({
    ...queryOf('readSiteTraffic', { params: { id: siteId }, query: { step } }, { quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  return (
    <div className="stack">
      <div className="field-row">
        <StepSwitch value={step} onChange={setStep} names={{ hour: t('traffic.hours'), day: t('traffic.days') }} />
        <span className={css.statisticsExport}>
          <ExportFigures of="exportSiteTraffic" siteId={siteId} step={step} />
        </span>
      </div>
      {traffic.data ? (
        <TrafficChart traffic={traffic.data} title={t('traffic.chart')} of={{ name, siteId }} />
      ) : traffic.isError ? (
        <ErrorState error={traffic.error} onRetry={() => void traffic.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
      <Devices siteId={siteId} step={step} />
    </div>
  );
}

function Devices({ siteId, step }: { siteId: number; step: 'hour' | 'day' }) {
  const { t } = useTranslation('statistics');
  const list = useList(SPEC, 'listSiteTrafficDevices', (query) => ({
    params: { id: siteId },
    query: { step, ...query },
  }));
  const columns: DataColumn<DeviceTrafficRow, 'total'>[] = [
    { title: t('traffic.device'), render: (_, device) => <DeviceName device={device} /> },
    { title: t('traffic.sn'), render: (_, { sn }) => <span className="mono">{sn ?? '–'}</span> },
    { title: t('traffic.received'), align: 'end', render: (_, { received }) => formatSize(received) },
    { title: t('traffic.sent'), align: 'end', render: (_, { sent }) => formatSize(sent) },
    {
      title: t('traffic.total'),
      align: 'end',
      sortBy: 'total',
      render: (_, { received, sent }) => formatSize(received + sent),
    },
  ];
  return (
    <DataTable
      label={t('traffic.devices')}
      list={list}
      columns={columns}
      empty={t('traffic.none')}
      compact={(device) => (
        <ListCard title={<DeviceName device={device} />}>
          <CardLine>
            {`${t('traffic.received')} ${formatSize(device.received)} · ${t('traffic.sent')} ${formatSize(device.sent)}`}
          </CardLine>
        </ListCard>
      )}
    />
  );
}

function DeviceName({ device: { id, name } }: { device: DeviceTrafficRow }) {
  const { t } = useTranslation('statistics');
  const mayOpen = usePermitted(['auth_device_detail']);
  if (name === null) return <span className="quiet">{t('traffic.gone')}</span>;
  return mayOpen ? <Link to={`/manage/device/detail/${id}`}>{name}</Link> : <span>{name}</span>;
}
