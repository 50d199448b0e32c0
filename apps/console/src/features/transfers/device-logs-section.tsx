import type { DeviceDetail, DeviceLogRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { type DataColumn, DataTable } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { saveObject } from './save-object.ts';
import { LogDialog } from './transfer-dialog.tsx';
import css from './transfers.module.css';

const SPEC: ListSpec<Record<never, never>, 'receivedAt'> = { filters: {}, sorts: ['receivedAt'] };

/** The logs that a device uploaded. */
export default function DeviceLogsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('transfers');
  const list = useList(SPEC, 'listDeviceLogs', (query) => ({ params: { id: device.id }, query }));
  const [asks, setAsks] = useState(false);
  const [shown, setShown] = useState<DeviceLogRow | null>(null);
  const [deletes, setDeletes] = useState<DeviceLogRow | null>(null);
  const fetching = useMutation({
    mutationFn: async (logId: number) =>
      await saveObject(await call('readDeviceLog', { params: { id: device.id, logId } })),
  });

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
    { title: t('logs.file'), render: (_, log) => <span className={css.transferName}>{log.fileName}</span> },
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
      <div className="field-row">
        <Button
          type="primary"
          disabled={!device.may.control || !device.enabled || !device.connected}
          onClick={() => setAsks(true)}
        >
          {t('log.do')}
        </Button>
        <span className="quiet">{t('logs.hint')}</span>
      </div>
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
            <span className={css.transferName}>{log.fileName}</span>
            {buttons(log)}
          </ListCard>
        )}
      />
      {asks && <LogDialog device={device} onClose={() => setAsks(false)} />}
      {shown && <Preview device={device} log={shown} onClose={() => setShown(null)} />}
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

function Covers({ log: { from, to } }: { log: DeviceLogRow }) {
  if (from === null && to === null) return <Dash />;
  return (
    <>
      {from === null ? <Dash /> : <ExactTime at={from} />} – {to === null ? <Dash /> : <ExactTime at={to} />}
    </>
  );
}

/** The first part of a log, as text. */
function Preview({ device, log, onClose }: { device: DeviceDetail; log: DeviceLogRow; onClose(): void }) {
  const { t } = useTranslation('transfers');
  const preview = useQuery(queryOf('previewDeviceLog', { params: { id: device.id, logId: log.id } }, { quiet: true }));
  return (
    <Dialog title={log.fileName} width={900} footer={null} onCancel={onClose}>
      {preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !preview.data ? (
        <SkeletonRows rows={8} />
      ) : preview.data.text === null ? (
        <p className="quiet">{t('logs.noText')}</p>
      ) : (
        <>
          {!preview.data.complete && <p className="quiet">{t('logs.firstPart')}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard, too */}
          <section className={css.logText} tabIndex={0} aria-label={log.fileName}>
            <pre>{preview.data.text}</pre>
          </section>
        </>
      )}
    </Dialog>
  );
}
