import { startLocale } from '../../shared/i18n/start-locale.ts';
import { readWords } from '../../shared/i18n/word-files.ts';
import { loadShell } from '../load-shell.ts';
import { type AppRoute, flatRoutes, loadScreen, MANAGE_ROUTES, PUBLIC_ROUTES } from '../routes/index.ts';

/**
 * Requests all parts of a page at once, before the router is loaded. Errors are ignored here, because the code that uses
 * a part reports them.
 */
export function preloadPage(pathname: string): void {
  const locale = startLocale();
  const { screen, words = [] } = screenAt(pathname) ?? {};
  const parts = [
    ...words.map((room) => readWords(locale, room)),
    screen && loadScreen(screen),
    pathname.startsWith('/manage') ? loadShell() : undefined,
  ];
  // The code that needs a part imports it again and shows the error.
  for (const part of parts) part?.catch(() => undefined);
}

const ROUTES = flatRoutes([...PUBLIC_ROUTES, ...MANAGE_ROUTES]);

/** The route of a path that has a screen. Without the router, which is loaded later. */
export function screenAt(pathname: string): AppRoute | undefined {
  const route = ROUTES.filter(({ path }) => patternOf(path).test(pathname)).sort(
    (a, b) => a.path.split(':').length - b.path.split(':').length,
  )[0];
  const redirected = route?.redirectTo;
  return redirected ? screenAt(redirected) : route;
}

/** `/a/:b/:c?` as a regular expression. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}/?$`);
}
