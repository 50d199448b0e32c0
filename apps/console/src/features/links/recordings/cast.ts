/** What a terminal showed at a time. */
export interface CastEvent {
  /** seconds since the start */
  at: number;
  kind: 'output' | 'input' | 'size' | 'marker';
  text: string;
}

/** A recording in asciicast v2. */
export interface Cast {
  cols: number;
  rows: number;
  events: CastEvent[];
  /** in seconds */
  duration: number;
}

const KINDS: Record<string, CastEvent['kind']> = { o: 'output', i: 'input', r: 'size', m: 'marker' };

/** Reads an asciicast v2 file. Lines that are not complete, such as the last one of a broken file, are skipped. */
export function parseCast(file: string): Cast {
  const [first = '', ...lines] = file.split('\n');
  const head = parse(first) as { width?: unknown; height?: unknown } | null;
  const events: CastEvent[] = [];
  let at = 0;
  for (const line of lines) {
    const event = parse(line);
    if (!Array.isArray(event)) continue;
    const [time, code, text] = event as unknown[];
    const kind = typeof code === 'string' ? KINDS[code] : undefined;
    if (typeof time !== 'number' || typeof text !== 'string' || !kind) continue;
    // The clock of the server may have been set back.
    at = Math.max(at, time);
    events.push({ at, kind, text });
  }
  return { cols: sizeOf(head?.width, 80), rows: sizeOf(head?.height, 24), events, duration: at };
}

function parse(line: string): unknown {
  if (line === '') return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const MAX_SIZE = 1_000;

function sizeOf(value: unknown, usual: number): number {
  const size = Number(value);
  return Number.isInteger(size) && size > 0 ? Math.min(size, MAX_SIZE) : usual;
}

/** The size in an event: `100x30`. */
export function parseSize(text: string): { cols: number; rows: number } | null {
  const match = /^(\d+)x(\d+)$/.exec(text);
  return match && { cols: sizeOf(match[1], 80), rows: sizeOf(match[2], 24) };
}

/** The same recording with no pause longer than `most` seconds. */
export function withoutPauses(cast: Cast, most: number): Cast {
  let cut = 0;
  let before = 0;
  const events = cast.events.map((event) => {
    cut += Math.max(0, event.at - before - most);
    before = event.at;
    return { ...event, at: event.at - cut };
  });
  return { ...cast, events, duration: events.at(-1)?.at ?? 0 };
}

/** The first event after a time, by its index. */
export function indexAfter(events: readonly CastEvent[], at: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sequences that change colors, the cursor or the title, and control characters except tab and line feed. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals use them
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** What a terminal showed, as text in which users can search. */
export interface CastText {
  text: string;
  /** the position in the text at which each event of the recording begins */
  starts: number[];
}

/** The text of the output. A word that came in several events is found, as is one with colors in it. */
export function textOf(events: readonly CastEvent[]): CastText {
  const parts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  // The beginning of a sequence that continues in the next event.
  let open = '';
  for (const { kind, text } of events) {
    starts.push(length);
    if (kind !== 'output' && kind !== 'input') continue;
    const whole = open + text;
    const last = whole.lastIndexOf('\u001b');
    open = last >= 0 && whole.length - last < 64 && !isComplete(whole.slice(last)) ? whole.slice(last) : '';
    const shown = whole.slice(0, whole.length - open.length).replace(SEQUENCES, '');
    parts.push(shown);
    length += shown.length;
  }
  return { text: parts.join(''), starts };
}

function isComplete(sequence: string): boolean {
  SEQUENCES.lastIndex = 0;
  const match = SEQUENCES.exec(sequence);
  SEQUENCES.lastIndex = 0;
  // Alone, the first character of a sequence looks like a control character, and `ESC [` like a short sequence.
  return match !== null && match[0] !== '\u001b' && !(match[0].length === 2 && '[]P^_X'.includes(match[0].charAt(1)));
}

/** The times of the events that show a text, at most `limit`. Upper and lower case are the same. */
export function findTimes(events: readonly CastEvent[], { text, starts }: CastText, wanted: string, limit: number) {
  const times: number[] = [];
  const within = text.toLowerCase();
  const sought = wanted.toLowerCase();
  if (sought === '') return times;
  let from = within.indexOf(sought);
  let event = 0;
  while (from >= 0 && times.length < limit) {
    const end = from + sought.length - 1;
    while (event + 1 < events.length && starts[event + 1]! <= end) event += 1;
    const at = events[event]?.at ?? 0;
    if (times.at(-1) !== at) times.push(at);
    from = within.indexOf(sought, end + 1);
  }
  return times;
}

/** A time in a recording: `4:05`, `1:04:05`. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
