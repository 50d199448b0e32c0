import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useProductName } from '../../../shared/branding/branding.ts';
import { session } from '../../../shared/session/session.ts';
import { LoginFrame } from '../../../shared/ui/login-frame/login-frame.tsx';
import { useCaptcha } from '../captcha/use-captcha.ts';
import { LoginNotice } from '../login-notice.tsx';
import { FindPasswordForm, ToLogin } from './find-password-form.tsx';
import { isExpired, LinkState } from './link-state.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import '../../../shared/ui/login-frame/login.css';

/**
 * The page of the link in a mail: choose a password after forgetting it, or to accept an invitation. The token is in
 * the fragment, so that browsers do not send it to the server as part of the URL.
 */
export default function ResetPasswordPage() {
  const { t } = useTranslation('recovery');
  const product = useProductName();
  const token = useLocation().hash.slice(1);
  const [done, setDone] = useState(false);
  const [late, setLate] = useState(false);
  const link = useQuery({
    ...queryOf('checkPasswordLink', { body: { token } }, { quiet: true }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    retry: false,
  });
  if (done) {
    return (
      <LoginFrame settings={null}>
        <h1>{t('reset.doneTitle')}</h1>
        <LoginNotice tone="success" text={t('reset.doneText')} />
        <Link className="plain-button plain-button-primary" to="/login">
          {t('signIn')}
        </Link>
      </LoginFrame>
    );
  }
  if (token === '' || late || isExpired(link.error)) return <ExpiredPage />;
  const { data } = link;
  const invited = data?.purpose === 'invitation';
  return (
    <LoginFrame settings={null}>
      <h1>{invited ? t('reset.invitedTitle', { product }) : t('reset.title')}</h1>
      {data ? (
        <>
          <p className="login-text">
            {invited ? t('reset.invitedText') : t('reset.text')} <strong>{data.userName}</strong>
          </p>
          <NewPasswordForm
            userName={data.userName}
            send={(password) =>
              call('usePasswordLink', { body: { token, password } }, { quiet: true }).catch((error: unknown) => {
                if (isExpired(error)) setLate(true);
                throw error;
              })
            }
            onDone={() => {
              // Checks the session again, because it may have ended with the password change.
              session.set({ status: 'unknown' });
              setDone(true);
            }}
          >
            <ToLogin />
          </NewPasswordForm>
        </>
      ) : (
        <LinkState query={link} />
      )}
    </LoginFrame>
  );
}

/** The link has expired; a new one can be requested here. */
function ExpiredPage() {
  const { t } = useTranslation('recovery');
  const captcha = useCaptcha();
  return (
    <LoginFrame settings={captcha.round?.challenge.settings ?? null}>
      <h1>{t('expired.title')}</h1>
      <p className="login-text">{t('expired.text')}</p>
      <FindPasswordForm captcha={captcha} submit={t('expired.submit')} />
    </LoginFrame>
  );
}
