import { formatTime } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { encryptFor } from '../../shared/lib/browser/encrypt.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';

/**
 * The email address of the user's own account. A new address becomes active when the link sent to it is opened. Until
 * then the current one stays active, and the change can be cancelled. Its texts are in the locale file `recovery`.
 */
export default function EmailChange() {
  const { t } = useTranslation('recovery');
  const own = useQuery(queryOf('readOwnEmail', {}, { quiet: true }));
  const [dialogOpen, setDialogOpen] = useState(false);
  const keep = useMutation({
    mutationFn: () => call('keepOwnEmail', {}),
    onSuccess: async () => {
      toast.success(t('email.kept'));
      await refresh('readOwnEmail');
    },
  });
  return (
    <>
      {!own.data &&
        (own.isError ? <ErrorState error={own.error} onRetry={() => void own.refetch()} /> : <SkeletonRows rows={1} />)}
      {own.data && (
        <div className="stack">
          <div className="field-row">
            <span>{own.data.email ?? t('email.none')}</span>
            <Button onClick={() => setDialogOpen(true)}>{t('email.change')}</Button>
          </div>
          {own.data.pending && (
            <div className="warning-note field-row">
              <span>
                {t('email.pending', {
                  email: own.data.pending.email,
                  until: formatTime(own.data.pending.expiresAt),
                })}
              </span>
              <Button size="small" loading={keep.isPending} onClick={() => keep.mutate()}>
                {t('email.keep')}
              </Button>
            </div>
          )}
        </div>
      )}
      {dialogOpen && <ChangeDialog onClose={() => setDialogOpen(false)} />}
    </>
  );
}

interface Values {
  email: string;
  currentPassword: string;
}

function ChangeDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('recovery');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const [dirty, setDirty] = useState(false);
  const send = useMutation({
    mutationFn: async ({ email, currentPassword }: Values) => {
      const { publicKey } = await call('publicKey', {}, { quiet: true });
      const body = { email: email.trim(), currentPassword: await encryptFor(publicKey, currentPassword) };
      await call('changeOwnEmail', { body }, { quiet: true });
      return body.email;
    },
    onSuccess: async (email) => {
      toast.success(t('email.sent', { email }));
      onClose();
      await refresh('readOwnEmail');
    },
    onError: (error) => {
      if (error instanceof ApiProblem && (error.field === 'email' || error.field === 'currentPassword'))
        form.setFields([{ name: error.field, errors: [error.message] }]);
    },
  });
  const { close, guard } = useGuardedClose(dirty && !send.isPending && !send.isSuccess, onClose);
  const problem = send.error instanceof ApiProblem && send.error.field === undefined ? send.error : null;
  const needed = (label: string) => ({ required: true, message: t('email.required', { label }) });
  return (
    <Dialog
      title={t('email.change')}
      okText={t('email.submit')}
      cancelText={common('cancel')}
      pending={send.isPending}
      onOk={() => form.submit()}
      onCancel={close}
      width={460}
    >
      {guard}
      <Form<Values>
        form={form}
        // Another form of the page has a field with the same name; without this, both would have the same id.
        name="emailChange"
        layout="vertical"
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => send.mutate(values)}
        aria-label={t('email.change')}
      >
        <Form.Item
          name="email"
          label={t('email.newEmail')}
          rules={[needed(t('email.newEmail')), { type: 'email', message: t('email.format') }]}
        >
          <Input maxLength={254} autoComplete="email" autoFocus onPressEnter={() => form.submit()} />
        </Form.Item>
        <Form.Item
          name="currentPassword"
          label={t('email.password')}
          extra={t('email.passwordHint')}
          rules={[needed(t('email.password'))]}
        >
          <Input.Password maxLength={128} autoComplete="current-password" onPressEnter={() => form.submit()} />
        </Form.Item>
        {problem && (
          <p className="error-note" role="alert">
            {problem.message}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
