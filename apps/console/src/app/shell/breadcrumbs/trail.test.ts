import { expect, it } from 'vitest';
import type { ParentPage } from '../../../shared/hooks/use-tab-label.ts';
import { trailOf } from './trail.ts';

const SITE: ParentPage = { path: '/manage/site/detail/4?tab=devices', name: 'North quay' };

it.each<[path: string, name: string | undefined, trail: string[], parent?: ParentPage]>([
  ['/manage/home', undefined, []],
  ['/manage/device/list', undefined, []],
  ['/manage/device-model', undefined, []],
  ['/manage/logs/action/login', undefined, []],
  ['/manage/my', undefined, []],
  ['/manage/system/welcome', undefined, []],
  ['/manage/system/online', undefined, ['system', 'online']],
  ['/manage/system/application/detail/5', 'Billing', ['system', 'applicationList', 'Billing']],
  ['/manage/nowhere', undefined, []],
  ['/manage/site/add', undefined, ['site', 'siteList', 'siteAdd']],
  ['/manage/site/detail/4', undefined, ['site', 'siteList', 'siteDetail']],
  ['/manage/site/detail/4', 'North quay', ['site', 'siteList', 'North quay']],
  ['/manage/site/update/4', undefined, ['site', 'siteList', 'siteDetail', 'siteEdit']],
  ['/manage/site/update/4', 'North quay', ['site', 'siteList', 'North quay', 'siteEdit']],
  ['/manage/device/add/PILE-8', 'PILE-8', ['device', 'deviceList', 'deviceAdd']],
  ['/manage/device/detail/7', 'Pile 7', ['device', 'deviceList', 'Pile 7']],
  ['/manage/device/detail/7/config', 'Pile 7', ['device', 'deviceList', 'Pile 7']],
  ['/manage/device/other/detail/7', 'Pile 7', ['device', 'deviceList', 'Pile 7']],
  ['/manage/device/alarms/detail/7', 'Pile 7', ['device', 'alarms', 'Pile 7']],
  ['/manage/device/site/detail/7', undefined, ['site', 'siteList', 'deviceDetail']],
  ['/manage/device/site/detail/7', 'Pile 7', ['site', 'siteList', 'North quay', 'Pile 7'], SITE],
  ['/manage/device/update/7', 'Pile 7', ['device', 'deviceList', 'Pile 7', 'deviceEdit']],
  ['/manage/device/batches/3', 'Reset', ['device', 'batches', 'Reset']],
  ['/manage/device-model/8', 'World pile', ['deviceModel', 'World pile']],
  ['/manage/logs/action/site/4', 'North quay', ['logs', 'logsAction', 'North quay']],
  ['/manage/customer/detail/2', 'Customer north', ['customer', 'customerList', 'Customer north']],
  ['/manage/user/auth/3', 'ada', ['user', 'userList', 'ada', 'userAuth']],
  ['/manage/role/auth/data/5', 'Night shift', ['role', 'roleList', 'Night shift']],
  ['/manage/system/role/auth/data/5', 'Night shift', ['role', 'roleList', 'Night shift']],
  ['/manage/system/role/auth/message/5', 'Night shift', ['role', 'roleList', 'Night shift']],
])('%s with the name %s', (path, name, trail, parent) => {
  expect(trailOf(path, name, parent).map((crumb) => crumb.name ?? crumb.titleKey)).toEqual(trail);
});

it('links every page above, with its permissions', () => {
  const crumbs = trailOf('/manage/device/site/detail/7', 'Pile 7', SITE);
  expect(crumbs.map(({ path, keys }) => [path, ...keys])).toEqual([
    ['/manage/site/list', 'auth_site_list'],
    ['/manage/site/list', 'auth_site_list'],
    ['/manage/site/detail/4?tab=devices', 'auth_site_detail'],
    ['/manage/device/site/detail/7', 'auth_device_detail'],
  ]);
});
