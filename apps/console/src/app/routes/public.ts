import type { AppRoute } from './route.ts';

/** Routes that require no session. */
export const PUBLIC_ROUTES: readonly AppRoute[] = [
  { path: '/login', titleKey: 'login', keys: [], screen: () => import('../../features/access/login-route.tsx') },
  {
    path: '/find-password',
    titleKey: 'findPassword',
    keys: [],
    screen: () => import('../../features/access/recovery/find-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/find-password/reset',
    titleKey: 'resetPassword',
    keys: [],
    screen: () => import('../../features/access/recovery/reset-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/find-password/email',
    titleKey: 'confirmEmail',
    keys: [],
    screen: () => import('../../features/access/recovery/confirm-email-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/choose-password',
    titleKey: 'choosePassword',
    keys: [],
    screen: () => import('../../features/access/recovery/choose-password-page.tsx'),
    words: ['recovery'],
  },
  {
    path: '/second-factor',
    titleKey: 'secondFactor',
    keys: [],
    screen: () => import('../../features/account/second-factor/second-factor-page.tsx'),
    words: ['account'],
  },
  {
    path: '/share/file',
    titleKey: 'sharedFile',
    keys: [],
    screen: () => import('../../features/shares/visitor/share-page.tsx'),
    words: ['share'],
  },
  {
    path: '/share/issue',
    titleKey: 'reportIssue',
    keys: [],
    screen: () => import('../pages/report-page.tsx'),
    words: ['report'],
  },
];
