import { useQuery } from '@tanstack/react-query';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { seal } from '../../shared/api/seal.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** So few recovery codes left are worth a word. */
const FEW_CODES = 3;

/** Whether signing in asks for a code, and the way to turn that on and off. */
export function SecondFactor() {
  const { t } = useTranslation('account');
  const own = useQuery(queryOf('readSecondFactor', {}, { quiet: true }));
  const [dialog, setDialog] = useState<'on' | 'off' | null>(null);
  const close = () => {
    setDialog(null);
    void refresh('readSecondFactor', 'listOwnSessions');
  };
  if (!own.data) {
    return own.isError ? (
      <ErrorState error={own.error} onRetry={() => void own.refetch()} />
    ) : (
      <SkeletonRows rows={1} />
    );
  }
  const { enabled, required, recoveryCodes } = own.data;
  return (
    <>
      <div className="field-row">
        <span>{enabled ? t('factor.isOn') : t('factor.isOff')}</span>
        {!enabled && <Button onClick={() => setDialog('on')}>{t('factor.turnOn')}</Button>}
        {enabled && !required && <Button onClick={() => setDialog('off')}>{t('factor.turnOff')}</Button>}
      </div>
      {required && <p className="quiet">{t('factor.required')}</p>}
      {enabled && (
        <p className={recoveryCodes < FEW_CODES ? 'warning-note' : 'quiet'}>
          {t('factor.codesLeft', { count: recoveryCodes })}
        </p>
      )}
      {dialog === 'on' && (
        <Dialog title={t('factor.turnOn')} footer={null} mask={{ closable: false }} onCancel={close} width={480}>
          <SecondFactorSetup onDone={close} />
        </Dialog>
      )}
      {dialog === 'off' && <TurnOffDialog onClose={close} />}
    </>
  );
}

interface Values {
  currentPassword: string;
  code: string;
}

function TurnOffDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const { save, problem } = useSave<Values, null>(
    form,
    async ({ currentPassword, code }) => {
      const body = { currentPassword: await seal(currentPassword), code: await seal(code) };
      return await call('disableSecondFactor', { body }, { quiet: true });
    },
    () => {
      toast.success(t('factor.off'));
      onClose();
    },
  );
  const needed = (label: string) => ({ required: true, message: t('required', { label }) });
  return (
    <Dialog
      title={t('factor.turnOff')}
      okText={t('factor.turnOff')}
      cancelText={common('cancel')}
      okButtonProps={{ loading: save.isPending, danger: true }}
      onOk={() => form.submit()}
      onCancel={onClose}
      width={460}
    >
      <Form<Values>
        form={form}
        name="secondFactorOff"
        layout="vertical"
        requiredMark={false}
        onFinish={(values) => save.mutate(values)}
        aria-label={t('factor.turnOff')}
      >
        <p>{t('factor.turnOffText')}</p>
        <Form.Item name="currentPassword" label={t('password.current')} rules={[needed(t('password.current'))]}>
          <Input.Password autoComplete="current-password" maxLength={128} autoFocus />
        </Form.Item>
        <Form.Item name="code" label={t('factor.anyCode')} rules={[needed(t('factor.anyCode'))]}>
          <Input className="mono" autoComplete="one-time-code" maxLength={32} onPressEnter={() => form.submit()} />
        </Form.Item>
        {problem && (
          <p className="error-note" role="alert">
            {problem}
          </p>
        )}
      </Form>
    </Dialog>
  );
}
