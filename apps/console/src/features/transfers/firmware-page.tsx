import type { FirmwareRow } from '@chargehand/contract';
import { FIRMWARE_KINDS, formatSize, type Levels, mayEditModels } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import { useModelName } from '../../shared/i18n/use-model-name.ts';
import type { ListSpec } from '../../shared/lib/lists/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../shared/ui/list-page/list-page.tsx';
import { ModelPicker } from '../../shared/ui/list-page/pickers.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { FirmwareDialog } from './firmware-dialog.tsx';
import { saveObject } from './save-object.ts';
import { SignedBy } from './signing-fields.tsx';
import css from './transfers.module.css';

const filters = { search: 'text', kind: FIRMWARE_KINDS, deviceModelId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'uploadedAt' | 'version'> = { filters, sorts: ['uploadedAt', 'version'] };

/** The firmware files for devices. */
export default function FirmwarePage() {
  const { t } = useTranslation('transfers');
  const { t: routes } = useTranslation('routes');
  const modelName = useModelName();
  const { user, info } = useUser();
  const edits = mayEditModels({ ...user, levels: info.role.levels as Levels });
  const list = useList(SPEC, 'listFirmware', (query) => ({ query }));
  const [open, setOpen] = useState<FirmwareRow | 'new' | null>(null);
  const [deletes, setDeletes] = useState<FirmwareRow | null>(null);
  const fetching = useMutation({
    mutationFn: async (id: number) => await saveObject(await call('readFirmware', { params: { id } })),
  });

  const modelsOf = ({ models }: FirmwareRow) => models.map(({ name }) => modelName(name)).join(', ');
  const buttons = (file: FirmwareRow) =>
    edits && (
      <span className={css.transferButtons}>
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
          <span className="two-lines" title={file.fileName}>
            {file.fileName}
          </span>
          <span className={`quiet ${css.transferSum}`} title={file.sha256}>
            {t('firmware.sum', { size: formatSize(file.size), sum: file.sha256.slice(0, 12) })}
          </span>
          <SignedBy firmware={file} />
          {file.note && <span className={`quiet ${css.transferNote}`}>{file.note}</span>}
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
  ];

  return (
    <ListPage
      title={routes('firmware')}
      actions={
        edits && (
          <Button type="primary" onClick={() => setOpen('new')}>
            {t('firmware.add')}
          </Button>
        )
      }
      list={list}
      search={t('firmware.search')}
      filters={
        <>
          <FilterSelect
            label={t('firmware.kind')}
            options={FIRMWARE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            {...list.field('kind')}
          />
          <ModelPicker placeholder={t('firmware.model')} {...list.field('deviceModelId')} />
        </>
      }
      empty={t('firmware.empty')}
      columns={columns}
      rowActions={edits ? buttons : undefined}
      compact={(file) => (
        <ListCard title={file.version} aside={underWay(file)}>
          <CardLine>
            {t(`kinds.${file.kind}`)} · {formatSize(file.size)}
            <span className="two-lines" title={file.fileName}>
              {file.fileName}
            </span>
          </CardLine>
          <SignedBy firmware={file} />
          {file.note && <span>{file.note}</span>}
          <CardLine>{modelsOf(file)}</CardLine>
          <CardLine>
            <ExactTime at={file.uploadedAt} /> {file.uploadedBy}
          </CardLine>
          {buttons(file)}
        </ListCard>
      )}
    >
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
    </ListPage>
  );
}
