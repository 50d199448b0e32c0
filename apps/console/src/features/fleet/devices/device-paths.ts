import type { DeviceDetail } from '@chargehand/contract';
import type { ParentPage } from '../../../shared/hooks/use-tab-label.ts';

/** The page of a device, opened from the device list or from its site. */
export function detailPath(id: number, from?: 'site'): string {
  return from ? `/manage/device/${from}/detail/${id}` : `/manage/device/detail/${id}`;
}

type Place = Pick<DeviceDetail, 'siteId' | 'siteName' | 'customerId' | 'customerName'>;

/** The site or customer from which the page of a device was opened, by the `{listtype}` of its URL; null: a list. */
export function parentOf(listtype: string | undefined, place: Place): ParentPage | null {
  if (listtype === 'site') return { path: `/manage/site/detail/${place.siteId}?tab=devices`, name: place.siteName };
  if (listtype === 'customer') return { path: `/manage/customer/detail/${place.customerId}`, name: place.customerName };
  return null;
}

/** The page from which the page of a device was opened. Deletion leads there. */
export function parentPath(listtype: string | undefined, place: Place): string {
  const list = listtype === 'alarms' ? '/manage/device/alarms' : '/manage/device/list';
  return parentOf(listtype, place)?.path ?? list;
}

/** The page with the printable labels of devices. */
export function labelsPath(ids: readonly number[]): string {
  return `/manage/device/labels?ids=${ids.join(',')}`;
}
