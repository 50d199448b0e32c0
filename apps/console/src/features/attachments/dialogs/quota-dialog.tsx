import { formatSize } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { InputNumber } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import css from '../attachments.module.css';

const GB = 1024 ** 3;
/** The most that the server accepts: 2 ** 50 bytes. */
const MOST_GB = 2 ** 20;

/** Sets the space for the files of a customer. */
export function QuotaDialog({ customerId, onClose }: { customerId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const id = useId();
  const [customer, setCustomer] = useState(customerId);
  // undefined: not edited
  const [entered, setEntered] = useState<number | null | undefined>(undefined);
  const read = useQuery({
    ...queryOf('readQuota', { query: { customerId: customer } }, { quiet: true }),
    ...EDITED,
    enabled: customer !== undefined,
  });
  const quota = customer === undefined ? undefined : read.data;
  const size = entered === undefined ? quota && Number((quota.limit / GB).toFixed(3)) : entered;
  const bytes = typeof entered === 'number' ? Math.round(entered * GB) : undefined;
  const saving = useMutation({
    mutationFn: (body: { customerId: number; bytes: number }) => call('setQuota', { body }, { quiet: true }),
    onSuccess: (_, { bytes: limit }) => {
      toast.success(t('quotas.saved', { limit: formatSize(limit) }));
      void refresh('readQuota');
      onClose();
    },
  });
  const { close, guard } = useGuardedClose(entered !== undefined && !saving.isPending && !saving.isSuccess, onClose);
  return (
    <Dialog
      title={t('quotas.title')}
      okText={common('save')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: customer === undefined || bytes === undefined }}
      pending={saving.isPending}
      onOk={() => {
        if (customer !== undefined && bytes !== undefined) saving.mutate({ customerId: customer, bytes });
      }}
      onCancel={close}
    >
      {guard}
      <div className={css.quotaFields}>
        <p className="quiet">{t('quotas.who')}</p>
        <label htmlFor={`${id}-customer`}>{t('customer')}</label>
        <CustomerPicker
          id={`${id}-customer`}
          value={customer}
          clearable={false}
          onChange={(chosen) => {
            setCustomer(chosen);
            setEntered(undefined);
            saving.reset();
          }}
        />
        {read.isError && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
        {quota && (
          <>
            <p>{t('quotas.use', { used: formatSize(quota.used), count: quota.files })}</p>
            <label htmlFor={`${id}-size`}>{t('quotas.limit')}</label>
            <InputNumber<number>
              id={`${id}-size`}
              value={size ?? null}
              min={0}
              max={MOST_GB}
              suffix={t('quotas.unit')}
              onChange={setEntered}
            />
            {bytes !== undefined && bytes < quota.used && (
              <p className="warning-note" role="status">
                {t('quotas.below', { used: formatSize(quota.used) })}
              </p>
            )}
          </>
        )}
        {saving.error instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {saving.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
