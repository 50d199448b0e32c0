import { StrictMode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import LoginPage from '../../features/access/login-page.tsx';
import { startWords } from '../../shared/i18n/i18n.ts';
import { knowSession } from '../../shared/session/know-session.ts';
import { Toaster } from '../../shared/ui/dialogs/toaster.tsx';
import { draw } from './root.ts';

const loadConsole = () => import('./console.tsx');

/**
 * Shows the sign-in page without the router and the query library, so that it appears soon on a slow network. The
 * console takes over after sign-in, or immediately if the user is already signed in.
 */
export async function startSignIn(): Promise<void> {
  const [{ status }] = await Promise.all([knowSession(), startWords()]);
  const takeOver = async () => (await loadConsole()).startConsole({ keep: true });
  if (status === 'signedIn') return await takeOver();
  // The console is loaded while the user types.
  addEventListener('input', () => void loadConsole(), { once: true });
  draw(
    <StrictMode>
      <SignIn onSignedIn={takeOver} />
    </StrictMode>,
  );
}

function SignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const { t } = useTranslation('routes');
  useEffect(() => {
    document.title = `${t('login')} · Chargehand`;
  }, [t]);
  return (
    <>
      <LoginPage onSignedIn={onSignedIn} />
      <Toaster />
    </>
  );
}
