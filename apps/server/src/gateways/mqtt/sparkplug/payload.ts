import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { get } from 'sparkplug-payload';
import { BoundedNotes } from '../../bounded-notes.ts';
import { type IMetric, Payload } from './proto.ts';
import type { MetricType, MetricValue } from './values.ts';

/** A decoded message of an edge node. */
export interface EdgePayload {
  /** ms since the epoch; null when the message has no time */
  timestamp: number | null;
  seq: number | null;
  metrics: IMetric[];
  /** the metrics that cannot be read, and why */
  refused: string[];
}

/** A message that is refused, and why. */
export class PayloadRefused extends Error {
  override name = 'PayloadRefused';
}

/** More metrics than any birth has: twice those of a large site's gateway. */
const MOST_METRICS = 10_000;
/** The maximum size of one metric. Deeply nested metrics and data sets with thousands of rows are larger. */
const METRIC_BYTES = 16 * 1_024;
/** Marks a message whose `body` is a compressed message (Tahu's convention; Sparkplug 3.0 leaves it to implementers). */
const COMPRESSED = 'SPBV1.0_COMPRESSED';

const codec = get('spBv1.0');
const inflated = promisify(inflate);
const gunzipped = promisify(gunzip);

/**
 * Decodes a message. Its metrics are counted and measured before they are decoded, one by one. A compressed message may
 * expand to at most `limitBytes`.
 * @throws {PayloadRefused}
 */
export async function decodeEdgePayload(bytes: Buffer, limitBytes: number): Promise<EdgePayload> {
  const outer = decode(bytes);
  if (outer.payload.uuid !== COMPRESSED) return readPayload(outer);
  const content = decode(await decompressed(outer, limitBytes));
  if (content.payload.uuid === COMPRESSED) throw new PayloadRefused('compressed more than once');
  const read = readPayload(content);
  return { ...read, seq: read.seq ?? numberField(outer.payload, 'seq') };
}

function readPayload({ payload, metrics, refused }: Decoded): EdgePayload {
  return { timestamp: numberField(payload, 'timestamp'), seq: numberField(payload, 'seq'), metrics, refused };
}

/** A number that a message may leave out, for which the codec would return 0. */
export function numberField<Name extends string>(message: { [name in Name]?: unknown }, name: Name): number | null {
  return Object.hasOwn(message, name) ? numberOf(message[name]) : null;
}

/** A message whose metrics are decoded one by one, so that one that cannot be read does not affect the others. */
interface Decoded {
  /** the message without its metrics */
  payload: ReturnType<typeof Payload.decode>;
  metrics: IMetric[];
  refused: string[];
}

function decode(bytes: Uint8Array): Decoded {
  const { rest, ranges } = split(bytes);
  const refused = new BoundedNotes();
  const metrics = ranges.flatMap(([from, to], index): IMetric[] => {
    const metric = bytes.subarray(from, to);
    if (metric.length > METRIC_BYTES) {
      refused.add(`metric ${index} (${nameIn(metric)}) is longer than ${METRIC_BYTES} bytes; left out`);
      return [];
    }
    try {
      return [Payload.Metric.decode(metric) as IMetric];
    } catch (error) {
      refused.add(`metric ${index} (${nameIn(metric)}) cannot be decoded: ${messageOf(error)}; left out`);
      return [];
    }
  });
  try {
    return { payload: Payload.decode(rest), metrics, refused: refused.list };
  } catch (error) {
    throw new PayloadRefused(`not a Sparkplug B payload: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 100);
}

/** The name of a metric whose other fields are not read. */
function nameIn(metric: Uint8Array): string {
  const [tag, length = 0] = metric;
  // Its name is its first field; a name of 128 bytes or more has a longer length.
  return tag === NAME_TAG && length < 0x80
    ? Buffer.from(metric.subarray(2, 2 + length)).toString('utf8')
    : 'without a name';
}

async function decompressed({ payload, metrics }: Decoded, maxOutputLength: number): Promise<Buffer> {
  const named = metrics.find(({ name }) => name === 'algorithm')?.stringValue?.toUpperCase();
  try {
    return await (named === 'GZIP' ? gunzipped : inflated)(payload.body, { maxOutputLength });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new PayloadRefused(
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `compressed, and longer than ${maxOutputLength} bytes when decompressed`
        : 'compressed in an unsupported way',
    );
  }
}

/** The field `metrics` of a payload: number 2, with a length before it. */
const METRICS_TAG = (2 << 3) | 2;
/** The field `name` of a metric: number 1, with a length before it. */
const NAME_TAG = (1 << 3) | 2;

/**
 * Walks over the outermost fields of a message (Protocol Buffers wire format) without decoding them. Returns where its
 * metrics are, and its other fields.
 */
function split(bytes: Uint8Array): { rest: Uint8Array; ranges: [from: number, to: number][] } {
  const ranges: [number, number][] = [];
  const others: Uint8Array[] = [];
  let otherFrom = 0;
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) break;
      at += 1;
      if (shift < 35) value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new PayloadRefused('not a Sparkplug B payload: it is incomplete');
  };
  while (at < bytes.length) {
    const start = at;
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      at += length;
      if (tag !== METRICS_TAG) continue;
      ranges.push([at - length, at]);
      others.push(bytes.subarray(otherFrom, start));
      otherFrom = at;
      if (ranges.length > MOST_METRICS) throw new PayloadRefused(`more than ${MOST_METRICS} metrics`);
    } else throw new PayloadRefused('not a Sparkplug B payload: an unknown kind of field');
  }
  if (at > bytes.length) throw new PayloadRefused('not a Sparkplug B payload: it is incomplete');
  return { rest: Buffer.concat([...others, bytes.subarray(otherFrom)]), ranges };
}

/** A number of up to 64 bits, as exactly as a double can represent it; null when there is none. */
export function numberOf(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

/** A metric that we write to an edge node. */
export interface WrittenMetric {
  name: string;
  type: MetricType;
  value: Exclude<MetricValue, null>;
}

/** A command message (NCMD, DCMD). */
export function encodeCommand(metrics: readonly WrittenMetric[], at: Date): Buffer {
  if (!codec) throw new Error('The Sparkplug B codec is missing');
  return Buffer.from(
    codec.encodePayload({
      timestamp: at.getTime(),
      metrics: metrics.map(({ name, type, value }) => ({
        ...{ name, type, timestamp: at.getTime() },
        value: type === 'DateTime' ? Date.parse(String(value)) : value,
      })),
    }),
  );
}
