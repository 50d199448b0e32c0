import { Button, Form, Input, QRCode } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { seal, sealAnswer } from '../../shared/api/seal.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { Copyable } from '../../shared/ui/copyable.tsx';
import './account.css';

/** Turns the second factor on: password, QR code with a first code, recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone(): void }) {
  const [uri, setUri] = useState<string | null>(null);
  const [recovery, setRecovery] = useState<string[] | null>(null);
  if (recovery) return <RecoveryCodes codes={recovery} onNoted={onDone} />;
  if (uri) return <ConfirmCode uri={uri} onConfirmed={setRecovery} />;
  return <AskPassword onBegun={setUri} />;
}

function AskPassword({ onBegun }: { onBegun(uri: string): void }) {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<{ currentPassword: string }>();
  const { save, problem } = useSave(
    form,
    async ({ currentPassword }: { currentPassword: string }) => {
      const key = await sealAnswer();
      const body = { currentPassword: await seal(currentPassword), answerKey: key.sealed };
      return await key.open((await call('beginSecondFactor', { body }, { quiet: true })).uri);
    },
    onBegun,
  );
  return (
    <Form
      form={form}
      name="secondFactorPassword"
      className="my-form"
      layout="vertical"
      requiredMark={false}
      onFinish={(values) => save.mutate(values)}
      aria-label={t('factor.turnOn')}
    >
      <p>{t('factor.intro')}</p>
      <Form.Item
        name="currentPassword"
        label={t('password.current')}
        rules={[{ required: true, message: t('required', { label: t('password.current') }) }]}
      >
        <Input.Password autoComplete="current-password" maxLength={128} autoFocus />
      </Form.Item>
      <Trouble>{problem}</Trouble>
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {t('factor.next')}
      </Button>
    </Form>
  );
}

function ConfirmCode({ uri, onConfirmed }: { uri: string; onConfirmed(codes: string[]): void }) {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<{ code: string }>();
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const { save, problem } = useSave(
    form,
    async ({ code }: { code: string }) => {
      const key = await sealAnswer();
      const body = { code: await seal(code), answerKey: key.sealed };
      const answer = await call('confirmSecondFactor', { body }, { quiet: true });
      return (await key.open(answer.recoveryCodes)).split('\n');
    },
    onConfirmed,
  );
  return (
    <Form
      form={form}
      name="secondFactorCode"
      className="my-form"
      layout="vertical"
      requiredMark={false}
      onFinish={(values) => save.mutate(values)}
      aria-label={t('factor.turnOn')}
    >
      <p>{t('factor.scan')}</p>
      <div className="factor-secret">
        {/* Cameras read dark on light, whatever the theme. */}
        <QRCode type="svg" value={uri} size={180} color="#000" bgColor="#fff" aria-label={t('factor.qr')} />
        <div>
          <p className="quiet">{t('factor.byHand')}</p>
          <Copyable text={secret} />
        </div>
      </div>
      <Form.Item
        name="code"
        label={t('factor.code')}
        rules={[{ required: true, message: t('required', { label: t('factor.code') }) }]}
      >
        <Input className="mono" autoComplete="one-time-code" inputMode="numeric" maxLength={10} autoFocus />
      </Form.Item>
      <Trouble>{problem}</Trouble>
      <Button type="primary" htmlType="submit" loading={save.isPending}>
        {t('factor.turnOn')}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ codes, onNoted }: { codes: string[]; onNoted(): void }) {
  const { t } = useTranslation('account');
  return (
    <section className="stack" aria-label={t('factor.recovery')}>
      <p role="status">{t('factor.on')}</p>
      <p>{t('factor.recoveryText')}</p>
      <ul className="factor-codes mono" aria-label={t('factor.recovery')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <Button type="primary" onClick={onNoted}>
          {t('factor.noted')}
        </Button>
      </div>
    </section>
  );
}

function Trouble({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="error-note" role="alert">
      {children}
    </p>
  );
}
