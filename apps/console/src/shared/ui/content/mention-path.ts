import { DOCUMENT_TYPES } from '@chargehand/domain';

/** The page that a mention opens. The page itself decides whether the reader may see it. */
export function mentionPath(kind: string, id: string): string {
  const part = encodeURIComponent(id);
  switch (kind) {
    case 'device':
      return `/manage/device/detail/${part}`;
    case 'model':
      return `/manage/device-model/${part}`;
    case 'code':
      return `/manage/docs/detail/type/${DOCUMENT_TYPES.alarm}?code=${part}`;
    case 'user':
      return `/manage/user/detail/${part}`;
    default:
      return `/manage/docs/detail/${part}`;
  }
}
