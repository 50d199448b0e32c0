import type { CommonControls } from '@chargehand/contract';
import { SOME_DEVICES_BUSY_CODE } from '@chargehand/contract/constants';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useEdited } from '../../../shared/hooks/use-edited.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { useOwnNavigate } from '../../../shared/ui/dialogs/own-navigate.ts';
import type { BulkDialogProps } from '../../../shared/ui/list/bulk-action.ts';
import { SelectionChanges } from '../../../shared/ui/list/selection-changes.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { BatchFields } from './batch-fields.tsx';
import { batchOf, EMPTY_FORM, fitsForm } from './batch-form.ts';
import { batchPath, groupPath } from './batch-parts.ts';
import { BatchSites, PreviewedSites, sentTo } from './batch-sites.tsx';
import '../operations.module.css';
import css from './batches.module.css';
import { useBatchName } from './use-batch-name.ts';

/** The number of names that are listed before the rest is counted. */
const NAMED = 5;

/**
 * Sends a command to several devices: command, devices, and limits. Devices of several sites get a batch for each site,
 * after a list of the sites and the skipped devices is confirmed.
 */
export default function BatchDialog({ selection, onClose }: BulkDialogProps) {
  // The selection at the time when the dialog was opened.
  const [chosen] = useState(selection.names);
  const { t } = useTranslation(['batches', 'operations', 'transfers']);
  const { t: words } = useTranslation();
  const navigate = useOwnNavigate();
  const [form, setForm] = useState(EMPTY_FORM);
  const deviceIds = [...chosen.keys()];
  const common = useQuery(queryOf('listCommonControls', { body: { deviceIds } }, { quiet: true }));
  const batch = common.data ? batchOf(form, common.data, deviceIds) : null;
  const withKey = useRequestKey();
  const create = useMutation({
    mutationFn: (leaveOutBusy: boolean) => {
      const body = { ...batch!, ...(leaveOutBusy ? { leaveOutBusy } : {}) };
      return withKey(body, (requestKey) => call('createBatch', { body: { ...body, requestKey } }, { quiet: true }));
    },
    onSuccess: ({ id }) => {
      selection.keep([]);
      onClose();
      void refresh('listBatches');
      navigate(batchPath(id));
    },
  });
  const bySite = (common.data?.sites.length ?? 1) > 1;
  const previewing = useMutation({
    mutationFn: () => call('previewBatches', { body: batch! }, { quiet: true }),
  });
  const preview = previewing.data;
  const createBySite = useMutation({
    mutationFn: () => {
      const body = { ...batch!, leaveOutBusy: true };
      return withKey(body, (requestKey) =>
        call('createSiteBatches', { body: { ...body, requestKey } }, { quiet: true }),
      );
    },
    onSuccess: ({ batches }) => {
      selection.keep([]);
      onClose();
      void refresh('listBatches');
      navigate(groupPath(batches[0]!));
    },
  });
  const back = () => {
    previewing.reset();
    createBySite.reset();
  };
  const nameOf = useBatchName();
  const error = create.error ?? previewing.error ?? createBySite.error;
  const edited = useEdited(form);
  const pending = create.isPending || createBySite.isPending;
  const { close, guard } = useGuardedClose(edited && !pending && !create.isSuccess && !createBySite.isSuccess, onClose);
  const someBusy = create.error instanceof ApiProblem && create.error.code === SOME_DEVICES_BUSY_CODE;
  const ask = bySite ? (
    preview ? (
      <Button
        type="primary"
        danger={form.what === 'hardReset'}
        disabled={sentTo(preview) === 0}
        loading={createBySite.isPending}
        onClick={() => createBySite.mutate()}
      >
        {t('send', { count: sentTo(preview) })}
      </Button>
    ) : (
      <Button
        type="primary"
        disabled={batch === null}
        loading={previewing.isPending}
        onClick={() => previewing.mutate()}
      >
        {t('sites.check')}
      </Button>
    )
  ) : (
    <Button
      type="primary"
      danger={form.what === 'hardReset'}
      disabled={batch === null}
      loading={create.isPending}
      onClick={() => create.mutate(someBusy)}
    >
      {someBusy ? t('skipBusy') : t('send', { count: chosen.size })}
    </Button>
  );
  return (
    <Dialog
      title={t('title', { count: chosen.size })}
      width={560}
      pending={pending}
      onCancel={close}
      footer={
        <>
          {preview && (
            <Button disabled={pending} onClick={back}>
              {t('sites.back')}
            </Button>
          )}
          <Button disabled={pending} onClick={close}>
            {words('cancel')}
          </Button>
          {common.data && ask}
        </>
      }
    >
      {guard}
      <div className={`dialog-text ${css.batchDialog}`}>
        {common.isLoadingError ? (
          <ErrorState error={common.error} onRetry={() => void common.refetch()} />
        ) : !common.data ? (
          <SkeletonRows rows={4} />
        ) : (
          <>
            <Affected common={common.data} names={[...chosen.values()]} sites={!preview} />
            <SelectionChanges selection={selection} />
            {preview ? (
              <PreviewedSites
                preview={preview}
                command={batch ? nameOf({ connector: 0, ...batch, params: batch }) : ''}
              />
            ) : common.data.controls.some(({ kind }) => fitsForm(kind)) || common.data.parameters.length > 0 ? (
              <BatchFields
                common={common.data}
                deviceIds={deviceIds}
                form={form}
                onChange={(next) => {
                  create.reset();
                  previewing.reset();
                  setForm(next);
                }}
              />
            ) : (
              <p className="warning-note">{t('nothing')}</p>
            )}
            {error && (
              <p className="error-note" role="alert">
                {error instanceof ApiProblem ? error.message : words('com_error_system')}
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The affected devices: their number, their site, how many are offline, and some names. */
function Affected({ common, names, sites }: { common: CommonControls; names: string[]; sites: boolean }) {
  const { t } = useTranslation('batches');
  const first = names.slice(0, NAMED).join(', ');
  const [site, ...others] = common.sites;
  return (
    <div>
      <strong>
        {others.length === 0
          ? t('who', { count: common.devices, site: site?.name ?? '' })
          : t('sites.who', { count: common.devices, sites: common.sites.length })}
      </strong>
      {common.offline > 0 && <span className="quiet">{` · ${t('offline', { count: common.offline })}`}</span>}
      <div className={`quiet ${css.batchNames}`}>
        {names.length > NAMED ? t('named', { names: first, count: names.length - NAMED }) : first}
      </div>
      {sites && others.length > 0 && <BatchSites sites={common.sites} />}
    </div>
  );
}
