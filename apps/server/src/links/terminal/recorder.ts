import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { TerminalEnd } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Sealer } from '../recordings/seal.ts';
import { endRecording, insertPart, insertRecording, nextPart, type RecordingRecord } from './recordings.store.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** At most this much is lost when the server is killed. */
const STORE_MS = 1_000;
const STORE_CHARACTERS = 256 * 1024;
/** The output of a terminal that floods is not recorded beyond this size. Input always is. */
const MAX_OUTPUT_CHARACTERS = 256 * 1024 * 1024;

/** Records a terminal. */
export interface Recorder {
  output(data: Buffer): void;
  input(data: Buffer): void;
  resize(size: { cols: number; rows: number }): void;
  /** Stores the rest. */
  end(reason: TerminalEnd): Promise<void>;
}

/**
 * Starts the recording of a terminal. `onFailed`: nothing can be stored, so the terminal must end: no terminal is open
 * without a recording.
 */
export async function startRecorder(
  parts: { db: Kysely<Database>; clock: Clock; box: SecretBox; sealer: Sealer },
  of: { linkId: number; userName: string; cols: number; rows: number },
  onFailed: (error: Error) => void,
): Promise<Recorder> {
  const { db, clock, box, sealer } = parts;
  const startedAt = clock.now();
  let seal = sealer.start({ ...of, startedAt });
  const recordingId = await insertRecording(db, { ...of, startedAt, seal });
  const decoders = { o: new StringDecoder('utf8'), i: new StringDecoder('utf8') };
  let lines: { o: string[]; i: string[] } = { o: [], i: [] };
  let waiting = 0;
  let recorded = 0;
  let number = 0;
  let storing = Promise.resolve();
  let cancel: Cancel | null = null;

  function add(kind: 'o' | 'i', event: 'o' | 'i' | 'r', text: string): void {
    if (text === '') return;
    const seconds = (clock.now().getTime() - startedAt.getTime()) / 1_000;
    lines[kind].push(`${JSON.stringify([seconds, event, text])}\n`);
    waiting += text.length;
    if (waiting >= STORE_CHARACTERS) store();
    else cancel ??= clock.after(STORE_MS, store);
  }

  function store(): void {
    cancel?.();
    cancel = null;
    const taken = lines;
    if (taken.o.length === 0 && taken.i.length === 0) return;
    lines = { o: [], i: [] };
    waiting = 0;
    number += 1;
    const part = number;
    storing = storing
      .then(async () => {
        const text = taken.o.join('');
        const input = taken.i.length === 0 ? null : box.close(taken.i.join(''));
        const output = await pack(text);
        const next = sealer.part(seal, { number: part, output, input });
        await insertPart(db, { recordingId, number: part, output, input, bytes: text.length, seal: next });
        seal = next;
      })
      .catch(onFailed);
  }

  return {
    output(data) {
      recorded += data.length;
      if (recorded <= MAX_OUTPUT_CHARACTERS) add('o', 'o', decoders.o.write(data));
    },
    input: (data) => add('i', 'i', decoders.i.write(data)),
    resize: ({ cols, rows }) => add('o', 'r', `${cols}x${rows}`),
    async end(reason) {
      store();
      await storing;
      const at = clock.now();
      await endRecording(db, recordingId, { end: reason, at, seal: sealer.end(seal, { reason, at }) }).catch(onFailed);
    },
  };
}

/** The file of a recording in asciicast v2: what the device sent, or what the user typed. */
export async function* castOf(
  { db, box }: { db: Kysely<Database>; box: SecretBox },
  { id, cols, rows, startedAt }: Pick<RecordingRecord, 'id' | 'cols' | 'rows' | 'startedAt'>,
  content: 'output' | 'input',
): AsyncGenerator<string> {
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  yield `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, env: { TERM: 'xterm-256color' } })}\n`;
  let part = await nextPart(db, id, 0);
  while (part) {
    if (content === 'output') yield String(await unpack(part.output));
    else if (part.input !== null) yield box.open(part.input);
    part = await nextPart(db, id, part.number);
  }
}

/** Compares a recording with its seal. Parts that are added to an open one meanwhile are left out. */
export async function isUnchanged(
  { db, sealer }: { db: Kysely<Database>; sealer: Sealer },
  linkId: number,
  recording: RecordingRecord,
): Promise<boolean> {
  let seal = sealer.start({ linkId, ...recording });
  let number = 0;
  for (let part = await nextPart(db, recording.id, 0); part; part = await nextPart(db, recording.id, number)) {
    if (part.number > recording.parts) {
      // Parts that are stored after the recording was read.
      if (recording.endedAt === null) break;
      return false;
    }
    seal = sealer.part(seal, part);
    number = part.number;
  }
  if (recording.end !== null && recording.endedAt !== null)
    seal = sealer.end(seal, { reason: recording.end, at: recording.endedAt });
  return number === recording.parts && seal.equals(recording.seal);
}
