import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { LoginFrame } from '../../../shared/ui/login-frame/login-frame.tsx';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { LoginNotice } from '../login-notice.tsx';
import { problemText } from '../problem-text.ts';
import { isExpired } from './link-state.tsx';
import '../../../shared/ui/login-frame/login.css';

/**
 * The page of the link in a mail that confirms a new address. It requires a click, so that programs that open every
 * link of a mail do not confirm it.
 */
export default function ConfirmEmailPage() {
  const { t } = useTranslation('recovery');
  const token = useLocation().hash.slice(1);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [late, setLate] = useState(token === '');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function confirm() {
    if (busy) return;
    setProblem(null);
    setBusy(true);
    try {
      setConfirmed((await call('confirmEmail', { body: { token } }, { quiet: true })).email);
    } catch (error) {
      if (isExpired(error)) setLate(true);
      else if (!isCancelled(error)) setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <LoginFrame settings={null}>
      <h1>{t('confirm.title')}</h1>
      {late && <LoginNotice tone="error" text={t('confirm.expired')} />}
      {confirmed !== null && <LoginNotice tone="success" text={t('confirm.done', { email: confirmed })} />}
      {late || confirmed !== null ? (
        <Link className="plain-button" to="/">
          {t('confirm.toConsole')}
        </Link>
      ) : (
        <div className="login-form">
          <p className="login-text">{t('confirm.text')}</p>
          {problem && <LoginNotice tone="error" text={problem} />}
          <PlainButton primary aria-disabled={busy} aria-busy={busy} onClick={() => void confirm()}>
            {busy && <span className="plain-spinner" aria-hidden="true" />}
            {t('confirm.submit')}
          </PlainButton>
        </div>
      )}
    </LoginFrame>
  );
}
