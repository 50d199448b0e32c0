import type { AppRoute } from './route.ts';

/** Home, and the pages of the signed-in user. */
export const HOME_ROUTES: readonly AppRoute[] = [
  { path: '/manage', titleKey: 'home', keys: [], redirectTo: '/manage/home' },
  {
    path: '/manage/home',
    titleKey: 'home',
    keys: ['auth_home'],
    inSidebar: true,
    group: 1,
    icon: 'home',
    screen: () => import('../pages/home/home-page.tsx'),
    words: ['home', 'alarms'],
  },
  {
    path: '/manage/welcome',
    titleKey: 'welcome',
    keys: [],
    screen: () => import('../../features/access/welcome-page.tsx'),
    words: ['people', 'welcome'],
  },
  { path: '/manage/noauth', titleKey: 'noauth', keys: [], screen: () => import('../pages/noauth-page.tsx') },
  {
    path: '/manage/my',
    titleKey: 'my',
    keys: ['auth_my'],
    screen: () => import('../pages/my.tsx'),
    words: ['account', 'recovery'],
  },
];
