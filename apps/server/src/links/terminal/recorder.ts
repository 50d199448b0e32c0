import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { TerminalEnd } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { endRecording, insertPart, insertRecording, nextParts, type RecordingRecord } from './recordings.store.ts';

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** At most this much is lost when the server is killed. */
const STORE_MS = 1_000;
const STORE_CHARACTERS = 256 * 1024;
/** Output up to this size is recorded in full. Of more, the last screens of each second are. Input always is in full. */
const FULL_OUTPUT_BYTES = 64 * 1024 * 1024;
const COMPACT_BYTES = 4 * 1024;
/** An hour has 3,600 parts. */
const READ_PARTS = 50;

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
  { db, clock, box }: { db: Kysely<Database>; clock: Clock; box: SecretBox },
  of: { linkId: number; userName: string; cols: number; rows: number },
  onFailed: (error: Error) => void,
  fullOutputBytes: number = FULL_OUTPUT_BYTES,
): Promise<Recorder> {
  const startedAt = clock.now();
  const recordingId = await insertRecording(db, { ...of, startedAt });
  const decoders = { o: new StringDecoder('utf8'), i: new StringDecoder('utf8') };
  let lines: { o: string[]; i: string[] } = { o: [], i: [] };
  /** the end of the output that is not recorded in full, and how much of it was left out */
  let compact = { last: Buffer.alloc(0), leftOut: 0 };
  let waiting = 0;
  let recorded = 0;
  let number = 0;
  let storing = Promise.resolve();
  let cancel: Cancel | null = null;

  function add(kind: 'o' | 'i', event: 'o' | 'i' | 'r' | 'm', text: string): void {
    if (text === '') return;
    lines[kind].push(lineOf(event, text));
    waiting += text.length;
    if (waiting >= STORE_CHARACTERS) store();
    else cancel ??= clock.after(STORE_MS, store);
  }

  function lineOf(event: 'o' | 'i' | 'r' | 'm', text: string): string {
    return `${JSON.stringify([(clock.now().getTime() - startedAt.getTime()) / 1_000, event, text])}\n`;
  }

  function store(): void {
    cancel?.();
    cancel = null;
    if (compact.last.length > 0) {
      const { last, leftOut } = compact;
      compact = { last: Buffer.alloc(0), leftOut: 0 };
      if (leftOut > 0) lines.o.push(lineOf('m', `left out: ${leftOut}`));
      const text = decoders.o.write(last);
      if (text !== '') lines.o.push(lineOf('o', text));
    }
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
        await insertPart(db, { recordingId, number: part, output: await pack(text), input, bytes: text.length });
      })
      .catch(onFailed);
  }

  return {
    output(data) {
      recorded += data.length;
      if (recorded <= fullOutputBytes) {
        add('o', 'o', decoders.o.write(data));
        return;
      }
      const all = Buffer.concat([compact.last, data.subarray(-COMPACT_BYTES)]);
      const last = all.subarray(-COMPACT_BYTES);
      compact = { last, leftOut: compact.leftOut + compact.last.length + data.length - last.length };
      cancel ??= clock.after(STORE_MS, store);
    },
    input: (data) => add('i', 'i', decoders.i.write(data)),
    resize: ({ cols, rows }) => add('o', 'r', `${cols}x${rows}`),
    async end(reason) {
      store();
      await storing;
      await endRecording(db, recordingId, reason, clock.now()).catch(onFailed);
    },
  };
}

/** The file of a recording in asciicast v2: what the device sent, or what the user typed. */
export async function* castOf(
  { db, box }: { db: Kysely<Database>; box: SecretBox },
  { id, cols, rows, startedAt }: RecordingRecord,
  content: 'output' | 'input',
): AsyncGenerator<string> {
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  yield `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, env: { TERM: 'xterm-256color' } })}\n`;
  let after = 0;
  for (;;) {
    const parts = await nextParts(db, id, after, READ_PARTS);
    for (const { output, input } of parts) {
      if (content === 'output') yield String(await unpack(output));
      else if (input !== null) yield box.open(input);
    }
    if (parts.length < READ_PARTS) return;
    after = parts.at(-1)?.number ?? after;
  }
}
