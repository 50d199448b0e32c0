import { holdsAll, type PermissionHolder } from './permissions.ts';

export const HOME = '/manage/home';
export const WELCOME = '/manage/welcome';
export const NO_AUTH = '/manage/noauth';
export const HOME_KEY = 'auth_home';

/** At most this many history tabs (spec §9). */
export const HISTORY_LIMIT = 20;

/** Where somebody lands after signing in or at the root: Home for those who hold its key, else Welcome (spec §2). */
export function landingPath(holder: PermissionHolder): string {
  return holdsAll(holder, [HOME_KEY]) ? HOME : WELCOME;
}

/** Where the guard sends somebody who opened a route inside the console: null lets them through (spec §2). */
export function guardRedirect(
  holder: PermissionHolder,
  route: { path: string; keys: readonly string[] },
): string | null {
  if (holdsAll(holder, route.keys)) return null;
  return route.path === HOME ? WELCOME : NO_AUTH;
}

/** Where a deep link leads after signing in: its own path only when all its keys are held, else Welcome (spec §2). */
export function deepLinkPath(holder: PermissionHolder, path: string, keys: readonly string[]): string {
  return holdsAll(holder, keys) ? path : WELCOME;
}

/** The management area is where the first path segment is `manage` or empty (spec §2). */
export function isManagementPath(path: string): boolean {
  const first = path.split('/').filter(Boolean)[0] ?? '';
  return first === '' || first === 'manage';
}

export interface HistoryTab {
  path: string;
  titleKey: string;
  /** the query it was last seen with, so that its filters are there again */
  search?: string;
  /** what the thing is called that it shows, once that is known */
  label?: string;
}

/** The tabs after a visit: Home first, each page once, and beyond the limit the oldest entry that is not Home dropped (spec §2). */
export function visitTab(tabs: readonly HistoryTab[], visit: HistoryTab): HistoryTab[] {
  const known = tabs.findIndex((tab) => tab.path === visit.path);
  if (known >= 0) return tabs.map((tab, index) => (index === known ? { ...labelOf(tab), ...visit } : tab));
  const next = visit.path === HOME ? [visit, ...tabs] : [...tabs, visit];
  while (next.length > HISTORY_LIMIT) next.splice(next[0]?.path === HOME ? 1 : 0, 1);
  return next;
}

/** The same tabs with what their things are called, as far as it is known of a path. */
export function labelTabs(tabs: readonly HistoryTab[], labels: Readonly<Record<string, string>>): HistoryTab[] {
  return tabs.map((tab) => ({ ...tab, ...labelOf({ label: labels[tab.path] }) }));
}

function labelOf({ label }: { label?: string | undefined }): { label?: string } {
  return label === undefined ? {} : { label };
}

/** The tabs without one that was closed, and the tab to show instead: its right neighbour, else its left one. Home stays. */
export function closeTab(tabs: readonly HistoryTab[], path: string): { tabs: HistoryTab[]; next: HistoryTab | null } {
  const index = tabs.findIndex((tab) => tab.path === path);
  if (index < 0 || path === HOME) return { tabs: [...tabs], next: null };
  const left = tabs.toSpliced(index, 1);
  return { tabs: left, next: left[index] ?? left[index - 1] ?? null };
}

/** A route as the sidebar sees it. */
export interface SidebarRoute {
  path: string;
  titleKey: string;
  keys: readonly string[];
  /** shown in the sidebar at all */
  inSidebar?: boolean;
  /** which of the two groups (spec §2) */
  group?: 1 | 2;
  /** dropped itself, its children kept in its place */
  hidden?: boolean;
  children?: readonly SidebarRoute[];
}

export interface SidebarEntry {
  path: string;
  titleKey: string;
  group: 1 | 2;
  children: SidebarEntry[];
}

/** The sidebar of somebody: only flagged routes whose keys are all held; children nest; a hidden parent gives its place to its children (spec §2). */
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
