import type { FirmwareRow } from '@chargehand/contract';
import { FIRMWARE_KINDS, formatSize, type Levels, mayEditModels } from '@chargehand/domain';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { type DataColumn, DataTable } from '../../shared/ui/data-table.tsx';
import { SearchField } from '../../shared/ui/list/search-field.tsx';
import { Page } from '../../shared/ui/page-header.tsx';
import { ModelPicker } from '../../shared/ui/pickers.tsx';
import { Tag } from '../../shared/ui/tag.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { FirmwareDialog } from './firmware-dialog.tsx';
import { saveObject } from './save-object.ts';
import { SignedBy } from './signing-fields.tsx';
import './transfers.css';

const filters = { search: 'text', kind: 'text', deviceModelId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'uploadedAt' | 'version'> = { filters, sorts: ['uploadedAt', 'version'] };

/** The firmware files that devices can be given. */
export default function FirmwarePage() {
  const { t } = useTranslation('transfers');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const { user, info } = useUser();
  const edits = mayEditModels({ ...user, levels: info.role.levels as Levels });
  const list = useListQuery(SPEC);
  const { kind: given, ...rest } = list.query;
  const kind = FIRMWARE_KINDS.find((one) => one === given);
  const firmware = useQuery({
    ...queryOf('listFirmware', { query: { ...rest, kind } }, { quiet: true }),
    placeholderData: keepPreviousData,
  });
  const [open, setOpen] = useState<FirmwareRow | 'new' | null>(null);
  const [deletes, setDeletes] = useState<FirmwareRow | null>(null);
  const fetching = useMutation({
    mutationFn: async (id: number) => await saveObject(await call('readFirmware', { params: { id } })),
  });

  const buttons = (file: FirmwareRow) =>
    edits && (
      <span className="transfer-buttons">
        <Button
          size="small"
          aria-label={t('firmware.downloadOf', { version: file.version })}
          onClick={() => fetching.mutate(file.id)}
        >
          {t('download')}
        </Button>
        <Button size="small" aria-label={t('firmware.editOf', { version: file.version })} onClick={() => setOpen(file)}>
          {t('edit')}
        </Button>
        <Button
          size="small"
          danger
          disabled={file.underWay > 0}
          title={file.underWay > 0 ? t('firmware.awaited', { count: file.underWay }) : undefined}
          aria-label={t('firmware.deleteOf', { version: file.version })}
          onClick={() => setDeletes(file)}
        >
          {t('delete')}
        </Button>
      </span>
    );
  const underWay = ({ underWay: count }: FirmwareRow) =>
    count > 0 && (
      <Tag tone="firmware-update" glyph="clock">
        {t('firmware.underWay', { count })}
      </Tag>
    );
  const columns: DataColumn<FirmwareRow, 'uploadedAt' | 'version'>[] = [
    {
      title: t('firmware.version'),
      sortBy: 'version',
      render: (_, file) => (
        <>
          <strong>{file.version}</strong> {underWay(file)}
        </>
      ),
    },
    { title: t('firmware.kind'), render: (_, file) => <span className="no-break">{t(`kinds.${file.kind}`)}</span> },
    {
      title: t('firmware.file'),
      render: (_, file) => (
        <>
          <span className="transfer-name">{file.fileName}</span>
          <span className="quiet transfer-sum" title={file.sha256}>
            {t('firmware.sum', { size: formatSize(file.size), sum: file.sha256.slice(0, 12) })}
          </span>
          <SignedBy firmware={file} />
          {file.note && <span className="quiet transfer-note">{file.note}</span>}
        </>
      ),
    },
    { title: t('firmware.models'), render: (_, file) => modelsOf(file) },
    {
      title: t('firmware.uploaded'),
      sortBy: 'uploadedAt',
      render: (_, file) => (
        <>
          <ExactTime at={file.uploadedAt} /> <span className="quiet">{file.uploadedBy}</span>
        </>
      ),
    },
    {
      title: <span className="visually-hidden">{t('actions')}</span>,
      align: 'end',
      render: (_, file) => buttons(file),
    },
  ];

  return (
    <Page
      title={routes('firmware')}
      actions={
        edits && (
          <Button type="primary" onClick={() => setOpen('new')}>
            {t('firmware.add')}
          </Button>
        )
      }
    >
      <search className="transfer-filters">
        <SearchField
          className="transfer-search"
          value={rest.search}
          label={t('firmware.search')}
          onSearch={(search) => list.change({ search })}
        />
        <Select
          allowClear
          value={kind}
          placeholder={t('firmware.kind')}
          aria-label={t('firmware.kind')}
          options={FIRMWARE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(next) => list.change({ kind: next })}
        />
        <ModelPicker
          value={rest.deviceModelId}
          placeholder={t('firmware.model')}
          onChange={(deviceModelId) => list.change({ deviceModelId })}
        />
        {list.filtered && (
          <button type="button" className="text-button" onClick={list.clear}>
            {common('table.clear')}
          </button>
        )}
      </search>
      <DataTable
        label={routes('firmware')}
        query={firmware}
        list={list}
        rowKey="id"
        empty={{ text: t('firmware.empty') }}
        columns={columns}
        compact={(file) => (
          <div className="transfer-card">
            <span className="transfer-card-line">
              <strong>{file.version}</strong>
              <span>{t(`kinds.${file.kind}`)}</span>
              {underWay(file)}
            </span>
            <span className="quiet">
              {file.fileName} · {formatSize(file.size)}
            </span>
            <SignedBy firmware={file} />
            {file.note && <span>{file.note}</span>}
            <span className="quiet">{modelsOf(file)}</span>
            <span className="quiet">
              <ExactTime at={file.uploadedAt} /> · {file.uploadedBy}
            </span>
            {buttons(file)}
          </div>
        )}
      />
      {open !== null && <FirmwareDialog firmware={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {deletes && (
        <Confirm
          title={t('firmware.deleteTitle', { version: deletes.version })}
          ok={t('delete')}
          danger
          run={() => call('deleteFirmware', { params: { id: deletes.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('firmware.deleted', { version: deletes.version }));
            setDeletes(null);
            void refresh('listFirmware');
          }}
          onClose={() => setDeletes(null)}
        >
          <p>{t('firmware.deleteText')}</p>
        </Confirm>
      )}
    </Page>
  );
}

function modelsOf({ models }: FirmwareRow): string {
  return models.map(({ name }) => name).join(', ');
}
