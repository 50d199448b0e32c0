import type { HistoryTab } from '@chargehand/domain';
import { session } from '../../shared/session/session.ts';

const KEY = 'chargehand.tabs';

/** Whoever looks through somebody else's eyes keeps their own tabs for later. */
function keyNow(): string {
  const now = session.get();
  return now.status === 'signedIn' && now.info.viewing ? `${KEY}.${now.user.id}` : KEY;
}

/** The tabs of this browser session; an unreadable note of them is as good as none. */
export function storedTabs(storage: Pick<Storage, 'getItem'> = sessionStorage): HistoryTab[] {
  const text = storage.getItem(keyNow());
  if (text === null) return [];
  try {
    const tabs: unknown = JSON.parse(text);
    return Array.isArray(tabs) ? tabs.filter(isTab) : [];
  } catch (error) {
    console.warn('The tabs of this session cannot be read', error);
    return [];
  }
}

export function storeTabs(tabs: readonly HistoryTab[], storage: Pick<Storage, 'setItem'> = sessionStorage): void {
  storage.setItem(keyNow(), JSON.stringify(tabs));
}

function isTab(value: unknown): value is HistoryTab {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'titleKey' in value &&
    typeof value.titleKey === 'string'
  );
}
