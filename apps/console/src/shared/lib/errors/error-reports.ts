import type { BrowserErrorKind } from '@chargehand/contract';
import { session } from '../../session/session.ts';
import { forgetUnsent, inOneTab, keepUnsent, OLDEST_SECONDS, type UnsentError, unsentErrors } from './unsent-errors.ts';

const URL = '/api/unauth/errors';
/** The first report of a cause is sent soon. Each later one waits twice as long as the one before. */
const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;
/** Reports of one request, causes that a page distinguishes, and requests of one page. */
const AT_ONCE = 10;
const MAX_CAUSES = 50;
const MAX_REQUESTS = 100;
/** The longest pause while the server cannot be reached, and the longest wait for its response. */
const UNREACHABLE_MS = 30_000;
const TIMEOUT_MS = 30_000;
/** A page that is closed keeps an error that has been without response for longer. */
const USUAL_RESPONSE_MS = 5_000;
/** The most bytes of a request that a browser also sends when its page is closed, 64 kB, without the last line. */
const LARGEST_BODY = 60_000;
const VERSION = import.meta.env.CHARGEHAND_VERSION ?? '';

interface Cause {
  report: UnsentError['report'];
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
/** The errors of this page that are being sent, and since when. */
let onTheWay: { errors: UnsentError[]; since: number } | null = null;

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
    const session = sessionId();
    const key = `${session} ${kind} ${name} ${message.replace(/\d+/g, '#')} ${stack?.slice(0, 400)}`;
    let cause = causes.get(key);
    if (!cause) {
      if (causes.size >= MAX_CAUSES) return null;
      const texts = {
        name: line(name, 100),
        message: lines(message, 1_000),
        stack: stack ? lines(stack, 8_000) : null,
        path: line(location.pathname, 300),
      };
      cause = { report: { id: newId(), kind, ...texts, session }, unsent: 0, at: 0 };
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

/** The session in which an error happens: the server assigns it to no other user. Undefined while it is not known. */
function sessionId(): string | null | undefined {
  const now = session.get();
  if (now.status === 'signedIn' || now.status === 'ended') return now.info.tokenId;
  return now.status === 'anonymous' ? null : undefined;
}

addEventListener('pagehide', () => {
  const isAway = isUnreachable || !navigator.onLine;
  if (onTheWay && (isAway || Date.now() - onTheWay.since > USUAL_RESPONSE_MS)) keep(onTheWay.errors);
  const own = take();
  if (own.length === 0 || requests >= MAX_REQUESTS) return;
  const first = batchOf(own);
  const body = new Blob([bodyOf(first)], { type: 'application/json' });
  const isSent = !isAway && navigator.sendBeacon(URL, body);
  keep(isSent ? own.slice(first.length) : own);
});
addEventListener('online', () => {
  if (!isUnreachable || !isScheduled) return;
  clearTimeout(timer);
  void send();
});
// What closed pages could not send.
if (unsentErrors().length > 0) schedule();

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  timer = setTimeout(() => void send(), pause) as unknown as number;
}

/** Sends the errors of this page. Those that do not arrive are stored, and one tab sends the stored ones of all. */
async function send(): Promise<void> {
  isScheduled = false;
  pause = Math.min(pause * 2, LONGEST_MS);
  if (requests >= MAX_REQUESTS) return;
  const own = isUnreachable ? keep(take()) : take();
  const first = batchOf(own);
  onTheWay = { errors: first, since: Date.now() };
  const isAccepted = first.length === 0 || (await post(first));
  onTheWay = null;
  const left = isAccepted ? own.slice(first.length) : own;
  for (const { cause, count } of isUnreachable ? keep(left) : left) cause.unsent += count;
  if (isAccepted) await inOneTab(sendStored).catch(() => undefined);
  if (isUnreachable) pause = Math.min(pause, UNREACHABLE_MS);
  if ([...causes.values()].some(({ unsent }) => unsent > 0) || unsentErrors().length > 0) schedule();
}

async function sendStored(): Promise<void> {
  while (requests < MAX_REQUESTS) {
    const batch = batchOf(unsentErrors());
    if (batch.length === 0 || !(await post(batch))) return;
    for (const { report } of batch) forgetUnsent(report.id);
  }
}

/** False when the errors have to be sent again. */
async function post(errors: UnsentError[]): Promise<boolean> {
  requests += 1;
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { ok, status } = await fetch(URL, { method: 'POST', headers, body: bodyOf(errors), keepalive: true, signal });
    // A proxy answers for a server that is down.
    isUnreachable = status >= 500;
    // What the server does not understand would be refused again.
    if (ok || status === 400 || status === 413) return true;
  } catch {
    isUnreachable = true;
  }
  if (isUnreachable) requests -= 1;
  return false;
}

/** The errors of this page that were not sent; from now on, the caller has them. */
function take(): (UnsentError & { cause: Cause })[] {
  const taken = [...causes.values()].filter(({ unsent }) => unsent > 0);
  return taken.map((cause) => {
    const { report, unsent, at } = cause;
    cause.unsent = 0;
    return { cause, report, version: VERSION, count: unsent, at };
  });
}

/** Stores errors for the next page. @returns those that could not be stored */
function keep<E extends UnsentError>(errors: E[]): E[] {
  return errors.filter((error) => !keepUnsent(error));
}

/** The first errors that fit into a request. */
function batchOf<E extends UnsentError>(errors: E[]): E[] {
  let bytes = 0;
  const end = errors.findIndex(({ report, version }, index) => {
    bytes += new TextEncoder().encode(JSON.stringify(report)).length + 100;
    return index === AT_ONCE || (index > 0 && bytes > LARGEST_BODY) || version !== errors[0]?.version;
  });
  return end === -1 ? errors : errors.slice(0, end);
}

function bodyOf(errors: readonly UnsentError[]): string {
  const reports = errors.map(({ report, count, at }) => {
    const ago = Math.min(Math.max(0, Math.round((Date.now() - at) / 1_000)), OLDEST_SECONDS);
    return { ...report, count: Math.min(count, 100_000), ago };
  });
  return JSON.stringify({ version: errors[0]?.version ?? VERSION, reports });
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
