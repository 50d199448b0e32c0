import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { CaptchaField } from '../captcha/captcha-field.tsx';
import type { Captcha } from '../captcha/use-captcha.ts';
import { LoginNotice } from '../login-notice.tsx';
import { problemText } from '../problem-text.ts';

/** Asks for an email address and sends a link to it. The result does not reveal whether an account has the address. */
export function FindPasswordForm({ captcha, submit: submitText }: { captcha: Captcha; submit: string }) {
  const { t } = useTranslation('recovery');
  const { t: access } = useTranslation('access');
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (sentTo === null) field.current?.focus();
  }, [sentTo]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    if (!email) return setProblem(t('find.incomplete'));
    setProblem(null);
    setBusy(true);
    try {
      const { captchaId, required, payload } = await captcha.solved();
      if (required && payload === null) throw new Error(access('login.captchaFailed'));
      await call('sendPasswordLink', { body: { email, captchaId, ...(payload === null ? {} : { captcha: payload }) } });
      setSentTo(email);
    } catch (error) {
      if (!isCancelled(error)) setProblem(problemText(error));
    } finally {
      captcha.renew();
      setBusy(false);
    }
  }

  if (sentTo !== null) {
    return (
      <div className="login-form">
        <LoginNotice tone="success" text={t('find.sent', { email: sentTo })} />
        <p className="login-text">{t('find.sentHint')}</p>
        <PlainButton onClick={() => setSentTo(null)}>{t('find.again')}</PlainButton>
        <ToLogin />
      </div>
    );
  }
  const shownProblem = problem ?? (captcha.problem ? problemText(captcha.problem) : null);
  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <label htmlFor="email">{t('find.email')}</label>
      <input
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        ref={field}
      />
      <CaptchaField round={captcha.round} />
      {shownProblem && <LoginNotice tone="error" text={shownProblem} />}
      <PlainButton type="submit" primary aria-disabled={busy} aria-busy={busy}>
        {busy && <span className="plain-spinner" aria-hidden="true" />}
        {busy ? t('find.busy') : submitText}
      </PlainButton>
      <ToLogin />
    </form>
  );
}

/** A link back to the sign-in page. */
export function ToLogin() {
  const { t } = useTranslation('recovery');
  return (
    <Link className="login-forgot" to="/login">
      {t('toLogin')}
    </Link>
  );
}
