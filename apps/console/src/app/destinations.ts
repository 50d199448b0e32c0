import { deepLinkPath, HOME, landingPath, type PermissionHolder } from '@chargehand/domain';
import { matchPath } from 'react-router';
import { type AppRoute, flatRoutes, MANAGE_ROUTES } from './routes.ts';

const routes = flatRoutes(MANAGE_ROUTES);

/** Where a user goes after signing in: the page they asked for when they may see it, else where spec §2 says. */
export function afterLogin(holder: PermissionHolder, from: string | null): string {
  const route = from === null ? undefined : routeAt(from);
  if (from === null || !route) return landingPath(holder);
  return deepLinkPath(holder, from, route.keys);
}

/** The route of a path inside the console; query and fragment do not matter. Nothing outside the console has one. */
export function routeAt(path: string): AppRoute | undefined {
  const pathname = path.split(/[?#]/)[0] ?? '';
  return routes
    .filter((route) => matchPath(route.path, pathname))
    .sort((a, b) => placeholders(a.path) - placeholders(b.path))[0];
}

/** The sign-in page that leads back to where somebody wanted to go; Home needs no mention. */
export function loginPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname === '/manage' || pathname === HOME
    ? '/login'
    : `/login?from=${encodeURIComponent(pathname + search)}`;
}

/** What somebody has to do before they use the console. */
export type FirstStep = '/choose-password' | '/second-factor';

/** The first of the steps that a user has to take, null when there is none. */
export function firstStepOf(user: { passwordGiven: boolean; secondFactorDue: boolean }): FirstStep | null {
  if (user.passwordGiven) return '/choose-password';
  return user.secondFactorDue ? '/second-factor' : null;
}

/** The page of such a step, which leads on to where they wanted to go. */
export function stepPath(step: FirstStep, url: string): string {
  return loginPath(url).replace('/login', step);
}

/** How many parts of a path are not fixed: the route with the fewest is meant. */
function placeholders(path: string): number {
  return path.split('/').filter((part) => part.startsWith(':')).length;
}
