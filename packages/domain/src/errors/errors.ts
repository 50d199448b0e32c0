import { maskText } from './mask-text.ts';

/** Where an error happened. */
export const ERROR_SOURCES = ['server', 'browser', 'job', 'mail', 'webhook', 'device'] as const;
export type ErrorSource = (typeof ERROR_SOURCES)[number];

/** What administrators have decided about an error. */
export const ERROR_STATES = ['new', 'known', 'solved'] as const;
export type ErrorState = (typeof ERROR_STATES)[number];

/** When a solution takes effect: at once, or with the first version after the current one. */
export const SOLVED_IN = ['now', 'nextVersion'] as const;
export type SolvedIn = (typeof SOLVED_IN)[number];

/** The stack frames that identify a cause. More of them would split a cause by its callers. */
const CAUSE_FRAMES = 3;

/** Characters of a line of a stack that are read. Lines of our own code have fewer. */
const LINE_LENGTH = 500;

/** The limits of a stored error, in characters. Longer texts are cut. */
export const ERROR_LIMITS = { name: 100, message: 1_000, stack: 8_000, path: 300, agent: 300 } as const;

/** An error as it was caught: class, message and stack. */
export interface CaughtError {
  source: ErrorSource;
  name: string;
  message: string;
  stack: string | null;
}

/** An error as it is stored: within the limits, without secrets. */
export function storedError<E extends CaughtError>(error: E): E {
  const { name, message, stack } = error;
  return {
    ...error,
    name: cut(maskText(cut(name, ERROR_LIMITS.name)), ERROR_LIMITS.name),
    message: cut(maskText(cut(message, ERROR_LIMITS.message)), ERROR_LIMITS.message),
    stack: stack === null ? null : cut(maskText(cut(stack, ERROR_LIMITS.stack)), ERROR_LIMITS.stack),
  };
}

/**
 * What identifies the cause of an error: source, class, message without numbers and ids, and the first frames of our own
 * code without positions, so that a cause keeps its identity in later versions.
 */
export function causeOf({ source, name, message, stack }: CaughtError): string {
  return [source, name, generalText(message), ...ownFrames(stack ?? '', source)].join('\n');
}

/** A message without what differs between occurrences: numbers, ids, times, addresses and values in quotes. */
export function generalText(message: string): string {
  return message
    .slice(0, ERROR_LIMITS.message)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replace(/(: )?"[^"]{0,200}"$/, '$1"#"')
    .replace(/\d+(?:[.:,T/-]\d+)*/g, '#')
    .trim();
}

/** The first frames of our own code: function and file on the server, file in browsers, where names are minified. */
export function ownFrames(stack: string, source: ErrorSource): string[] {
  const frames: string[] = [];
  for (const line of stack.slice(0, ERROR_LIMITS.stack).split('\n')) {
    const start = line.slice(0, LINE_LENGTH);
    const frame = source === 'browser' ? browserFrame(start) : serverFrame(start);
    if (frame !== null) frames.push(frame);
    if (frames.length === CAUSE_FRAMES) break;
  }
  return frames;
}

function serverFrame(line: string): string | null {
  const place = /^\s*at (.*)$/.exec(line)?.[1];
  if (place === undefined || place.includes('node_modules')) return null;
  const file = /((?:apps|packages)\/[^:()]{1,300}):\d/.exec(place)?.[1];
  if (file === undefined) return null;
  const name = /^(?:async )?([^(]{1,200}) \(/.exec(place)?.[1] ?? '';
  return `${name} ${file}`.trim();
}

function browserFrame(line: string): string | null {
  const file = /\/assets\/([\w.-]+?)(?:-[\w-]{8})?\.js(?::\d+)/.exec(line)?.[1];
  return file ?? null;
}

/** -1, 0 or 1 as version `a` is earlier than, equal to or later than `b`. Unknown versions are equal to all others. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => /^\d+(?:\.\d+)*/.exec(version)?.[0].split('.').map(Number));
  if (!left || !right) return 0;
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** What the rules need to know about a stored cause. */
export interface ErrorStanding {
  state: ErrorState;
  /** when the state was last changed; null: never */
  stateAt: Date | null;
  /** the version that ran when it was solved; null unless solved */
  solvedVersion: string | null;
  solvedIn: SolvedIn | null;
}

/**
 * True when a solved error has returned: it happened after it was solved, in the version that ran then or a later one.
 * With `nextVersion` only a later version counts, because the solution is not installed yet. Old pages that are still
 * open in browsers have an earlier version and do not count.
 */
export function hasReturned(standing: ErrorStanding, seen: { at: Date; version: string }): boolean {
  const { state, stateAt, solvedVersion, solvedIn } = standing;
  if (state !== 'solved' || stateAt === null || seen.at <= stateAt) return false;
  const order = solvedVersion === null ? 0 : compareVersions(seen.version, solvedVersion);
  return solvedIn === 'nextVersion' ? order > 0 : order >= 0;
}

/** True for a change of the state that an administrator can make. A solution can be changed from one kind to the other. */
export function mayChangeState(
  from: Pick<ErrorStanding, 'state' | 'solvedIn'>,
  to: { state: ErrorState; solvedIn: SolvedIn | null },
): boolean {
  if ((to.state === 'solved') !== (to.solvedIn !== null)) return false;
  return from.state !== to.state || from.solvedIn !== to.solvedIn;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
