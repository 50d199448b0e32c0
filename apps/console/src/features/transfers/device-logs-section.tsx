import type { DeviceDetail, DeviceLogRow } from '@chargehand/contract';
import { formatSize, transferResult } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { newCommandPath } from '../../shared/lib/new-command-path.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { AddToIssue } from '../../shared/ui/issues/add/add-to-issue.tsx';
import { storedFileNode } from '../../shared/ui/issues/add/issue-nodes.ts';
import { useAddsToIssues } from '../../shared/ui/issues/add/use-adds-to-issues.ts';
import { type DataColumn, DataTable } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { LogPreview } from './logs/log-preview.tsx';
import { saveObject } from './save-object.ts';
import css from './transfers.module.css';
import { Transfer } from './transfers-panel.tsx';

const SPEC: ListSpec<Record<never, never>, 'receivedAt'> = { filters: {}, sorts: ['receivedAt'] };

/** The logs that a device uploaded. */
export default function DeviceLogsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('transfers');
  const navigate = useNavigate();
  const list = useList(SPEC, 'listDeviceLogs', (query) => ({ params: { id: device.id }, query }));
  const [shown, setShown] = useState<DeviceLogRow | null>(null);
  const { t: common } = useTranslation();
  const toIssue = useAddsToIssues();
  const [adds, setAdds] = useState<DeviceLogRow | null>(null);
  const [deletes, setDeletes] = useState<DeviceLogRow | null>(null);
  const fetching = useMutation({
    mutationFn: async (logId: number) =>
      await saveObject(await call('readDeviceLog', { params: { id: device.id, logId } })),
  });

  const mayAdd = (log: DeviceLogRow) => toIssue && device.may.download && log.attachmentId !== null;

  const buttons = (log: DeviceLogRow) => (
    <span className={css.transferButtons}>
      <Button size="small" aria-label={t('logs.previewOf', { name: log.fileName })} onClick={() => setShown(log)}>
        {t('logs.preview')}
      </Button>
      {device.may.download && (
        <Button
          size="small"
          aria-label={t('logs.downloadOf', { name: log.fileName })}
          onClick={() => fetching.mutate(log.id)}
        >
          {t('download')}
        </Button>
      )}
      {mayAdd(log) && (
        <Button size="small" aria-label={common('issue.addOf', { name: log.fileName })} onClick={() => setAdds(log)}>
          {common('issue.add')}
        </Button>
      )}
      {device.may.edit && (
        <Button
          size="small"
          danger
          aria-label={t('logs.deleteOf', { name: log.fileName })}
          onClick={() => setDeletes(log)}
        >
          {t('delete')}
        </Button>
      )}
    </span>
  );
  const columns: DataColumn<DeviceLogRow, 'receivedAt'>[] = [
    { title: t('logs.received'), sortBy: 'receivedAt', render: (_, log) => <ExactTime at={log.receivedAt} /> },
    { title: t('log.type'), render: (_, log) => <span className="no-break">{t(`logTypes.${log.type}`)}</span> },
    {
      title: t('logs.file'),
      render: (_, log) => (
        <span className="two-lines" title={log.fileName}>
          {log.fileName}
        </span>
      ),
    },
    {
      title: t('logs.size'),
      align: 'end',
      render: (_, log) => <span className="no-break">{formatSize(log.size)}</span>,
    },
    { title: t('logs.covers'), render: (_, log) => <Covers log={log} /> },
    { title: t('logs.by'), dataIndex: 'requestedBy' },
  ];
  return (
    <div className="stack">
      {device.may.control && (
        <div className="field-row">
          <Button
            type="primary"
            disabled={!device.enabled || !device.connected}
            onClick={() => navigate(newCommandPath([device.id], 'uploadLog'))}
          >
            {t('log.do')}
          </Button>
          <span className="quiet">{t('logs.hint')}</span>
        </div>
      )}
      <LogsUnderWay deviceId={device.id} />
      <DataTable
        label={t('logs.title')}
        list={list}
        columns={columns}
        rowActions={buttons}
        empty={t('logs.empty')}
        compact={(log) => (
          <ListCard title={t(`logTypes.${log.type}`)}>
            <CardLine>
              <ExactTime at={log.receivedAt} /> {formatSize(log.size)}
            </CardLine>
            <span className="two-lines" title={log.fileName}>
              {log.fileName}
            </span>
            {buttons(log)}
          </ListCard>
        )}
      />
      {shown && (
        <LogPreview
          device={device}
          log={shown}
          onDownload={() => fetching.mutate(shown.id)}
          onAdd={mayAdd(shown) ? () => setAdds(shown) : undefined}
          onClose={() => setShown(null)}
        />
      )}
      {adds && adds.attachmentId !== null && (
        <AddToIssue
          name={adds.fileName}
          deviceId={device.id}
          prepare={async () => [storedFileNode({ id: adds.attachmentId ?? 0, name: adds.fileName, size: adds.size })]}
          onClose={() => setAdds(null)}
        />
      )}
      {deletes && (
        <Confirm
          title={t('logs.deleteTitle', { name: deletes.fileName })}
          ok={t('delete')}
          danger
          run={() => call('deleteDeviceLog', { params: { id: device.id, logId: deletes.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('logs.deleted', { name: deletes.fileName }));
            setDeletes(null);
            void refresh('listDeviceLogs');
          }}
          onClose={() => setDeletes(null)}
        >
          <p>{t('logs.deleteText')}</p>
        </Confirm>
      )}
    </div>
  );
}

/** The logs that the device is uploading, and the newest one if its upload failed: from the moment they are requested. */
function LogsUnderWay({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('transfers');
  const query = { kinds: 'log', page: 1, pageSize: 10 } as const;
  const transfers = useQuery(queryOf('listTransfers', { params: { id: deviceId }, query }, { quiet: true }));
  const shown = transfers.data?.items.filter(({ state }, place) => {
    const result = transferResult({ state });
    return result === 'underWay' || (place === 0 && result !== 'done');
  });
  if (!shown?.length) return null;
  return (
    <ul className="plain-list" aria-label={t('logs.underWay')}>
      {shown.map((transfer) => (
        <Transfer key={transfer.id} transfer={transfer} />
      ))}
    </ul>
  );
}

function Covers({ log: { from, to } }: { log: DeviceLogRow }) {
  if (from === null && to === null) return <Dash />;
  return (
    <>
      {from === null ? <Dash /> : <ExactTime at={from} />} – {to === null ? <Dash /> : <ExactTime at={to} />}
    </>
  );
}
