import { Button, Form, Input } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import css from '../account.module.css';

interface StepProps<V, A> {
  /** prefix of the ids of the fields */
  name: string;
  submit: string;
  /** the submit button turns something off */
  danger?: boolean;
  /** sends the values; `onDone` receives the response */
  run(values: V): Promise<A>;
  onDone(answer: A): void;
  /** in a dialog: closes it */
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

/** A step to set up or change the second factor: fields, a server error, a button. */
export function FactorForm<V extends object, A>({
  name,
  submit,
  danger,
  run,
  onDone,
  onCancel,
  children,
}: StepProps<V, A>) {
  const { t: common } = useTranslation();
  const [form] = Form.useForm<V>();
  const { save, problem } = useSave(form, run, onDone);
  return (
    <Form<V> form={form} name={name} layout="vertical" onFinish={(values) => save.mutate(values)} aria-label={submit}>
      {children}
      <ErrorNote text={problem} />
      <div className={css.factorButtons}>
        {onCancel && (
          <Button disabled={save.isPending} onClick={onCancel}>
            {common('cancel')}
          </Button>
        )}
        <Button type="primary" danger={danger} htmlType="submit" loading={save.isPending}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

export function PasswordItem() {
  const { t } = useTranslation('account');
  const label = t('password.current');
  return (
    <Form.Item name="currentPassword" label={label} rules={[{ required: true, message: t('required', { label }) }]}>
      <Input.Password autoComplete="current-password" maxLength={128} autoFocus />
    </Form.Item>
  );
}

/** A code of the authenticator app; with `recovery`, also a recovery code. */
export function CodeItem({ recovery = false }: { recovery?: boolean }) {
  const { t } = useTranslation('account');
  const label = recovery ? t('factor.anyCode') : t('factor.code');
  return (
    <Form.Item name="code" label={label} rules={[{ required: true, message: t('required', { label }) }]}>
      <Input
        className="mono"
        autoComplete="one-time-code"
        inputMode={recovery ? 'text' : 'numeric'}
        maxLength={recovery ? 32 : 10}
        autoFocus={!recovery}
      />
    </Form.Item>
  );
}

/** The recovery codes, which are only shown once. */
export function RecoveryCodes({ title, codes, onNoted }: { title: string; codes: string[]; onNoted(): void }) {
  const { t } = useTranslation('account');
  return (
    <section className="stack" aria-label={t('factor.recovery')}>
      <p role="status">{title}</p>
      <p>{t('factor.recoveryText')}</p>
      <ul className="factor-codes mono" aria-label={t('factor.recovery')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.factorButtons}>
        <Button type="primary" onClick={onNoted}>
          {t('factor.noted')}
        </Button>
      </div>
    </section>
  );
}
