import type { DeviceCertificate } from '@chargehand/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { Pager } from '../../../shared/ui/table/pager.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import '../../../shared/ui/list-page/data-table.css';
import './maintenance.module.css';

const PAGE_SIZE = 10;

/** The certificates that were signed for a device; nothing for a device that never requested one. */
export function CertificatesPanel({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('fleet');
  const [page, setPage] = useState(1);
  const certificates = useQuery({
    ...queryOf(
      'listDeviceCertificates',
      { params: { id: deviceId }, query: { page, pageSize: PAGE_SIZE, sort: '-issuedAt' } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  if (!certificates.data) {
    if (!certificates.isError) return null;
    return (
      <Panel title={t('certificates.title')}>
        <ErrorState error={certificates.error} onRetry={() => void certificates.refetch()} />
      </Panel>
    );
  }
  const { items, total } = certificates.data;
  if (total === 0) return null;
  return (
    <Panel title={t('certificates.title')}>
      <Certificates rows={items} />
      <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
    </Panel>
  );
}

function Certificates({ rows }: { rows: readonly DeviceCertificate[] }) {
  const { t } = useTranslation('fleet');
  const inOneCell = useMedia('(max-width: 760px)');
  const columns = [
    {
      key: 'serial',
      title: t('certificates.serial'),
      render: (_: unknown, row: DeviceCertificate) => <Copyable text={row.serial} />,
    },
    {
      key: 'until',
      title: t('certificates.until'),
      render: (_: unknown, row: DeviceCertificate) => <ExactTime at={row.notAfter} />,
    },
    {
      key: 'issued',
      title: t('certificates.issued'),
      render: (_: unknown, row: DeviceCertificate) => <ExactTime at={row.issuedAt} />,
    },
    {
      key: 'state',
      title: t('certificates.state'),
      render: (_: unknown, row: DeviceCertificate) => <State row={row} />,
    },
  ];
  const compact = [
    {
      key: 'row',
      render: (_: unknown, row: DeviceCertificate) => (
        <div className="stack-tight">
          <Copyable text={row.serial} />
          <span>
            {t('certificates.until')} <ExactTime at={row.notAfter} />
          </span>
          <span className="quiet">
            <State row={row} />
          </span>
        </div>
      ),
    },
  ];
  return (
    <div className="data-table">
      <Table<DeviceCertificate>
        label={t('certificates.title')}
        showHeader={!inOneCell}
        rows={rows}
        columns={inOneCell ? compact : columns}
      />
    </div>
  );
}

function State({ row }: { row: DeviceCertificate }) {
  const { t } = useTranslation('fleet');
  if (Date.parse(row.notAfter) <= Date.now()) return <span data-warn>{t('certificates.expired')}</span>;
  if (row.accepted === null) return t('certificates.unanswered');
  return row.accepted ? t('certificates.accepted') : <span data-warn>{t('certificates.refused')}</span>;
}
