import type { Room } from '../../shared/i18n/words.ts';
import type { AppRoute } from './route.ts';

/** The texts of the pages of one issue; commands are named in its timeline. */
const ISSUE_WORDS: readonly Room[] = ['issues', 'issue', 'content', 'operations'];

/** Messages and issues. */
export const ISSUE_ROUTES: readonly AppRoute[] = [
  {
    path: '/manage/message',
    titleKey: 'message',
    keys: ['auth_message'],
    redirectTo: '/manage/message/list',
    children: [
      {
        path: '/manage/message/list',
        titleKey: 'messageList',
        keys: ['auth_message_list'],
        screen: () => import('../../features/messages/inbox/inbox-page.tsx'),
        words: ['messages'],
      },
      {
        path: '/manage/message/setting',
        titleKey: 'messageSetting',
        keys: ['auth_message_setting'],
        parent: '/manage/message/list',
        screen: () => import('../../features/messages/settings/settings-page.tsx'),
        words: ['messages'],
      },
      {
        path: '/manage/message/channels',
        titleKey: 'messageChannels',
        keys: ['auth_message_channels'],
        parent: '/manage/message/list',
        screen: () => import('../../features/messages/channels/channels-page.tsx'),
        words: ['channels', 'messages'],
      },
    ],
  },
  {
    path: '/manage/issue',
    titleKey: 'issue',
    keys: ['auth_issue'],
    redirectTo: '/manage/issue/list',
    children: [
      {
        path: '/manage/issue/list',
        titleKey: 'issueList',
        keys: ['auth_issue_list'],
        screen: () => import('../../features/issues/list/issue-list-page.tsx'),
        words: ['issues'],
      },
      {
        path: '/manage/issue/add',
        titleKey: 'issueAdd',
        keys: ['auth_issue_add'],
        screen: () => import('../../features/issues/form/add-page.tsx'),
        words: ISSUE_WORDS,
      },
      {
        path: '/manage/issue/update/:id',
        titleKey: 'issueEdit',
        keys: ['auth_issue_edit'],
        parent: '/manage/issue/detail/:id',
        screen: () => import('../../features/issues/form/edit-page.tsx'),
        words: ISSUE_WORDS,
      },
      {
        path: '/manage/issue/detail/:id',
        titleKey: 'issueDetail',
        keys: ['auth_issue_detail'],
        ofRow: true,
        screen: () => import('../pages/issue-detail.tsx'),
        words: [...ISSUE_WORDS, 'messages'],
      },
    ],
  },
];
