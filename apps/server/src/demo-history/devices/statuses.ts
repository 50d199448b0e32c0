import { type DeviceStatus, deviceStatus } from '@chargehand/domain';
import {
  activityOf,
  type Interruption,
  type StationPast,
  type StoragePast,
} from '../../../../simulator/src/past/index.ts';
import type { PastStatus } from '../../statistics/index.ts';

interface Span {
  from: number;
  to: number;
}

/** The statuses of a charge point over a span, by the rule of the domain, without gaps. */
export function statusesOfStation(
  deviceId: number,
  { sessions, faults, interruptions, identity, protocol }: StationPast,
  span: Span,
): PastStatus[] {
  const outlets = identity.outlets.map((_, index) => index + 1);
  const serious = faults
    .filter(({ fault }) => !fault.warning)
    .map(({ connector, from, to }) => ({ faulted: connector, from, to }));
  const busy = sessions.map(({ connector, pluggedAt, unpluggedAt }) => ({
    ...{ busy: connector, from: pluggedAt, to: unpluggedAt },
  }));
  const active = activeIn<Partial<Interruption> & Span & { faulted?: number; busy?: number }>([
    ...serious,
    ...busy,
    ...interruptions,
  ]);
  return spansOf(deviceId, boundaries([...serious, ...busy, ...interruptions], span), (at) => {
    const now = active(at);
    const kinds = new Set(now.map(({ kind }) => kind));
    const faulted = new Set(now.map((one) => one.faulted));
    const charging = new Set(now.map((one) => one.busy));
    return deviceStatus({
      enabled: true,
      maintenance: kinds.has('maintenance'),
      connected: !(kinds.has('connection') || kinds.has('power') || kinds.has('restart')),
      updatingFirmware: kinds.has('update'),
      // OCPP 2.0.1 has no status of the station itself.
      stationStatus: protocol === '1.6' && faulted.has(0) ? 'Faulted' : null,
      connectorStatuses: outlets.map((outlet) =>
        faulted.has(outlet) ? 'Faulted' : charging.has(outlet) ? 'Charging' : 'Available',
      ),
    });
  });
}

/** The statuses of a storage unit. */
export function statusesOfStorage(
  deviceId: number,
  { states, faults, interruptions }: StoragePast,
  span: Span,
): PastStatus[] {
  const all = [...faults, ...interruptions];
  const times = [...boundaries(all, span), ...states.map(({ at }) => at)].sort((one, other) => one - other);
  let next = 0;
  return spansOf(deviceId, times, (at) => {
    while (next < states.length && (states[next]?.at ?? 0) <= at) next += 1;
    const state = states[next - 1]?.state;
    const working = state !== undefined && [1, 2].includes(activityOf(state));
    const now = all.filter(({ from, to }) => from <= at && at < to);
    return deviceStatus({
      ...{ enabled: true, maintenance: false, updatingFirmware: false, stationStatus: null },
      connected: !now.some((one) => 'kind' in one),
      connectorStatuses: [now.length > 0 ? 'Faulted' : working ? 'Charging' : 'Available'],
    });
  });
}

/** The times at which something begins or ends, from the start of a span to its end. */
function boundaries(all: readonly Span[], { from, to }: Span): number[] {
  const times = all.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  return [...new Set([from, ...times, to])].sort((one, other) => one - other);
}

/** What is going on at times that only increase. */
function activeIn<T extends Span>(all: readonly T[]): (at: number) => T[] {
  const waiting = all.toSorted((one, other) => one.from - other.from);
  let next = 0;
  let current: T[] = [];
  return (at) => {
    for (let one = waiting[next]; one && one.from <= at; one = waiting[next]) {
      current.push(one);
      next += 1;
    }
    current = current.filter(({ to }) => to > at);
    return current;
  };
}

/** One row for each change of the status. */
function spansOf(deviceId: number, times: readonly number[], statusAt: (at: number) => DeviceStatus): PastStatus[] {
  const spans: PastStatus[] = [];
  for (const [index, from] of times.slice(0, -1).entries()) {
    const to = times[index + 1] ?? from;
    const status = statusAt(from);
    const last = spans.at(-1);
    if (last?.status === status) last.to = to;
    else spans.push({ deviceId, status, from, to });
  }
  return spans;
}
