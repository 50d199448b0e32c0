import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { TerminalEnd } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
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
  /** the recording */
  id: number;
  /** `guest`: the name of the guest who typed it; null for the user of the terminal */
  input(data: Buffer, guest: string | null): void;
  /** Marks an event in what the terminal shows, such as a guest who joins. */
  mark(text: string): void;
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
): Promise<Recorder> {
  const startedAt = clock.now();
  const recordingId = await insertRecording(db, { ...of, startedAt });
  const output = new StringDecoder('utf8');
  let input = new StringDecoder('utf8');
  let typist: string | null = null;
  let lines: { o: string[]; i: string[] } = { o: [], i: [] };
  let waiting = 0;
  let recorded = 0;
  let number = 0;
  let storing = Promise.resolve();
  let cancel: Cancel | null = null;

  function add(kind: 'o' | 'i', event: 'o' | 'i' | 'r' | 'm', text: string): void {
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
        await insertPart(db, { recordingId, number: part, output: await pack(text), input, bytes: text.length });
      })
      .catch(onFailed);
  }

  return {
    id: recordingId,
    output(data) {
      recorded += data.length;
      if (recorded <= MAX_OUTPUT_CHARACTERS) add('o', 'o', output.write(data));
    },
    input(data, guest) {
      if (guest !== typist) {
        typist = guest;
        input = new StringDecoder('utf8');
        add('i', 'm', guest === null ? 'user' : `guest: ${guest}`);
      }
      add('i', 'i', input.write(data));
    },
    mark: (text) => add('o', 'm', text),
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
  let part = await nextPart(db, id, 0);
  while (part) {
    if (content === 'output') yield String(await unpack(part.output));
    else if (part.input !== null) yield box.open(part.input);
    part = await nextPart(db, id, part.number);
  }
}
