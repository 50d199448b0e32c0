import { PERMISSIONS } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { flatRoutes, isBuilt, isListed, MANAGE_ROUTES, PUBLIC_ROUTES } from './index.ts';

const all = flatRoutes([...PUBLIC_ROUTES, ...MANAGE_ROUTES]);

describe('the route table', () => {
  it('shows only built pages in the sidebar', () => {
    expect(all.filter((route) => route.inSidebar && !isBuilt(route))).toEqual([]);
  });

  it('lists no page that needs a row: only those of the sidebar open without one', () => {
    const listed = flatRoutes(MANAGE_ROUTES).filter((route) => isListed(route));
    expect(listed.map(({ path }) => path).filter((path) => path.includes(':'))).toEqual([
      '/manage/device/add/:SN?',
      '/manage/device-model/:id?',
      '/manage/logs/action/:type?/:id?',
    ]);
    const titles = listed.map(({ titleKey }) => titleKey);
    expect(titles.filter((title) => title.startsWith('docs')).sort()).toEqual(
      [...new Set(titles.filter((title) => title.startsWith('docs')))].sort(),
    );
  });

  it('contains every path once', () => {
    const paths = all.map((route) => route.path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('requires only permission keys that exist', () => {
    expect(all.flatMap((route) => route.keys).filter((key) => !(key in PERMISSIONS))).toEqual([]);
  });

  it('contains the page of every permission, which requires the permission', () => {
    const plain = (path: string) => path.replace(/\/:\w+\?/g, '');
    const wrong = Object.entries(PERMISSIONS).filter(
      ([key, menu]) =>
        'url' in menu && !all.some(({ path, keys }) => plain(path) === menu.url && keys.some((one) => one === key)),
    );
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it('role authorization has both paths of the specification', () => {
    for (const part of ['menu', 'data']) {
      const [one, other] = ['/manage/role', '/manage/system/role'].map((base) =>
        all.find(({ path }) => path === `${base}/auth/${part}/:RoeId`),
      );
      expect(one).toBeDefined();
      expect({ ...other, screen: null, path: null }).toEqual({ ...one, screen: null, path: null });
    }
  });

  it('redirects only to routes that exist', () => {
    const paths = new Set(all.map((route) => route.path));
    const lost = all.filter(
      ({ redirectTo }) => redirectTo && !paths.has(redirectTo) && !paths.has(`${redirectTo}/:type?/:id?`),
    );
    expect(lost.map((route) => route.path)).toEqual([]);
  });

  it('shows site and device in the first group, role to user in the second, and nothing else', () => {
    const top = MANAGE_ROUTES.filter((route) => route.inSidebar).map((route) => [route.titleKey, route.group]);
    expect(top).toEqual([
      ['home', 1],
      ['site', 1],
      ['device', 1],
      ['role', 2],
      ['configModel', 2],
      ['deviceModel', 2],
      ['logs', 2],
      ['customer', 2],
      ['user', 2],
    ]);
  });
});
