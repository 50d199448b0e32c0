import { deepLinkPath, HOME, landingPath, type PermissionHolder } from '@chargehand/domain';
import { matchPath } from 'react-router';
import { type AppRoute, flatRoutes, isBuilt, MANAGE_ROUTES } from './routes/index.ts';

const routes = flatRoutes(MANAGE_ROUTES).filter(isBuilt);

/** Where a user goes after sign-in: the requested page if they may open it, otherwise the landing page of spec §2. */
export function afterLogin(holder: PermissionHolder, from: string | null): string {
  const route = from === null ? undefined : routeAt(from);
  if (from === null || !route) return landingPath(holder);
  return deepLinkPath(holder, from, route.keys);
}

/** The route of a path of the console, without query and fragment. Other paths have none. */
export function routeAt(path: string): AppRoute | undefined {
  const pathname = path.split(/[?#]/)[0] ?? '';
  return routes
    .filter((route) => matchPath(route.path, pathname))
    .sort((a, b) => placeholders(a.path) - placeholders(b.path))[0];
}

/** The path of the sign-in page that leads back to the requested page. Home is the default and is omitted. */
export function loginPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname === '/manage' || pathname === HOME
    ? '/login'
    : `/login?from=${encodeURIComponent(pathname + search)}`;
}

/** A step that a user must complete before they can use the console. */
export type FirstStep = '/choose-password' | '/second-factor';

/** The first step that a user must complete, null when there is none. */
export function firstStepOf(user: { passwordGiven: boolean; secondFactorDue: boolean }): FirstStep | null {
  if (user.passwordGiven) return '/choose-password';
  return user.secondFactorDue ? '/second-factor' : null;
}

/** The page of such a step, which leads to the requested page afterwards. */
export function stepPath(step: FirstStep, url: string): string {
  return loginPath(url).replace('/login', step);
}

/** The number of variable segments of a path. Of several matching routes, the one with the fewest is used. */
function placeholders(path: string): number {
  return path.split('/').filter((part) => part.startsWith(':')).length;
}
