import { StrictMode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import LoginPage from '../../features/access/login-page.tsx';
import { useProductName } from '../../shared/branding/branding.ts';
import { startWords } from '../../shared/i18n/i18n.ts';
import { knowSession } from '../../shared/session/know-session.ts';
import { Toaster } from '../../shared/ui/dialogs/toaster.tsx';
import { draw } from './root.ts';

/** Where most users go from here. */
const LANDING = '/manage/home';
const loadConsole = () => import('./console.tsx');

/**
 * Shows the sign-in page without the router and the query library, so that it appears soon on a slow network. The
 * console takes over after sign-in, or immediately if the user is already signed in.
 */
export async function startSignIn(): Promise<void> {
  const [{ status }] = await Promise.all([knowSession(), startWords()]);
  const takeOver = async () => (await loadConsole()).startConsole({ keep: true });
  if (status === 'signedIn') return await takeOver();
  addEventListener('input', () => void loadAhead(), { once: true });
  draw(
    <StrictMode>
      <SignIn onSignedIn={takeOver} />
    </StrictMode>,
  );
}

/**
 * Loads what the page after sign-in needs, while the user types. One part after another, so that the network is free to
 * sign in.
 */
async function loadAhead(): Promise<void> {
  try {
    await loadConsole();
    const { screenAt } = await import('./preload.ts');
    const next = screenAt(new URLSearchParams(location.search).get('from') ?? '') ?? screenAt(LANDING);
    await import('../shell/shell.tsx');
    await next?.screen?.();
  } catch (error) {
    // They are loaded again after sign-in, which reports what is missing.
    console.warn('The console cannot be loaded ahead', error);
  }
}

function SignIn({ onSignedIn }: { onSignedIn(): Promise<void> }) {
  const { t } = useTranslation('routes');
  const product = useProductName();
  useEffect(() => {
    document.title = `${t('login')} · ${product}`;
  }, [t, product]);
  return (
    <>
      <LoginPage onSignedIn={onSignedIn} />
      <Toaster />
    </>
  );
}
