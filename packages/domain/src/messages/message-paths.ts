import { isFaultType, type MessageSubject, type NoticeType } from './message-types.ts';

/** A message, as far as its page depends on it. */
export interface LinkedMessage {
  type: NoticeType;
  subject: { kind: MessageSubject; id: string };
  siteId: number | null;
  /** the affected devices: their number, and the IDs that are known */
  deviceCount: number;
  deviceIds: readonly number[];
  /** the number of events that it consists of */
  events: number;
}

/** A page of the console, and the permission keys of which one suffices to open it. */
export interface MessagePage {
  path: string;
  keys: readonly string[];
}

/**
 * The pages that show what a message is about, the best one first: the object itself, or for an incident with several
 * events the place where all of them are. Which of them a user may open depends on their permissions. Empty for a message
 * without a page.
 */
export function pagesOfMessage(message: LinkedMessage): MessagePage[] {
  const { type, subject, siteId, deviceIds } = message;
  const [deviceId] = deviceIds;
  const id = encodeURIComponent(subject.id);
  if (isFaultType(type)) return pagesOfFault(message);
  switch (subject.kind) {
    case 'device':
      return [devicePage(id, '')];
    case 'site':
      return [sitePage(id, '')];
    case 'execution':
      return deviceId === undefined ? [] : [devicePage(deviceId, '?tab=operations')];
    case 'commandBatch':
      return [{ path: `/manage/device/batches/${id}`, keys: ['auth_device_detail'] }];
    case 'issue':
      return [{ path: `/manage/issue/detail/${id}`, keys: ['auth_issue_detail'] }];
    case 'share':
      return [{ path: `/manage/attach/shares?share=${id}`, keys: ['auth_attach'] }];
    case 'waitingDevice':
      return [{ path: '/manage/system/list', keys: ['auth_black_device'] }];
    case 'user':
      return [{ path: '/manage/my', keys: ['auth_my'] }];
    default:
      return siteId === null ? [] : [sitePage(siteId, '')];
  }
}

function pagesOfFault({ subject, siteId, deviceCount, deviceIds, events }: LinkedMessage): MessagePage[] {
  const [deviceId] = deviceIds;
  const alarm = subject.kind === 'alarm' && events === 1 ? `&alarm=${encodeURIComponent(subject.id)}` : '';
  const onDevice =
    deviceCount <= 1 && deviceId !== undefined
      ? [devicePage(deviceId, `?tab=details&section=alarms${alarm || '&state=all'}`)]
      : [];
  const onSite = siteId === null ? [] : [sitePage(siteId, '?tab=faults')];
  const inList = {
    path: `/manage/device/alarms?${alarm ? alarm.slice(1) : siteId === null ? '' : `siteId=${siteId}`}`,
    keys: ['auth_device_list'],
  };
  return [...onDevice, ...onSite, inList, { path: '/manage/home', keys: ['auth_home'] }];
}

function devicePage(id: number | string, rest: string): MessagePage {
  return { path: `/manage/device/detail/${id}${rest}`, keys: ['auth_device_detail'] };
}

function sitePage(id: number | string, rest: string): MessagePage {
  return { path: `/manage/site/detail/${id}${rest}`, keys: ['auth_site_detail'] };
}
