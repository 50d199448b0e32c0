import type { PermissionKey } from '@chargehand/contract';
import type { ComponentType } from 'react';
import type routeWords from '../../locales/en-US/routes.json';
import type { Room } from '../../shared/i18n/words.ts';
import type { RouteIcon } from '../shell/icons.tsx';

export type TitleKey = keyof typeof routeWords;

/** A route of spec §2. Parameters as in the router: `:id` is required, `:id?` is optional. */
export interface AppRoute {
  path: string;
  titleKey: TitleKey;
  /** all of them are required */
  keys: readonly PermissionKey[];
  /** only these users may open it, whatever keys others have: the calls of the page refuse others */
  who?: 'root' | 'vendor';
  /** shown in the sidebar to users with its keys */
  inSidebar?: boolean;
  group?: 1 | 2;
  /** not in the sidebar itself, but its children are */
  hidden?: boolean;
  icon?: RouteIcon;
  /** redirect target */
  redirectTo?: string;
  /**
   * the page before it in the breadcrumbs; parameters as in `path`, from the URL. Default: the page to which its sidebar
   * entry redirects
   */
  parent?: string;
  /** shows one row: its breadcrumb is the name of the row */
  ofRow?: boolean;
  /** shows what another page names in the query, so no list of pages leads to it */
  needsQuery?: boolean;
  /** loads its page; a route without page and redirect is not built yet, and does not exist for users */
  screen?: () => Promise<{ default: ComponentType }>;
  /** the locale files of the page */
  words?: readonly Room[];
  children?: readonly AppRoute[];
}

/**
 * True when the page can be opened from a list of pages: it needs no parameter. A page of one row needs its row, except
 * in the sidebar, where its entry opens the list of rows.
 */
export function isListed({ path, ofRow, needsQuery, inSidebar, screen }: AppRoute): boolean {
  const needsRow = ofRow === true || needsQuery === true || /:id\b/.test(path);
  return screen !== undefined && !/:\w+(?:[^\w?]|$)/.test(path) && (inSidebar === true || !needsRow);
}

/** True when the route leads to a page. The others only name the permissions of pages that are still to come. */
export function isBuilt({ screen, redirectTo }: AppRoute): boolean {
  return screen !== undefined || redirectTo !== undefined;
}

/** The routes of a tree as a list, parents before their children. */
export function flatRoutes(routes: readonly AppRoute[]): AppRoute[] {
  return routes.flatMap((route) => [route, ...flatRoutes(route.children ?? [])]);
}

type Screen = NonNullable<AppRoute['screen']>;
const started = new Map<Screen, ReturnType<Screen>>();

/**
 * Loads a page. Calls at the same time share one import: a second one would not wait for the styles of the first, so that
 * the page would move when they arrive. A failed import is repeated.
 */
export function loadScreen(screen: Screen): ReturnType<Screen> {
  const running = started.get(screen);
  if (running) return running;
  const page = screen();
  started.set(screen, page);
  page.catch(() => started.delete(screen));
  return page;
}
