import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, isCancelled } from '../../shared/api/problem.ts';
import { enteredSession } from '../../shared/session/preferences.ts';
import { session } from '../../shared/session/session.ts';
import { PlainButton } from '../../shared/ui/states/plain-button.tsx';
import { CaptchaField } from './captcha/captcha-field.tsx';
import type { Captcha } from './captcha/use-captcha.ts';
import { LoginNotice } from './login-notice.tsx';
import { PasswordField } from './password-field.tsx';
import { problemText } from './problem-text.ts';
import { signIn } from './sign-in.ts';

interface Props {
  captcha: Captcha;
  disabled: boolean;
  /** called once the session is known; shows the console */
  onSignedIn(): Promise<unknown>;
}

/**
 * User name, password and captcha. Every attempt, successful or not, uses up its challenge and fetches the next one.
 */
export function LoginForm({ captcha, disabled, onSignedIn }: Props) {
  const { t } = useTranslation('access');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || disabled) return;
    const form = new FormData(event.currentTarget);
    const userName = String(form.get('userName') ?? '').trim();
    const password = String(form.get('password') ?? '');
    const code = String(form.get('code') ?? '').trim();
    if (!userName || !password) return setProblem(t('login.incomplete'));
    if (needsCode && !code) return setProblem(t('login.codeMissing'));
    setProblem(null);
    setBusy(true);
    try {
      const { captchaId, required, payload } = await captcha.solved();
      if (required && payload === null) throw new Error(t('login.captchaFailed'));
      session.set(
        await enteredSession(await signIn({ userName, password, code: code || null, captchaId, captcha: payload })),
      );
      await onSignedIn();
    } catch (error) {
      // The first request for a code is not an error: the field appears.
      if (error instanceof ApiProblem && error.field === 'code' && !needsCode) setNeedsCode(true);
      else if (!isCancelled(error)) setProblem(problemText(error));
      captcha.renew();
    } finally {
      setBusy(false);
    }
  }

  const shownProblem = problem ?? (captcha.problem ? problemText(captcha.problem) : null);
  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <label htmlFor="userName">{t('login.userName')}</label>
      <input
        id="userName"
        name="userName"
        type="text"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        ref={first}
      />
      <PasswordField id="password" label={t('login.password')} autoComplete="current-password" />
      {needsCode && <CodeField />}
      <CaptchaField round={captcha.round} />
      {shownProblem && <LoginNotice tone="error" text={shownProblem} />}
      <PlainButton type="submit" primary disabled={disabled} aria-disabled={busy} aria-busy={busy}>
        {busy && <span className="plain-spinner" aria-hidden="true" />}
        {busy ? t('login.busy') : t('login.submit')}
      </PlainButton>
      <a className="login-forgot" href="/find-password">
        {t('login.forgot')}
      </a>
    </form>
  );
}

/** The second factor, which the server requires after a correct password. */
function CodeField() {
  const { t } = useTranslation('access');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <label htmlFor="code">{t('login.code')}</label>
      <input
        id="code"
        name="code"
        type="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        aria-describedby="code-hint"
        ref={field}
      />
      <p id="code-hint" className="login-hint login-hint-apart">
        <span className="login-hint-rule">{t('login.codeHint')}</span>
      </p>
    </>
  );
}
