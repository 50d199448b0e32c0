import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { type Frame, fromColumns, toColumns } from './columns.ts';
import { dictionaryFor, dictionaryOf } from './dictionaries.ts';
import { keysOf } from './keys.ts';
import { takesMore } from './ripe.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** The first byte of the data of a batch. */
const FORMAT = 1;

/** Some successive frames of a device, compressed. */
export interface FrameBatch {
  firstId: number;
  lastId: number;
  at: Date;
  lastAt: Date;
  frames: number;
  takesMore: boolean;
  dictionary: number;
  keys: number[];
  data: Buffer;
}

/** Compresses frames, which are in the order of their IDs, with the dictionary of their protocol. */
export async function packFrames(frames: readonly Frame[], protocol: string | null): Promise<FrameBatch> {
  const columns = toColumns(frames);
  const dictionary = dictionaryFor(protocol);
  const texts = await compress(columns.texts, { ...LEVEL, dictionary: dictionary.text });
  const numbers = await compress(columns.numbers, LEVEL);
  const head = Buffer.alloc(5);
  head.writeUInt8(FORMAT);
  head.writeUInt32LE(texts.length, 1);
  const times = frames.map(({ at }) => at.getTime());
  return {
    firstId: frames[0]!.id,
    lastId: frames.at(-1)!.id,
    at: new Date(times.reduce((least, time) => Math.min(least, time))),
    lastAt: new Date(times.reduce((most, time) => Math.max(most, time))),
    frames: frames.length,
    takesMore: takesMore(frames),
    dictionary: dictionary.number,
    keys: keysOf(frames),
    data: Buffer.concat([head, texts, numbers]),
  };
}

/**
 * The frames of a batch, in the order of their IDs.
 * @param messageId returns nothing if no frame has it, in a part of the time
 */
export async function unpackFrames(
  { dictionary, data }: Pick<FrameBatch, 'dictionary' | 'data'>,
  messageId?: string,
): Promise<Frame[]> {
  if (data[0] !== FORMAT) throw new Error(`Frames of the unknown format ${data[0]}`);
  const end = 5 + data.readUInt32LE(1);
  const texts = await decompress(data.subarray(5, end), { dictionary: dictionaryOf(dictionary) });
  return fromColumns(await decompress(data.subarray(end)), texts, messageId);
}
