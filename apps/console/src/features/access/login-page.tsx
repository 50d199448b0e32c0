import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../shared/branding/branding.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { canEncrypt } from '../../shared/lib/browser/encrypt.ts';
import { useSession } from '../../shared/session/session.ts';
import { LoginFrame } from '../../shared/ui/login-frame/login-frame.tsx';
import { useCaptcha } from './captcha/use-captcha.ts';
import { LoginForm } from './login-form.tsx';
import { LoginNotice } from './login-notice.tsx';
import '../../shared/ui/login-frame/login.css';

/** The sign-in page. It does not use the component library, so that it loads quickly. */
export default function LoginPage({ onSignedIn }: { onSignedIn(): Promise<unknown> }) {
  const { t } = useTranslation('access');
  const session = useSession();
  const captcha = useCaptcha();
  const { signInTextEn, signInTextZh } = useBranding();
  const text = useLocale() === 'zh-CN' ? signInTextZh : signInTextEn;
  const [secure] = useState(canEncrypt);
  return (
    <LoginFrame settings={captcha.round?.challenge.settings ?? null}>
      <h1>{t('login.title')}</h1>
      {!secure && <LoginNotice tone="error" text={t('login.insecure', { host: location.host })} />}
      {session.status === 'failed' && (
        <LoginNotice tone="error" text={t('login.infoFailed')}>
          <button type="button" className="login-link" onClick={() => location.reload()}>
            {t('login.refresh')}
          </button>
        </LoginNotice>
      )}
      <LoginForm captcha={captcha} disabled={!secure} onSignedIn={onSignedIn} />
      {text && <p className="login-note">{text}</p>}
    </LoginFrame>
  );
}
