import { Reader, Writer } from '../../../platform/packing/bytes.ts';
import { readDifferences, readTexts, writeDifferences, writeTexts } from './templates.ts';

/** One frame of the protocol log. */
export interface Frame {
  id: number;
  connectionId: string | null;
  at: Date;
  type: number;
  action: string | null;
  messageId: string | null;
  body: string | null;
  bytes: number;
  note: string | null;
}

/** Begins the place of the message ID (`m`) or the action (`a`) in the text of a frame. */
const OWN = '\u0002';
/** The places are looked for at the start of a frame. */
const START = 160;
const BODY = { none: 0, plain: 1, replaced: 2 } as const;

/** Frames of one device, in the order of their IDs, as columns: everything that repeats is written once. */
export function toColumns(frames: readonly Frame[]): { numbers: Buffer; texts: Buffer } {
  const to = new Writer();
  const times = frames.map(({ at }) => at.getTime());
  to.unsigned(frames.length);
  writeDifferences(
    to,
    frames.map(({ id }) => id),
  );
  writeDifferences(to, times);
  for (const { type } of frames) to.byte(type);
  for (const key of REPEATED) {
    writeRepeated(
      to,
      frames.map((frame) => frame[key]),
    );
  }
  const bodies = frames.map(withoutOwn);
  for (const body of bodies) to.byte(body.form);
  const kept = frames.map((_, index) => index).filter((index) => bodies[index]!.form !== BODY.none);
  writeTexts(
    to,
    kept.map((index) => bodies[index]!.text),
    kept.map((index) => times[index]!),
  );
  for (const { bytes, body } of frames) to.signed(bytes - lengthOf(body));
  return to.parts();
}

/** The frames of columns; none if a message ID is wanted that no frame has, which is found out before texts are read. */
export function fromColumns(numbers: Uint8Array, texts: Buffer, messageId?: string): Frame[] {
  const from = new Reader(numbers, texts);
  const count = from.unsigned();
  const ids = readDifferences(from, count);
  const times = readDifferences(from, count);
  const types = ids.map(() => from.byte());
  const [connections, actions, messageIds, notes] = REPEATED.map(() => readRepeated(from, count)) as [
    ...[(string | null)[], (string | null)[], (string | null)[], (string | null)[]],
  ];
  if (messageId !== undefined && !messageIds.includes(messageId)) return [];
  const forms = ids.map(() => from.byte());
  const kept = forms.map((_, index) => index).filter((index) => forms[index] !== BODY.none);
  const bodies = readTexts(from, (index) => times[kept[index]!]!);
  let next = 0;
  return ids.map((id, index) => {
    const action = actions[index]!;
    const ownId = messageIds[index]!;
    const text = forms[index] === BODY.none ? null : bodies[next++]!;
    const body = text !== null && forms[index] === BODY.replaced ? withOwn(text, ownId, action) : text;
    const frame: Frame = {
      ...{ id, connectionId: connections[index]!, at: new Date(times[index]!), type: types[index]!, action },
      ...{ messageId: ownId, body, bytes: 0, note: notes[index]! },
    };
    frame.bytes = from.signed() + lengthOf(body);
    return frame;
  });
}

const REPEATED = ['connectionId', 'action', 'messageId', 'note'] as const;

/** Writes texts of which many are equal, above all to one shortly before: each one once, and how far back it is. */
function writeRepeated(to: Writer, values: readonly (string | null)[]): void {
  const numbers = new Map<string, number>();
  for (const value of values) {
    const number = value === null ? null : numbers.get(value);
    if (number === null) to.unsigned(0);
    else if (number === undefined) {
      numbers.set(value!, numbers.size);
      to.unsigned(1);
    } else to.unsigned(numbers.size - number + 1);
  }
  writeTexts(to, [...numbers.keys()], []);
}

function readRepeated(from: Reader, count: number): (string | null)[] {
  let known = 0;
  const numbers = Array.from({ length: count }, () => {
    const back = from.unsigned();
    if (back === 0) return null;
    return back === 1 ? known++ : known - back + 1;
  });
  const texts = readTexts(from, () => 0);
  return numbers.map((number) => (number === null ? null : texts[number]!));
}

/** The text of a frame without its message ID and action, which are columns of their own. */
function withoutOwn({ body, messageId, action }: Frame): { form: number; text: string } {
  if (body === null) return { form: BODY.none, text: '' };
  let start = body.slice(0, START);
  const rest = body.slice(START);
  if (body.includes(OWN)) return { form: BODY.plain, text: body };
  for (const [mark, value] of [
    ['m', messageId],
    ['a', action],
  ] as const) {
    const at = value === null ? -1 : start.indexOf(`"${value}"`);
    if (at >= 0) start = `${start.slice(0, at)}${OWN}${mark}${start.slice(at + value!.length + 2)}`;
  }
  const text = start + rest;
  return text === body ? { form: BODY.plain, text } : { form: BODY.replaced, text };
}

function withOwn(text: string, messageId: string | null, action: string | null): string {
  return text.replace(`${OWN}a`, () => `"${action}"`).replace(`${OWN}m`, () => `"${messageId}"`);
}

function lengthOf(body: string | null): number {
  return body === null ? 0 : Buffer.byteLength(body);
}
