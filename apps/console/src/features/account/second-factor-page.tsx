import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { signOut } from '../../shared/session/account.ts';
import { session } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Panel } from '../../shared/ui/page-header.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** Stands before the console as long as the role requires a second factor that is not set up. */
export default function SecondFactorPage() {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { user } = useUser();

  async function enter() {
    const now = session.get();
    if (now.status === 'signedIn') {
      const ready = { ...now.user, secondFactorDue: false };
      session.set({ ...now, user: ready, info: { ...now.info, user: ready } });
    }
    // This page itself knows where somebody goes who has nothing to do here.
    await navigate(`/second-factor${location.search}`, { replace: true });
  }
  async function leave() {
    await signOut();
    await navigate('/login');
  }
  return (
    <main className="factor-page">
      <Panel title={t('factor.title')}>
        <div className="stack">
          <p>{t('factor.due', { name: user.userName })}</p>
          <SecondFactorSetup onDone={() => void enter()} />
          <button type="button" className="text-button" onClick={() => void leave()}>
            {common('shell.signOut')}
          </button>
        </div>
      </Panel>
    </main>
  );
}
