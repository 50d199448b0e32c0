import type { PermissionHolder } from '@chargehand/domain';
import { describe, expect, it } from 'vitest';
import { afterLogin, loginPath, routeAt, stepPath } from './destinations.ts';

const root: PermissionHolder = { root: true, keys: new Set() };
const lister: PermissionHolder = { root: false, keys: new Set(['auth_device', 'auth_device_list']) };
const homely: PermissionHolder = { root: false, keys: new Set(['auth_home']) };

describe('after sign-in', () => {
  it.each([
    ['root gets Home', root, null, '/manage/home'],
    ['a user with the key of Home gets Home', homely, null, '/manage/home'],
    ['a user without it gets Welcome', lister, null, '/manage/welcome'],
    [
      'a deep link is followed with all its keys',
      lister,
      '/manage/device/list?status=faulted',
      '/manage/device/list?status=faulted',
    ],
    ['a deep link with missing keys leads to Welcome', homely, '/manage/device/list', '/manage/welcome'],
    ['an unknown page is not a deep link', homely, '/manage/nowhere', '/manage/home'],
    ['another host is not a deep link', homely, '//evil.example/manage/home', '/manage/home'],
    ['another scheme is not a deep link', homely, 'https://evil.example/', '/manage/home'],
    ['the sign-in page is not a deep link', homely, '/login', '/manage/home'],
  ])('%s', (_title, holder, from, to) => expect(afterLogin(holder, from)).toBe(to));
});

describe('the route of a path', () => {
  it.each([
    ['/manage/device/list', '/manage/device/list'],
    ['/manage/device/add', '/manage/device/add/:SN?'],
    ['/manage/device/add/PILE-1', '/manage/device/add/:SN?'],
    ['/manage/device/detail/7', '/manage/device/:listtype?/detail/:id/:type?'],
    ['/manage/device/site/detail/7/logs', '/manage/device/:listtype?/detail/:id/:type?'],
    ['/manage/device-model', '/manage/device-model/:id?'],
    ['/manage/logs/action/login/3', '/manage/logs/action/:type?/:id?'],
    ['/manage/docs/detail/type/100', '/manage/docs/detail/type/:type?'],
  ])('%s is %s', (path, route) => expect(routeAt(path)?.path).toBe(route));
});

it('a path whose page is not built has no route', () => {
  expect(routeAt('/manage/system/nothing')).toBeUndefined();
});

describe('the path of the sign-in page', () => {
  it.each([
    ['https://host/manage/device/list?page=2', '/login?from=%2Fmanage%2Fdevice%2Flist%3Fpage%3D2'],
    ['https://host/manage/home', '/login'],
    ['https://host/manage', '/login'],
  ])('from %s is %s', (url, path) => expect(loginPath(url)).toBe(path));

  it('is that of the password page, for users who must choose a password', () => {
    expect(stepPath('/choose-password', 'https://host/manage/site/list')).toBe(
      '/choose-password?from=%2Fmanage%2Fsite%2Flist',
    );
    expect(stepPath('/second-factor', 'https://host/manage/home')).toBe('/second-factor');
  });
});
