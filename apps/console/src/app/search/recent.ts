import { session } from '../../shared/session/session.ts';
import { routeAt } from '../destinations.ts';
import type { Entry } from './entries.ts';

const KEY = 'chargehand.found';
const KEPT = 6;

type Kept = Pick<Entry, 'key' | 'title' | 'code' | 'within' | 'to'>;

/** The storage key of the current user. An impersonation has its own, because other objects are visible then. */
function keyNow(): string | null {
  const now = session.get();
  return now.status === 'signedIn' ? `${KEY}.${now.user.id}` : null;
}

/**
 * What the user opened from the search in this browser session, latest first. It contains names that other users may
 * not see, so reading it deletes that of other users.
 */
export function recentEntries(): Entry[] {
  const key = keyNow();
  if (key === null) return [];
  for (const other of Object.keys(sessionStorage)) {
    if (other.startsWith(KEY) && other !== key) sessionStorage.removeItem(other);
  }
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch (error) {
    console.warn('The recent searches cannot be parsed', error);
    return [];
  }
}

/** Remembers an opened entry. Commands and lists are not remembered. */
export function rememberEntry({ key, title, code, within, to, isList }: Entry): void {
  const store = keyNow();
  if (store === null || to === undefined || isList) return;
  const entry = { key, title, code, within, to } satisfies { [K in keyof Kept]: Kept[K] | undefined };
  const others = recentEntries().filter((known) => known.key !== key);
  sessionStorage.setItem(store, JSON.stringify([entry, ...others].slice(0, KEPT)));
}

function isKept(value: unknown): value is Kept {
  const entry = value as Partial<Kept> | null;
  return (
    typeof entry?.key === 'string' &&
    typeof entry.title === 'string' &&
    typeof entry.to === 'string' &&
    routeAt(entry.to) !== undefined
  );
}
