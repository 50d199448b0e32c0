import type { DeviceDetail, ParameterBaselineRow } from '@chargehand/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import type { Column } from '../../../shared/ui/table/column.ts';
import { Pager } from '../../../shared/ui/table/pager.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from '../operations.module.css';

interface Props {
  device: DeviceDetail;
  onCompare(id: number): void;
  onClose(): void;
}

const PAGE_SIZE = 10;

/** The baselines of the device's model: save the current values, compare, rename, delete. */
export function ParameterBaselines({ device, onCompare, onClose }: Props) {
  const { t } = useTranslation('parameters');
  const modelName = useModelName();
  const [page, setPage] = useState(1);
  const [newName, setNewName] = useState('');
  const { close, guard } = useGuardedClose(newName.trim() !== '', onClose);
  const [renaming, setRenaming] = useState<ParameterBaselineRow | null>(null);
  const [deleting, setDeleting] = useState<ParameterBaselineRow | null>(null);
  const baselines = useQuery({
    ...queryOf(
      'listParameterBaselines',
      { params: { id: device.id }, query: { page, pageSize: PAGE_SIZE, sort: 'name' } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const inOneCell = useMedia('(max-width: 760px)');
  const ownerOf = ({ customerName, siteName }: ParameterBaselineRow) =>
    customerName === null ? t('baseline.platform') : `${customerName} · ${siteName ?? t('baseline.allSites')}`;
  const name = (row: ParameterBaselineRow) => (
    <>
      <strong>{row.name}</strong>
      <span className={css.parameterNote}>{ownerOf(row)}</span>
    </>
  );
  const from = (row: ParameterBaselineRow) => (
    <>
      {row.deviceName}
      <span className={css.parameterNote}>
        {row.createdBy} · <ExactTime at={row.createdAt} />
      </span>
    </>
  );
  const actions = (row: ParameterBaselineRow) => (
    <span className={css.baselineActions}>
      <Button size="small" onClick={() => onCompare(row.id)}>
        {t('compare.open')}
      </Button>
      {row.may.change && (
        <>
          <Button size="small" onClick={() => setRenaming(row)}>
            {t('baseline.rename')}
          </Button>
          <Button size="small" danger onClick={() => setDeleting(row)}>
            {t('baseline.delete')}
          </Button>
        </>
      )}
    </span>
  );
  const columns: Column<ParameterBaselineRow>[] = [
    { title: t('baseline.name'), render: (_, row) => name(row) },
    { title: t('baseline.values'), dataIndex: 'values', align: 'end', width: 84 },
    { title: t('baseline.from'), render: (_, row) => from(row) },
    {
      title: <span className="visually-hidden">{t('baseline.actions')}</span>,
      align: 'end',
      render: (_, row) => actions(row),
    },
  ];
  const card = (row: ParameterBaselineRow) => (
    <div className={css.rowCard}>
      <div>{name(row)}</div>
      <dl className={css.rowCardFacts}>
        <dt>{t('baseline.values')}</dt>
        <dd>{row.values}</dd>
        <dt>{t('baseline.from')}</dt>
        <dd>{from(row)}</dd>
      </dl>
      {actions(row)}
    </div>
  );

  return (
    <Dialog
      title={t('baseline.titleOf', { model: modelName(device.deviceModelName) })}
      footer={null}
      width={760}
      onCancel={close}
    >
      {guard}
      <div className="stack">
        {device.may.setParameters && <SaveBaseline device={device} name={newName} onName={setNewName} />}
        {baselines.isError && !baselines.data ? (
          <ErrorState error={baselines.error} onRetry={() => void baselines.refetch()} />
        ) : !baselines.data ? (
          <SkeletonRows rows={4} />
        ) : (
          <>
            <Table<ParameterBaselineRow>
              label={t('baseline.title')}
              showHeader={!inOneCell}
              columns={inOneCell ? [{ key: 'row', render: (_, row) => card(row) }] : columns}
              rows={baselines.data.items}
              scrollWidth={inOneCell ? undefined : 560}
              empty={<EmptyState text={t('baseline.none')} />}
            />
            <Pager page={page} pageSize={PAGE_SIZE} total={baselines.data.total} onPage={setPage} />
          </>
        )}
      </div>
      {renaming && <Rename baseline={renaming} onClose={() => setRenaming(null)} />}
      {deleting && (
        <Confirm
          title={t('baseline.deleteTitle', { name: deleting.name })}
          ok={t('baseline.delete')}
          danger
          run={() => call('deleteParameterBaseline', { params: { id: deleting.id } }, { quiet: true })}
          onDone={() => {
            setDeleting(null);
            void refresh('listParameterBaselines');
          }}
          onClose={() => setDeleting(null)}
        >
          <p>{t('baseline.deleteText')}</p>
        </Confirm>
      )}
    </Dialog>
  );
}

/** Saves the current values of the device with a name. */
function SaveBaseline(props: { device: DeviceDetail; name: string; onName(name: string): void }) {
  const { device, name, onName } = props;
  const { t } = useTranslation('parameters');
  const keep = useMutation({
    mutationFn: () =>
      call('createParameterBaseline', { params: { id: device.id }, body: { name: name.trim() } }, { quiet: true }),
    onSuccess: () => {
      onName('');
      return refresh('listParameterBaselines');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') keep.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="field-row">
        <Input
          className={css.baselineName}
          value={name}
          maxLength={64}
          placeholder={t('baseline.newName')}
          aria-label={t('baseline.newName')}
          onChange={(event) => {
            onName(event.target.value);
            keep.reset();
          }}
        />
        <Button htmlType="submit" type="primary" disabled={name.trim() === ''} loading={keep.isPending}>
          {t('baseline.save')}
        </Button>
      </div>
      <Refusal error={keep.error} />
    </form>
  );
}

function Rename({ baseline, onClose }: { baseline: ParameterBaselineRow; onClose(): void }) {
  const { t } = useTranslation('parameters');
  const [name, setName] = useState(baseline.name);
  return (
    <Confirm
      title={t('baseline.renameTitle', { name: baseline.name })}
      ok={t('baseline.rename')}
      ready={name.trim() !== ''}
      entered={name}
      run={() =>
        call('renameParameterBaseline', { params: { id: baseline.id }, body: { name: name.trim() } }, { quiet: true })
      }
      onDone={() => {
        onClose();
        void refresh('listParameterBaselines');
      }}
      onClose={onClose}
    >
      <Input
        autoFocus
        value={name}
        maxLength={64}
        aria-label={t('baseline.name')}
        onChange={(event) => setName(event.target.value)}
      />
    </Confirm>
  );
}

function Refusal({ error }: { error: Error | null }) {
  const { t } = useTranslation();
  if (!error) return null;
  return (
    <p className="error-note" role="alert">
      {error instanceof ApiProblem ? error.message : t('com_error_system')}
    </p>
  );
}
