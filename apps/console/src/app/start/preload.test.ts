import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { flatRoutes, MANAGE_ROUTES, PUBLIC_ROUTES } from '../routes/index.ts';
import { screenAt } from './preload.ts';

describe('the screen of a path', () => {
  it.each([
    ['/login', '/login'],
    ['/manage', '/manage/home'],
    ['/manage/device/list', '/manage/device/list'],
    ['/manage/device/detail/12', '/manage/device/:listtype?/detail/:id/:type?'],
    ['/manage/device/alarm/detail/12/config', '/manage/device/:listtype?/detail/:id/:type?'],
    ['/manage/nowhere/at/all', undefined],
  ])('%s', (path, expected) => {
    expect(screenAt(path)?.path).toBe(expected);
  });

  it('is one that the router finds, for every route', () => {
    for (const { path } of flatRoutes([...PUBLIC_ROUTES, ...MANAGE_ROUTES]).filter(({ redirectTo }) => !redirectTo)) {
      const example = path.replaceAll(/:\w+\??/g, '7');
      const found = screenAt(example)?.path ?? '';
      expect(matchPath(found, example), `${example}: ${found}`).not.toBeNull();
    }
  });
});
