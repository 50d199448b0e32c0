import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { signOut } from '../../../shared/session/account.ts';
import { session } from '../../../shared/session/session.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { LoginFrame } from '../../../shared/ui/login-frame/login-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import '../../../shared/ui/login-frame/login.css';

/** Shown before the console while somebody else knows the password. */
export default function ChoosePasswordPage() {
  const { t } = useTranslation('recovery');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { user, info } = useUser();

  async function enter() {
    const now = session.get();
    if (now.status === 'signedIn') {
      const chosen = { ...now.user, passwordGiven: false };
      session.set({ ...now, user: chosen, info: { ...now.info, user: chosen } });
    }
    // The guard of this page redirects users who do not need it.
    await navigate(`/choose-password${location.search}`, { replace: true });
  }
  async function leave() {
    await signOut();
    await navigate('/login');
  }
  return (
    <LoginFrame settings={info.settings}>
      <h1>{t('choose.title')}</h1>
      <p className="login-text">{t('choose.text', { name: user.userName })}</p>
      <NewPasswordForm
        userName={user.userName}
        send={(password) => call('chooseFirstPassword', { body: { password } }, { quiet: true })}
        onDone={() => void enter()}
      >
        <button type="button" className="login-link login-forgot" onClick={() => void leave()}>
          {common('shell.signOut')}
        </button>
      </NewPasswordForm>
    </LoginFrame>
  );
}
