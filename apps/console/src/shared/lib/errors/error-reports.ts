import type { BrowserErrorKind, BrowserErrorReport } from '@chargehand/contract';

const URL = '/api/unauth/errors';
/** The first report of a cause is sent soon. Each later one waits twice as long as the one before. */
const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;
/** Reports of one request, causes that a page distinguishes, and requests of one page. */
const AT_ONCE = 10;
const MAX_CAUSES = 50;
const MAX_REQUESTS = 100;
/** The longest pause while the server cannot be reached, and the causes that survive a reload of the page meanwhile. */
const UNREACHABLE_MS = 30_000;
const MAX_STORED = 20;
const STORED = 'unsentErrors';
const OLDEST_SECONDS = 7 * 86_400;

interface Cause {
  report: Omit<BrowserErrorReport, 'count' | 'ago'>;
  unsent: number;
  /** when it happened last */
  at: number;
}

const causes = new Map<string, Cause>();
let isScheduled = false;
let pause = FIRST_MS;
let requests = 0;
let timer = 0;
let isUnreachable = false;

/**
 * Logs and reports an uncaught error, an unhandled rejection or an image that could not be loaded, all as events, or the
 * error of a page. `then` receives the id of the report, or null.
 */
export function report(error: unknown, then?: unknown): void {
  // Loaded before an error, because it cannot be loaded while the server cannot be reached.
  if (error === undefined && then === undefined) return;
  if (error instanceof Event) {
    reportEvent(error);
    return;
  }
  console.error('A page failed', error);
  // The server knows its own errors: the message of such an error contains the id of the request, and the router has others
  // for pages that do not exist.
  const isError = error instanceof Error && error.name !== 'ApiProblem';
  const isChunk = isError && error.name === 'ChunkLoadError';
  const id = isError ? reportError(isChunk ? 'chunk' : 'page', error) : null;
  if (typeof then === 'function') then(id);
}

function reportEvent(event: Event): void {
  if (event instanceof PromiseRejectionEvent) {
    console.error('Unhandled rejection', event.reason);
    reportError('rejection', event.reason);
  } else if (event.target instanceof HTMLImageElement) {
    const { src } = event.target;
    // Pictures that only this page has, such as one that is being uploaded.
    if (!/^(data|blob):/.test(src)) reportError('image', new FailedImage(src.split(/[?#]/)[0]));
  } else if (event instanceof ErrorEvent) {
    console.error('Uncaught error', event.error ?? event.message);
    reportError('error', event.error ?? event.message);
  }
}

/** Here, because a second chunk for `random-id` would make every page larger. */
function newId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
}

class FailedImage extends Error {
  override name = 'FailedImage';
  override stack = '';
}

/**
 * Reports an error to the server, which stores it in the error log. Repetitions are counted and sent later as one report.
 * @returns the id by which an administrator finds the error; null when it is not reported
 */
export function reportError(kind: BrowserErrorKind, error: unknown): string | null {
  try {
    const { name, message, stack } =
      error instanceof Error ? error : { name: 'Error', message: String(error), stack: null };
    const key = `${kind} ${name} ${message.replace(/\d+/g, '#')} ${stack?.slice(0, 400)}`;
    let cause = causes.get(key);
    if (!cause) {
      if (causes.size >= MAX_CAUSES) return null;
      const texts = {
        name: line(name, 100),
        message: lines(message, 1_000),
        stack: stack ? lines(stack, 8_000) : null,
        path: line(location.pathname, 300),
      };
      cause = { report: { id: newId(), kind, ...texts }, unsent: 0, at: 0 };
      causes.set(key, cause);
    }
    cause.unsent += 1;
    cause.at = Date.now();
    schedule();
    return cause.report.id;
  } catch {
    // The value that was thrown cannot be read. Reporting that would fail again.
    return null;
  }
}

addEventListener('pagehide', () => {
  if (isUnreachable) {
    keep();
    return;
  }
  const { body } = take();
  if (body) navigator.sendBeacon(URL, new Blob([body], { type: 'application/json' }));
});
addEventListener('online', () => {
  if (!isUnreachable || !isScheduled) return;
  clearTimeout(timer);
  void send();
});
restore();

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  timer = setTimeout(() => void send(), pause) as unknown as number;
}

async function send(): Promise<void> {
  isScheduled = false;
  pause = Math.min(pause * 2, LONGEST_MS);
  const { body, giveBack } = take();
  if (!body) return;
  try {
    const headers = { 'content-type': 'application/json' };
    const { ok, status } = await fetch(URL, { method: 'POST', headers, body, keepalive: true });
    // A proxy answers for a server that is down.
    isUnreachable = status >= 500;
    if (!ok) giveBack();
  } catch {
    isUnreachable = true;
    giveBack();
  }
  if (isUnreachable) {
    requests -= 1;
    pause = Math.min(pause, UNREACHABLE_MS);
  }
  keep();
  if (unsent().length > 0) schedule();
}

function unsent(): [string, Cause][] {
  return [...causes].filter(([, cause]) => cause.unsent > 0);
}

/** Stores what could not be sent in the tab, so that it survives a reload. */
function keep(): void {
  try {
    if (isUnreachable) sessionStorage.setItem(STORED, JSON.stringify(unsent().slice(-MAX_STORED)));
    else sessionStorage.removeItem(STORED);
  } catch {
    // The browser allows no storage, or it is full.
  }
}

/** What an earlier page of this tab could not send. */
function restore(): void {
  try {
    for (const [key, cause] of JSON.parse(sessionStorage.getItem(STORED) ?? '[]')) causes.set(key, cause);
  } catch {
    // The browser allows no storage.
  }
  if (causes.size > 0) schedule();
}

/** The next request, and a function for the case that it fails. */
function take(): { body: string | null; giveBack(): void } {
  const taken = unsent()
    .slice(0, AT_ONCE)
    .map(([, cause]) => cause);
  if (taken.length === 0 || requests >= MAX_REQUESTS) return { body: null, giveBack: () => undefined };
  requests += 1;
  const reports = taken.map(({ report, unsent: number, at }) => {
    const ago = Math.min(Math.max(0, Math.round((Date.now() - at) / 1_000)), OLDEST_SECONDS);
    return { ...report, count: Math.min(number, 100_000), ago };
  });
  for (const cause of taken) cause.unsent = 0;
  return {
    body: JSON.stringify({ version: import.meta.env.CHARGEHAND_VERSION ?? '', reports }),
    giveBack() {
      for (const [place, cause] of taken.entries()) cause.unsent += reports[place]?.count ?? 0;
    },
  };
}

/** The server accepts no control characters and marks of direction, and in texts of one line no breaks. */
function lines(text: string, longest: number): string {
  return text
    .replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, ' ')
    .slice(0, longest)
    .toWellFormed();
}

function line(text: string, longest: number): string {
  return lines(text, longest).replace(/[\n\t]/g, ' ');
}
