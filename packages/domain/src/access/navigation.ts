import { holdsAll, type PermissionHolder } from './permissions.ts';

export const HOME = '/manage/home';
export const WELCOME = '/manage/welcome';
export const NO_AUTH = '/manage/noauth';
export const HOME_KEY = 'auth_home';

/** The maximum number of history tabs (spec §9). */
export const HISTORY_LIMIT = 20;

/** Where a user lands after sign-in or at the root path: Home if they have its key, otherwise Welcome (spec §2). */
export function landingPath(holder: PermissionHolder): string {
  return holdsAll(holder, [HOME_KEY]) ? HOME : WELCOME;
}

/** Where the guard redirects a user who opens a route of the console; null: the user may open it (spec §2). */
export function guardRedirect(
  holder: PermissionHolder,
  route: { path: string; keys: readonly string[] },
): string | null {
  if (holdsAll(holder, route.keys)) return null;
  return route.path === HOME ? WELCOME : NO_AUTH;
}

/** Where a deep link leads after sign-in: its own path if the user has all its keys, otherwise Welcome (spec §2). */
export function deepLinkPath(holder: PermissionHolder, path: string, keys: readonly string[]): string {
  return holdsAll(holder, keys) ? path : WELCOME;
}

export interface HistoryTab {
  path: string;
  titleKey: string;
  /** the query of the last visit, which restores the filters */
  search?: string;
  /** the name of the row that the page shows, once it is known */
  label?: string;
}

/**
 * The tabs after a visit: Home first, each page once. Beyond the limit, the oldest tab except Home is removed (spec
 * §2).
 */
export function visitTab(tabs: readonly HistoryTab[], visit: HistoryTab): HistoryTab[] {
  const known = tabs.findIndex((tab) => tab.path === visit.path);
  if (known >= 0) return tabs.map((tab, index) => (index === known ? { ...labelOf(tab), ...visit } : tab));
  const next = visit.path === HOME ? [visit, ...tabs] : [...tabs, visit];
  while (next.length > HISTORY_LIMIT) next.splice(next[0]?.path === HOME ? 1 : 0, 1);
  return next;
}

/** The same tabs with the names of their rows, where the name for a path is known. */
export function labelTabs(tabs: readonly HistoryTab[], labels: Readonly<Record<string, string>>): HistoryTab[] {
  return tabs.map((tab) => ({ ...tab, ...labelOf({ label: labels[tab.path] }) }));
}

function labelOf({ label }: { label?: string | undefined }): { label?: string } {
  return label === undefined ? {} : { label };
}

/**
 * The tabs without the closed one, and the tab to show instead: the right neighbor, otherwise the left one. Home stays.
 */
export function closeTab(tabs: readonly HistoryTab[], path: string): { tabs: HistoryTab[]; next: HistoryTab | null } {
  const index = tabs.findIndex((tab) => tab.path === path);
  if (index < 0 || path === HOME) return { tabs: [...tabs], next: null };
  const left = tabs.toSpliced(index, 1);
  return { tabs: left, next: left[index] ?? left[index - 1] ?? null };
}

/** The fields of a route that the sidebar uses. */
export interface SidebarRoute {
  path: string;
  titleKey: string;
  keys: readonly string[];
  /** the route appears in the sidebar */
  inSidebar?: boolean;
  /** which of the two groups (spec §2) */
  group?: 1 | 2;
  /** the route itself is left out; its children take its place */
  hidden?: boolean;
  children?: readonly SidebarRoute[];
}

export interface SidebarEntry {
  path: string;
  titleKey: string;
  group: 1 | 2;
  children: SidebarEntry[];
}

/**
 * The sidebar of a user: routes that belong to the sidebar and whose keys the user all has. Children are nested; the
 * children of a hidden parent take its place (spec §2).
 */
export function sidebarFor(
  holder: PermissionHolder,
  routes: readonly SidebarRoute[],
  group: 1 | 2 = 1,
): SidebarEntry[] {
  return routes.flatMap((route) => {
    const ownGroup = route.group ?? group;
    const children = sidebarFor(holder, route.children ?? [], ownGroup);
    if (route.hidden) return children;
    if (!route.inSidebar || !holdsAll(holder, route.keys)) return [];
    return [{ path: route.path, titleKey: route.titleKey, group: ownGroup, children }];
  });
}
