// The first script of every page. It is small, so that all parts of the page are requested early and in parallel.
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/theme/first-shell.css';
import './shared/ui/dialogs/toaster.css';
import './shared/ui/login-frame/login.css';
import './shared/ui/states/plain.css';
import { watchGlobalErrors } from './app/global-errors.ts';
import { readStartWords, startLocale } from './shared/i18n/start-locale.ts';
import { report } from './shared/lib/errors/report.ts';

watchGlobalErrors();
const { pathname } = location;
if (pathname === '/login') void import('./app/start/sign-in.tsx').then(({ startSignIn }) => startSignIn());
else if (pathname === '/share/file') void import('./app/start/share.tsx').then(({ startShare }) => startShare());
else if (pathname === '/share/issue') void import('./app/start/report.tsx').then(({ startReport }) => startReport());
else {
  // Two requests, because the small one finds the other parts of the page.
  void import('./app/start/preload.ts').then(({ preloadPage }) => preloadPage(pathname));
  void import('./app/start/console.tsx').then(({ startConsole }) => startConsole());
}
// The code that needs the texts imports them again and shows the error.
readStartWords(startLocale())?.catch(() => undefined);
// By then the first page is complete, also on a slow network.
setTimeout(() => {
  // The code that keeps reports of errors while the server cannot be reached.
  report();
  import('./shared/theme/font.ts').then(
    ({ fetchFont }) => fetchFont(),
    // The server is away, or has a new version: the next visit tries again.
    console.warn,
  );
}, 20_000);
