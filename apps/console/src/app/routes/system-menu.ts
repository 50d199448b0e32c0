import { holdsAll, type PermissionHolder } from '@chargehand/domain';
import { isAmong } from '../../shared/session/is-among.ts';
import { type AppRoute, flatRoutes, MANAGE_ROUTES } from './index.ts';

/** The pages about the platform itself, in the groups of the menu of *System*. */
const SYSTEM_MENU = {
  access: ['/manage/system/online', '/manage/system/application/list', '/manage/system/menu', '/manage/system/privacy'],
  configuration: ['/manage/system/parameter', '/manage/system/dictionary'],
  data: ['/manage/system/list', '/manage/token/list'],
  operation: ['/manage/system/dashboard', '/manage/system/mails'],
} as const;

type SystemGroup = keyof typeof SYSTEM_MENU;

/** The page that lists the others. */
export const SYSTEM_OVERVIEW = '/manage/system/welcome';

const GROUPS = Object.entries(SYSTEM_MENU) as [SystemGroup, readonly string[]][];
const PATHS = GROUPS.flatMap(([, paths]) => paths);

/** The menu of *System* for a user: groups with the pages that they may open. */
export function systemMenuOf(
  holder: PermissionHolder,
  user: Parameters<typeof isAmong>[1],
): { group: SystemGroup; routes: AppRoute[] }[] {
  const all = flatRoutes(MANAGE_ROUTES);
  return GROUPS.map(([group, paths]) => ({
    group,
    routes: paths
      .flatMap((path) => all.find((route) => route.path === path) ?? [])
      .filter(({ keys, who }) => holdsAll(holder, keys) && isAmong(who, user)),
  })).filter(({ routes }) => routes.length > 0);
}

/** The page of the menu to which a path belongs: a list also has the pages of its rows. Null for other pages. */
export function systemPageOf(path: string): string | null {
  if (path === SYSTEM_OVERVIEW) return path;
  return (
    PATHS.find(
      (page) =>
        path === page ||
        (page.endsWith('/list') && page !== '/manage/system/list' && path.startsWith(page.slice(0, -4))),
    ) ?? null
  );
}
