import { ADMINISTRATION_ROUTES } from './administration.ts';
import { DOCUMENT_ROUTES } from './documents.ts';
import { FLEET_ROUTES } from './fleet.ts';
import { HOME_ROUTES } from './home.ts';
import { ISSUE_ROUTES } from './issues.ts';
import type { AppRoute } from './route.ts';
import { SYSTEM_ROUTES } from './system.ts';

export { PUBLIC_ROUTES } from './public.ts';
export { type AppRoute, flatRoutes, isBuilt, isListed, loadScreen, type TitleKey } from './route.ts';

/** Every route below /manage, in the order of the sidebar. */
export const MANAGE_ROUTES: readonly AppRoute[] = [
  ...HOME_ROUTES,
  ...FLEET_ROUTES,
  ...ADMINISTRATION_ROUTES,
  ...SYSTEM_ROUTES,
  ...DOCUMENT_ROUTES,
  ...ISSUE_ROUTES,
];
