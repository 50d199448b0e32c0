import type { MessageRow, PermissionKey } from '@chargehand/contract';
import { pagesOfMessage, permits } from '@chargehand/domain';
import { holderOf, useSession } from '../../../shared/session/session.ts';

/** The page of what a message is about that the user may open; null when there is none. */
export function useMessagePage(): (message: MessageRow) => string | null {
  const holder = holderOf(useSession());
  return (message) => {
    const pages = pagesOfMessage({ ...message, deviceIds: message.devices.map(({ id }) => id) });
    return pages.find(({ keys }) => permits(holder, keys as PermissionKey[], 'any'))?.path ?? null;
  };
}
