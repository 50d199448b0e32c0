import { QRCode } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { seal, sealAnswer } from '../../../shared/api/seal.ts';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { CodeItem, FactorForm, PasswordItem, RecoveryCodes } from './factor-forms.tsx';
import '../account.module.css';

interface SetupProps {
  onDone(): void;
  /** in a dialog: closes it */
  onCancel?: () => void;
}

/** Sets up the second factor: password, QR code with a first code, recovery codes. */
export function SecondFactorSetup({ onDone, onCancel }: SetupProps) {
  const { t } = useTranslation('account');
  const [uri, setUri] = useState<string | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes title={t('factor.on')} codes={codes} onNoted={onDone} />;
  if (uri) {
    return (
      <FactorForm
        name="secondFactorCode"
        submit={t('factor.turnOn')}
        run={confirm}
        onDone={setCodes}
        onCancel={onCancel}
      >
        <Secret uri={uri} />
        <CodeItem />
      </FactorForm>
    );
  }
  return (
    <FactorForm name="secondFactorPassword" submit={t('factor.next')} run={begin} onDone={setUri} onCancel={onCancel}>
      <p>{t('factor.intro')}</p>
      <PasswordItem />
    </FactorForm>
  );
}

async function begin({ currentPassword }: { currentPassword: string }): Promise<string> {
  const key = await sealAnswer();
  const body = { currentPassword: await seal(currentPassword), answerKey: key.sealed };
  return await key.open((await call('beginSecondFactor', { body }, { quiet: true })).uri);
}

async function confirm({ code }: { code: string }): Promise<string[]> {
  const key = await sealAnswer();
  const body = { code: await seal(code), answerKey: key.sealed };
  const answer = await call('confirmSecondFactor', { body }, { quiet: true });
  return (await key.open(answer.recoveryCodes)).split('\n');
}

function Secret({ uri }: { uri: string }) {
  const { t } = useTranslation('account');
  return (
    <>
      <p>{t('factor.scan')}</p>
      <div className="factor-secret">
        {/* Cameras need dark on light in every theme. */}
        <QRCode type="svg" value={uri} size={180} color="#000" bgColor="#fff" aria-label={t('factor.qr')} />
        <div>
          <p className="quiet">{t('factor.byHand')}</p>
          <Copyable text={new URL(uri).searchParams.get('secret') ?? ''} />
        </div>
      </div>
    </>
  );
}
