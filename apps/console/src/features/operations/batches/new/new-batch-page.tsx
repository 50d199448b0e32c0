import type { CommonControls, NewBatch } from '@chargehand/contract';
import { BULK_LIMIT } from '@chargehand/contract/constants';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../../../../shared/api/client.ts';
import { ApiProblem } from '../../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../../shared/api/query.ts';
import { useRequestKey } from '../../../../shared/hooks/use-request-key.ts';
import { useOwnNavigate } from '../../../../shared/ui/dialogs/own-navigate.ts';
import { LinkButton } from '../../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { ErrorNote } from '../../../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import '../../operations.module.css';
import '../../../../shared/ui/form-page/save-bar.css';
import { batchPath } from '../batch-parts.ts';
import { BatchPlan, Effects, effectsOf } from '../batch-plan.tsx';
import css from '../batches.module.css';
import { useBatchName } from '../use-batch-name.ts';
import { BatchFields } from './batch-fields.tsx';
import { batchOf, EMPTY_FORM, fitsForm } from './batch-form.ts';

const PAUSE_MS = 250;

/**
 * Prepares a command to the devices of `?ids=`, one or many: the command on one side, and what it would do on each device
 * on the other. Nothing is sent before *Send*.
 */
export default function NewBatchPage() {
  const { t } = useTranslation(['batches', 'operations', 'transfers']);
  const [address] = useSearchParams();
  const deviceIds = idsOf(address.get('ids'));
  const common = useQuery({
    ...queryOf('listCommonControls', { body: { deviceIds } }, { quiet: true }),
    enabled: deviceIds.length > 0,
  });
  const content =
    deviceIds.length === 0 ? (
      <Panel>
        <EmptyState text={t('new.none')} action={<LinkButton to="/manage/device/list">{t('new.choose')}</LinkButton>} />
      </Panel>
    ) : common.isLoadingError ? (
      <ErrorState error={common.error} onRetry={() => void common.refetch()} />
    ) : !common.data ? (
      <SkeletonRows rows={8} />
    ) : (
      <Prepared common={common.data} deviceIds={deviceIds} what={address.get('what')} />
    );
  return (
    <Page title={t('new.title')} note={common.data && <Who common={common.data} />} actions={null}>
      {content}
    </Page>
  );
}

/** The IDs in the address, without what is none, and at most as many as a command may have. */
function idsOf(text: string | null): number[] {
  const ids = (text ?? '')
    .slice(0, 12 * BULK_LIMIT)
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);
  return [...new Set(ids)].slice(0, BULK_LIMIT);
}

/** The affected devices: their number, their sites, and how many are offline. */
function Who({ common: { devices, sites, offline } }: { common: CommonControls }) {
  const { t } = useTranslation('batches');
  const [site, ...others] = sites;
  return (
    <>
      {others.length === 0
        ? t('who', { count: devices, site: site?.name ?? '' })
        : t('sites.who', { count: devices, sites: sites.length })}
      {offline > 0 && ` · ${t('offline', { count: offline })}`}
    </>
  );
}

function Prepared(props: { common: CommonControls; deviceIds: number[]; what: string | null }) {
  const { common, deviceIds } = props;
  const { t } = useTranslation('batches');
  const [form, setForm] = useState({ ...EMPTY_FORM, what: offered(common, props.what) });
  const batch = batchOf(form, common, deviceIds);
  const planned = useSettled(batch);
  const nothing = !common.controls.some(({ kind }) => fitsForm(kind)) && common.parameters.length === 0;
  return (
    <>
      <div className={css.prepared}>
        <Panel title={t('new.command')}>
          {nothing ? (
            <p className="warning-note">{t('nothing')}</p>
          ) : (
            <div className="stack">
              <BatchFields common={common} deviceIds={deviceIds} form={form} onChange={setForm} />
            </div>
          )}
        </Panel>
        <Panel title={t('new.plan')}>{planned ? <Preview batch={planned} /> : <Chosen common={common} />}</Panel>
      </div>
      {!nothing && (
        <Send batch={batch} planned={planned} danger={form.what === 'hardReset'} devices={deviceIds.length} />
      )}
    </>
  );
}

