import type { MessageSubject } from '@chargehand/domain';

/** What a message is about, as far as its link needs it. */
export interface LinkedMessage {
  subject: { kind: MessageSubject; id: string };
  siteId: number | null;
  /** the affected devices that are known; the first ones suffice */
  devices: readonly { id: number }[];
}

/** The page of the console that shows what a message is about. */
export function messagePath({ subject, siteId, devices }: LinkedMessage): string {
  const { kind, id } = subject;
  const [device] = devices;
  const site = siteId === null ? null : `/manage/site/detail/${siteId}`;
  switch (kind) {
    case 'alarm':
      if (device && (devices.length === 1 || site === null)) {
        return `/manage/device/detail/${device.id}?tab=details&section=alarms&state=all`;
      }
      return site ?? '/manage/device/alarms';
    case 'device':
      return `/manage/device/detail/${id}`;
    case 'execution':
      return device ? `/manage/device/detail/${device.id}?tab=operations` : '/manage/device/list';
    case 'commandBatch':
      return `/manage/device/batch/${id}`;
    case 'site':
      return `/manage/site/detail/${id}`;
    case 'issue':
      return `/manage/issue/detail/${id}`;
    case 'share':
      return `/manage/attach/shares?share=${id}`;
    case 'waitingDevice':
      return '/manage/system/list';
    case 'user':
      return '/manage/my';
    case 'system':
      return '/manage/message/list';
  }
}
