import { useTranslation } from 'react-i18next';
import { LoginFrame } from '../../../shared/ui/login-frame/login-frame.tsx';
import { useCaptcha } from '../captcha/use-captcha.ts';
import { FindPasswordForm } from './find-password-form.tsx';
import '../../../shared/ui/login-frame/login.css';

/** A forgotten password: address, captcha, link by mail (spec §2). */
export default function FindPasswordPage() {
  const { t } = useTranslation('recovery');
  const captcha = useCaptcha();
  return (
    <LoginFrame settings={captcha.round?.challenge.settings ?? null}>
      <h1>{t('find.title')}</h1>
      <p className="login-text">{t('find.text')}</p>
      <FindPasswordForm captcha={captcha} submit={t('find.submit')} />
    </LoginFrame>
  );
}
