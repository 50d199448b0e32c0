import type { HistoryTab } from '@chargehand/domain';

const KEY = 'chargehand.tabs';

/** The tabs of this browser session; an unreadable note of them is as good as none. */
export function storedTabs(storage: Pick<Storage, 'getItem'> = sessionStorage): HistoryTab[] {
  const text = storage.getItem(KEY);
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
  storage.setItem(KEY, JSON.stringify(tabs));
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
