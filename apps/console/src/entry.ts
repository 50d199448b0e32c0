// The first script of every page. It is small, so that all parts of the page are requested early and in parallel.
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/ui/dialogs/toaster.css';
import './shared/ui/states/plain.css';
import { watchGlobalErrors } from './app/global-errors.ts';
import { preloadPage, SIGN_IN_PATH } from './app/start/preload.ts';

watchGlobalErrors();
const { pathname } = location;
if (pathname === SIGN_IN_PATH) void import('./app/start/sign-in.tsx').then(({ startSignIn }) => startSignIn());
else void import('./app/start/console.tsx').then(({ startConsole }) => startConsole());
preloadPage(pathname);
// By then the first page is complete, also on a slow network.
setTimeout(
  () =>
    import('./shared/theme/font.ts').then(
      ({ fetchFont }) => fetchFont(),
      // The server is away, or has a new version: the next visit tries again.
      (error: unknown) => console.warn('The font cannot be downloaded', error),
    ),
  20_000,
);
