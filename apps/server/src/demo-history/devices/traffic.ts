import type { PastSession, StationPast } from '../../../../simulator/src/past/index.ts';
import type { StoredTraffic } from '../../statistics/index.ts';
import { HEARTBEAT_MS } from './frames.ts';

const HOUR = 3_600_000;

/** The sizes of messages in bytes, as the demo fleet and the server exchange them. */
const BYTES = {
  heartbeat: { received: 42, sent: 78 },
  sample: { received: 1_150, sent: 24 },
  /** all messages around a session except its samples */
  session: { received: 1_020, sent: 410 },
  connection: { received: 640, sent: 320 },
  report: { received: 260, sent: 0 },
};

type Bytes = { received: number; sent: number };

/** Adds up the traffic of a device by the hour. */
class Meter {
  readonly #hours = new Map<number, Bytes>();

  add(at: number, { received, sent }: Bytes, times = 1): void {
    const hour = Math.floor(at / HOUR) * HOUR;
    const sum = this.#hours.get(hour) ?? { received: 0, sent: 0 };
    this.#hours.set(hour, { received: sum.received + received * times, sent: sum.sent + sent * times });
  }

  rows(deviceId: number): StoredTraffic[] {
    return [...this.#hours].map(([hour, { received, sent }]) => ({
      ...{ deviceId, hour, received: Math.round(received), sent: Math.round(sent) },
    }));
  }
}

interface Span {
  from: number;
  to: number;
}

/** The traffic of a charge point over a span. @param sampleMs how often it sends samples */
export function trafficOfStation(deviceId: number, past: StationPast, span: Span, sampleMs: number): StoredTraffic[] {
  const meter = new Meter();
  const lost = past.interruptions.filter(({ kind }) => kind !== 'maintenance');
  for (const part of hoursOf(span)) {
    const away = lost.reduce((sum, one) => sum + overlap(one, part), 0);
    meter.add(part.from, BYTES.heartbeat, (part.to - part.from - away) / HEARTBEAT_MS);
  }
  for (const session of past.sessions) addSession(meter, session, sampleMs);
  for (const { to } of lost) meter.add(to, BYTES.connection);
  for (const { from, to } of past.faults) for (const at of [from, to]) meter.add(at, BYTES.report);
  return meter.rows(deviceId);
}

function addSession(meter: Meter, { startedAt, stoppedAt }: PastSession, sampleMs: number): void {
  meter.add(startedAt, BYTES.session);
  for (const part of hoursOf({ from: startedAt, to: stoppedAt })) {
    meter.add(part.from, BYTES.sample, (part.to - part.from) / sampleMs);
  }
}

/** The traffic of a storage unit, which reports in equal intervals. */
export function trafficOfStorage(
  deviceId: number,
  lost: readonly Span[],
  span: Span,
  reportMs: number,
): StoredTraffic[] {
  const meter = new Meter();
  for (const part of hoursOf(span)) {
    const away = lost.reduce((sum, one) => sum + overlap(one, part), 0);
    meter.add(part.from, BYTES.report, (part.to - part.from - away) / reportMs);
  }
  return meter.rows(deviceId);
}

/** A span in parts that do not cross the hour. */
function hoursOf({ from, to }: Span): Span[] {
  const parts: Span[] = [];
  for (let at = from; at < to; ) {
    const next = Math.min((Math.floor(at / HOUR) + 1) * HOUR, to);
    parts.push({ from: at, to: next });
    at = next;
  }
  return parts;
}

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}
