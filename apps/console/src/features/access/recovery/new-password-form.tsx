import { passwordFault } from '@chargehand/domain';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { useBranding } from '../../../shared/branding/branding.ts';
import { canEncrypt, encryptFor } from '../../../shared/lib/browser/encrypt.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { LoginNotice } from '../login-notice.tsx';
import { PasswordField } from '../password-field.tsx';
import { problemText } from '../problem-text.ts';

interface Props {
  /** the account of the password, for the browser's password manager */
  userName: string;
  /** Sends the encrypted password. @throws ApiProblem */
  send(sealed: string): Promise<unknown>;
  /** called after the password was accepted */
  onDone(): void;
  /** content below the button */
  children?: ReactNode;
}

/** A new password, entered twice, with the rules of spec §5. It is sent encrypted. */
export function NewPasswordForm({ userName, send, onDone, children }: Props) {
  const { t } = useTranslation('recovery');
  const { passwordLength } = useBranding();
  const { t: access } = useTranslation('access');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [secure] = useState(canEncrypt);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password') ?? '');
    const fault = passwordFault(password, passwordLength);
    if (fault) return setProblem(t(`new.${fault}`, { least: passwordLength }));
    if (password !== form.get('repeated')) return setProblem(t('new.differ'));
    setProblem(null);
    setBusy(true);
    try {
      const { publicKey } = await call('publicKey', {}, { quiet: true });
      await send(await encryptFor(publicKey, password));
      onDone();
    } catch (error) {
      if (!isCancelled(error)) setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      {!secure && <LoginNotice tone="error" text={access('login.insecure', { host: location.host })} />}
      <input type="text" name="userName" value={userName} autoComplete="username" readOnly hidden />
      <PasswordField
        id="password"
        label={t('new.password')}
        autoComplete="new-password"
        hint={t('new.hint', { least: passwordLength })}
        focus
      />
      <PasswordField id="repeated" label={t('new.repeated')} autoComplete="new-password" />
      {problem && <LoginNotice tone="error" text={problem} />}
      <PlainButton type="submit" primary disabled={!secure} aria-disabled={busy} aria-busy={busy}>
        {busy && <span className="plain-spinner" aria-hidden="true" />}
        {busy ? t('new.busy') : t('new.submit')}
      </PlainButton>
      {children}
    </form>
  );
}
