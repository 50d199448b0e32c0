import type { PermissionKey } from '@chargehand/contract';
import { generatePath, matchPath } from 'react-router';
import type { ParentPage } from '../../../shared/hooks/use-tab-label.ts';
import { routeAt } from '../../destinations.ts';
import { type AppRoute, flatRoutes, MANAGE_ROUTES, type TitleKey } from '../../routes/index.ts';
import { SYSTEM_OVERVIEW, systemPageOf } from '../../routes/system-menu.ts';

/** A page on the way to the current one. */
export interface Crumb {
  path: string;
  /** the permissions that its link requires */
  keys: readonly PermissionKey[];
  titleKey: TitleKey;
  /** the name of its row; replaces the title */
  name?: string | undefined;
}

/**
 * The pages above a path and the page itself, from the route table: area, list, row. Empty for pages that are in the
 * sidebar, or below none of its entries.
 * @param label the name of the row that the page shows or edits, once it is known
 * @param parent the page from which it was opened, when it is not the one in the route table
 */
export function trailOf(path: string, label: string | undefined, parent?: ParentPage): Crumb[] {
  const route = routeAt(path);
  if (!route) return [];
  const above = parent ?? parentOf(route, path);
  if (!above) return [];
  const pages = pagesTo(above.path, above.name ?? label);
  return pages.length === 0 ? [] : [...pages, crumbOf(route, path, route.ofRow ? label : undefined)];
}

/** A page and the pages above it. */
function pagesTo(path: string, name: string | undefined): Crumb[] {
  const trail = trailOf(path, name);
  if (trail.length > 0) return trail;
  const route = routeAt(path);
  if (!route) return [];
  const area = areaOf(route);
  const page = crumbOf(route, path, undefined);
  // The overview is the page of its area.
  if (!area || area === route || path === SYSTEM_OVERVIEW) return [page];
  return [{ ...page, titleKey: area.titleKey, ...defaultPage(area) }, page];
}

function crumbOf({ keys, titleKey }: AppRoute, path: string, name: string | undefined): Crumb {
  return { path, keys, titleKey, name };
}

/** The page before a page, by the route table; null when the page is in the sidebar or below none of its entries. */
function parentOf(route: AppRoute, path: string): ParentPage | null {
  const params = matchPath(route.path, path.split(/[?#]/)[0]!)?.params ?? {};
  if (route.parent !== undefined) return { path: generatePath(route.parent, params) };
  // An entry of the sidebar can have a page for each row, such as a device model.
  if (route.inSidebar) return route.ofRow && params.id ? { path: withoutParams(route.path) } : null;
  const page = systemPageOf(route.path);
  if (page === SYSTEM_OVERVIEW) return null;
  if (page !== null) return { path: page === route.path ? SYSTEM_OVERVIEW : page };
  const area = areaOf(route);
  if (!area?.inSidebar || area === route) return null;
  const from = params.listtype === undefined ? undefined : LISTS[params.listtype];
  return { path: from ?? defaultPage(area).path };
}

/** The list from which a device was opened, by the `{listtype}` of its URL (spec §2), while its place is not known. */
const LISTS: Record<string, string> = {
  site: '/manage/site/list',
  customer: '/manage/customer/list',
  alarms: '/manage/device/alarms',
};

function areaOf(route: AppRoute): AppRoute | undefined {
  return MANAGE_ROUTES.find((area) => flatRoutes([area]).includes(route));
}

/** The page that opens with an area. */
function defaultPage(area: AppRoute): Pick<Crumb, 'path' | 'keys'> {
  const path = area.redirectTo ?? withoutParams(area.path);
  return { path, keys: routeAt(path)?.keys ?? area.keys };
}

function withoutParams(path: string): string {
  return path.split('/:', 1)[0]!;
}