/** The command of the address, if the devices have it. */
function offered({ controls }: CommonControls, what: string | null): string | null {
  return controls.some(({ kind }) => kind === what && fitsForm(kind)) ? what : null;
}

/** The devices by site, until a command is chosen. */
function Chosen({ common }: { common: CommonControls }) {
  const { t } = useTranslation('batches');
  return (
    <>
      <p className="quiet">{t('new.hint')}</p>
      <ul className={css.batchSites} aria-label={t('sites.title')}>
        {common.sites.map(({ id, name, devices }) => (
          <li key={id}>
            {name} <span className="quiet">{t('sites.devices', { count: devices })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A command as it was when nobody typed for a moment. */
function useSettled(batch: NewBatch | null): NewBatch | null {
  const text = JSON.stringify(batch);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as NewBatch | null;
}

function previewOf(batch: NewBatch | null) {
  return {
    ...queryOf('previewBatches', { body: batch ?? { kind: 'softReset', deviceIds: [] } }, { quiet: true }),
    enabled: batch !== null,
    placeholderData: keepPreviousData,
  };
}

function Preview({ batch }: { batch: NewBatch }) {
  const { t } = useTranslation('batches');
  const preview = useQuery(previewOf(batch));
  const name = useBatchName()({ connector: 0, ...batch, params: batch });
  if (preview.error instanceof ApiProblem && preview.error.kind === 'business')
    return <ErrorNote text={preview.error.message} />;
  if (preview.isError) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <SkeletonRows rows={6} />;
  return (
    <div className="stack" aria-busy={preview.isPlaceholderData}>
      <p>
        <strong>{name}</strong> <span className="quiet">{t('new.notSent')}</span>
      </p>
      <BatchPlan preview={preview.data} />
    </div>
  );
}

/**
 * Sends the command, and shows its page. Devices that cannot take it get their reason as their result. It stays visible
 * below the plan, with the numbers of devices, so that a phone shows them without scrolling.
 */
function Send(props: { batch: NewBatch | null; planned: NewBatch | null; danger: boolean; devices: number }) {
  const { batch, planned, danger, devices } = props;
  const { t } = useTranslation('batches');
  const { t: words } = useTranslation();
  const navigate = useOwnNavigate();
  const withKey = useRequestKey();
  const preview = useQuery(previewOf(planned));
  const create = useMutation({
    mutationFn: (wanted: NewBatch) => {
      const body = { ...wanted, leaveOut: true };
      return withKey(body, (requestKey) => call('createBatch', { body: { ...body, requestKey } }, { quiet: true }));
    },
    onSuccess: ({ id }) => {
      void refresh('listBatches', 'listTransfers', 'listExecutions');
      void navigate(batchPath(id), { replace: true });
    },
  });
  // Only what the user sees is sent.
  const seen = planned && preview.data && !preview.isPlaceholderData && !preview.isError;
  const current = seen && JSON.stringify(batch) === JSON.stringify(planned);
  const numbers = preview.data && planned && effectsOf(preview.data.sites);
  const count = numbers ? numbers.changes + numbers.offline : devices;
  const { error } = create;
  return (
    <div className="save-bar">
      <ErrorNote text={error ? (error instanceof ApiProblem ? error.message : words('com_error_system')) : undefined} />
      <Button
        type="primary"
        danger={danger}
        disabled={!current || count === 0}
        loading={create.isPending}
        onClick={() => batch && create.mutate(batch)}
      >
        {t('send', { count })}
      </Button>
      <div role="status">{planned && preview.data && <Effects sites={preview.data.sites} />}</div>
    </div>
  );
}
