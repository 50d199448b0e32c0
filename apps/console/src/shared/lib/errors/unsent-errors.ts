import type { BrowserErrorReport } from '@chargehand/contract';
import { maskText } from '@chargehand/domain';

/** An error that could not be sent. */
export interface UnsentError {
  report: Omit<BrowserErrorReport, 'count' | 'ago'>;
  /** of the console in which it happened */
  version: string;
  count: number;
  /** when it happened last */
  at: number;
}

/** One key for each error: tabs that write at the same time lose none. */
const PREFIX = 'chargehand.unsentError.';
const CLAIM = 'chargehand.unsentErrors';
/** Errors of all tabs, and the characters of a stack: at most about 200 kB of the 5 MB of the browser. */
const MOST = 20;
const LONGEST_STACK = 4_000;
export const OLDEST_SECONDS = 7 * 86_400;
/** Without Web Locks, a tab waits this long for another one, and a tab that does not end its claim keeps it this long. */
const CLAIM_MS = 500;
const LOST_CLAIM_MS = 60_000;

/**
 * Stores an error, without secrets, for all tabs of this browser; the oldest ones give way.
 * @returns false when the browser allows no storage
 */
export function keepUnsent({ report, version, count, at }: UnsentError): boolean {
  try {
    const { message, stack, path } = report;
    const safe = {
      message: masked(message, 1_000),
      stack: stack === null ? null : masked(stack, LONGEST_STACK),
      path: masked(path, 300),
      session: report.session ?? null,
    };
    const key = PREFIX + report.id;
    const total = count + (read(key)?.count ?? 0);
    localStorage.setItem(key, JSON.stringify({ report: { ...report, ...safe }, version, count: total, at }));
    for (const { report: oldest } of unsentErrors().slice(0, -MOST)) forgetUnsent(oldest.id);
    return true;
  } catch {
    // The browser allows no storage, or it is full.
    return false;
  }
}

/** The stored errors of all tabs, the oldest first. Those that are too old, or cannot be read, are removed. */
export function unsentErrors(): UnsentError[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    const found: UnsentError[] = [];
    for (const key of keys.filter((one) => one.startsWith(PREFIX))) {
      const error = read(key);
      if (error && Date.now() - error.at < OLDEST_SECONDS * 1_000) found.push(error);
      else localStorage.removeItem(key);
    }
    return found.sort((one, other) => one.at - other.at);
  } catch {
    return [];
  }
}

/** Removes an error that was sent. */
export function forgetUnsent(id: string): void {
  localStorage.removeItem(PREFIX + id);
}

/** Does something unless another tab is doing it. A tab that is closed meanwhile ends it for others. */
export async function inOneTab(work: () => Promise<void>): Promise<void> {
  if (navigator.locks) {
    await navigator.locks.request(CLAIM, { ifAvailable: true }, (lock) => lock && work());
    return;
  }
  // The page was not sent by HTTPS. The tab that writes last gets the claim, and waits until the others have read it.
  const [since] = claim();
  if (Math.abs(Date.now() - Number(since)) < LOST_CLAIM_MS) return;
  const own = String(Math.random());
  localStorage.setItem(CLAIM, `${Date.now()} ${own}`);
  await new Promise((resolve) => setTimeout(resolve, CLAIM_MS));
  if (claim()[1] !== own) return;
  await work().finally(() => localStorage.removeItem(CLAIM));
}

function claim(): string[] {
  return (localStorage.getItem(CLAIM) ?? '').split(' ');
}

function read(key: string): UnsentError | null {
  try {
    const error: UnsentError | null = JSON.parse(localStorage.getItem(key) ?? 'null');
    return error && PREFIX + error.report.id === key && error.count > 0 && error.at > 0 ? error : null;
  } catch {
    return null;
  }
}

/** The mask can be longer than what it replaces, and the server accepts no half characters. */
function masked(text: string, longest: number): string {
  return maskText(text.slice(0, longest)).slice(0, longest).toWellFormed();
}
