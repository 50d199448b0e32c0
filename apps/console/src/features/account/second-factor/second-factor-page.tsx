import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { signOut } from '../../../shared/session/account.ts';
import { session } from '../../../shared/session/session.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { LoginFrame } from '../../../shared/ui/login-frame/login-frame.tsx';
import { AntdProvider } from '../../../shared/ui/page/antd-provider.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';
import '../../../shared/ui/login-frame/login.css';

/** Shown before the console when the role requires a second factor that is not set up. */
export default function SecondFactorPage() {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { user, info } = useUser();

  async function enter() {
    const now = session.get();
    if (now.status === 'signedIn') {
      const ready = { ...now.user, secondFactorDue: false };
      session.set({ ...now, user: ready, info: { ...now.info, user: ready } });
    }
    // The guard of this page redirects users who do not need it.
    await navigate(`/second-factor${location.search}`, { replace: true });
  }
  async function leave() {
    await signOut();
    await navigate('/login');
  }
  return (
    <LoginFrame settings={info.settings}>
      <h1>{t('factor.title')}</h1>
      <p className="login-text">{t('factor.due', { name: user.userName })}</p>
      <AntdProvider>
        <SecondFactorSetup onDone={() => void enter()} />
      </AntdProvider>
      <button type="button" className="login-link login-forgot" onClick={() => void leave()}>
        {common('shell.signOut')}
      </button>
    </LoginFrame>
  );
}
