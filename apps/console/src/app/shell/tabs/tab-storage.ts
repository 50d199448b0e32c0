import type { HistoryTab } from '@chargehand/domain';
import { session } from '../../../shared/session/session.ts';

const KEY = 'chargehand.tabs';

/**
 * The storage key of the tabs of the current user; null without one. During impersonation, the tabs of the root account
 * are kept for later.
 */
function keyNow(): string | null {
  const now = session.get();
  return now.status === 'signedIn' || now.status === 'ended' ? `${KEY}.${now.user.id}` : null;
}

/**
 * The tabs of this browser session; none if they cannot be parsed. Tabs contain names that other users may not see, so
 * sign-in deletes those of the previous user.
 */
export function storedTabs(): HistoryTab[] {
  const key = keyNow();
  const now = session.get();
  if (key === null) return [];
  if (now.status === 'signedIn' && !now.info.viewing) forget((other) => other !== key);
  const text = sessionStorage.getItem(key);
  if (text === null) return [];
  try {
    const tabs: unknown = JSON.parse(text);
    return Array.isArray(tabs) ? tabs.filter(isTab) : [];
  } catch (error) {
    console.warn('The stored tabs cannot be parsed', error);
    return [];
  }
}

export function storeTabs(tabs: readonly HistoryTab[]): void {
  const key = keyNow();
  if (key !== null) sessionStorage.setItem(key, JSON.stringify(tabs));
}

/** Deletes all stored tabs when nobody is signed in. */
export function forgetTabs(): void {
  forget(() => true);
}

function forget(wanted: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEY) && wanted(key)) sessionStorage.removeItem(key);
}

function isTab(value: unknown): value is HistoryTab {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'titleKey' in value &&
    typeof value.titleKey === 'string' &&
    (!('label' in value) || typeof value.label === 'string')
  );
}
