import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { seal, sealAnswer } from '../../../shared/api/seal.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { CodeItem, FactorForm, PasswordItem, RecoveryCodes } from './factor-forms.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** Shows a warning with fewer recovery codes than this. */
const FEW_CODES = 3;

const DIALOGS = { turnOn: SecondFactorSetup, turnOff: TurnOff, renew: RenewCodes } as const;

/** Whether sign-in requires a code, and the dialogs that turn this on and off or create new recovery codes. */
export function SecondFactor() {
  const { t } = useTranslation('account');
  const own = useQuery(queryOf('readSecondFactor', {}, { quiet: true }));
  const [dialog, setDialog] = useState<keyof typeof DIALOGS | null>(null);
  const pending = useIsMutating() > 0;
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
  const Content = dialog && DIALOGS[dialog];
  return (
    <>
      <div className="field-row">
        <span>{enabled ? t('factor.isOn') : t('factor.isOff')}</span>
        {!enabled && <Button onClick={() => setDialog('turnOn')}>{t('factor.turnOn')}</Button>}
        {enabled && !required && <Button onClick={() => setDialog('turnOff')}>{t('factor.turnOff')}</Button>}
      </div>
      {required && <p className="quiet">{t('factor.required')}</p>}
      {enabled && (
        <div className="field-row">
          <span className={recoveryCodes < FEW_CODES ? 'warning-note' : 'quiet'}>
            {t('factor.codesLeft', { count: recoveryCodes })}
          </span>
          <Button onClick={() => setDialog('renew')}>{t('factor.renew')}</Button>
        </div>
      )}
      {Content && (
        <Dialog
          title={t(`factor.dialogs.${dialog}`)}
          footer={null}
          pending={pending}
          mask={{ closable: false }}
          onCancel={close}
          width={480}
        >
          <Content onDone={close} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}

interface DialogProps {
  onDone(): void;
  onCancel(): void;
}

interface Values {
  currentPassword: string;
  code: string;
}

const sealed = async ({ currentPassword, code }: Values) => ({
  currentPassword: await seal(currentPassword),
  code: await seal(code),
});

function TurnOff({ onDone, onCancel }: DialogProps) {
  const { t } = useTranslation('account');
  const run = async (values: Values) =>
    await call('disableSecondFactor', { body: await sealed(values) }, { quiet: true });
  const done = () => {
    toast.success(t('factor.off'));
    onDone();
  };
  return (
    <FactorForm name="secondFactorOff" submit={t('factor.turnOff')} danger run={run} onDone={done} onCancel={onCancel}>
      <p>{t('factor.turnOffText')}</p>
      <PasswordItem />
      <CodeItem recovery />
    </FactorForm>
  );
}

function RenewCodes({ onDone, onCancel }: DialogProps) {
  const { t } = useTranslation('account');
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes title={t('factor.renewed')} codes={codes} onNoted={onDone} />;
  const run = async (values: Values) => {
    const key = await sealAnswer();
    const body = { ...(await sealed(values)), answerKey: key.sealed };
    const answer = await call('renewRecoveryCodes', { body }, { quiet: true });
    return (await key.open(answer.recoveryCodes)).split('\n');
  };
  return (
    <FactorForm name="recoveryCodes" submit={t('factor.renew')} run={run} onDone={setCodes} onCancel={onCancel}>
      <p>{t('factor.renewText')}</p>
      <PasswordItem />
      <CodeItem recovery />
    </FactorForm>
  );
}
