import type { UplinkEvent } from '../../ports/uplink.ts';
import { BoundedNotes } from '../bounded-notes.ts';
import type { FollowUp } from '../ocpp/dialect.ts';
import type { Component, Variable } from '../ocpp201/keys.ts';
import type { PlaceOf } from '../ocpp201/reports/evses.ts';
import { valueEvents } from '../ocpp201/variables.ts';

/** ConstantStreamDataType of OCPP 2.1 part 2: what is constant over a stream. */
export interface ConstantStreamData {
  id: number;
  variableMonitoringId: number;
}

/** NotifyPeriodicEventStream of OCPP 2.1 part 2; `t` is in seconds after `basetime`. */
export interface StreamData {
  id: number;
  basetime: string;
  data: { t: number; v: string }[];
}

interface MonitoredVariable {
  component: Component;
  variable: Variable;
}

/** A value of a stream whose variable is not known yet. */
interface Waiting {
  streamId: number;
  time: string;
  value: string;
  receivedAt: Date;
}

/**
 * The maximum number of streams and monitors that are remembered for one device, and of values that wait until their
 * variable is known.
 */
const REMEMBERED = 1_000;

/** The periodic event streams of one connection (OCPP 2.1 N11 to N15): their values are readings of variables. */
export interface EventStreams {
  /** The device opened a stream, or reported that it is open. */
  open(stream: ConstantStreamData): void;
  close(streamId: number): void;
  /** The device reported what a monitor watches. Returns the values that waited for it. */
  learn(monitorId: number, variable: MonitoredVariable): StreamValues;
  /** Values arrived. `followUps` are the requests to the device that are needed to understand them. */
  take(data: StreamData, receivedAt: Date): StreamValues & { notes: string[]; followUps: FollowUp[] };
}

/** The events of values, and the values that are not stored and why. */
interface StreamValues {
  events: UplinkEvent[];
  refused: string[];
}

export function eventStreams(placeOf: PlaceOf): EventStreams {
  const monitorOf = new Map<number, number>();
  const variableOf = new Map<number, MonitoredVariable>();
  let waiting: Waiting[] = [];
  // Each is requested once per connection: a device that does not report it is not asked with every message.
  let requestedStreams = false;
  let requestedMonitors = false;

  const variableOfStream = (streamId: number) => variableOf.get(monitorOf.get(streamId) ?? -1);
  const release = (): StreamValues => {
    const known = waiting.filter(({ streamId }) => variableOfStream(streamId));
    waiting = waiting.filter(({ streamId }) => !variableOfStream(streamId));
    return together(
      known.flatMap(({ streamId, time, value, receivedAt }) => {
        const variable = variableOfStream(streamId);
        return variable ? [valueEvents([{ ...variable, value }], time, receivedAt, placeOf)] : [];
      }),
    );
  };
  const monitoringReport = (): FollowUp[] => {
    if (requestedMonitors) return [];
    requestedMonitors = true;
    return [{ action: 'GetMonitoringReport', payload: { requestId: MONITORING_REQUEST }, read: () => [] }];
  };
  const openStreams = (): FollowUp[] => {
    if (requestedStreams) return [];
    requestedStreams = true;
    return [
      {
        action: 'GetPeriodicEventStream',
        payload: {},
        read(answer) {
          const { constantStreamData = [] } = answer as { constantStreamData?: ConstantStreamData[] };
          for (const { id, variableMonitoringId } of constantStreamData) remember(monitorOf, id, variableMonitoringId);
          return release().events;
        },
      },
    ];
  };

  return {
    open({ id, variableMonitoringId }) {
      remember(monitorOf, id, variableMonitoringId);
    },
    close(streamId) {
      monitorOf.delete(streamId);
    },
    learn(monitorId, variable) {
      remember(variableOf, monitorId, variable);
      return release();
    },
    take({ id, basetime, data }, receivedAt) {
      const start = new Date(basetime).getTime();
      const timeOf = (seconds: number) => {
        const at = new Date(start + seconds * 1_000);
        return Number.isNaN(at.getTime()) ? basetime : at.toISOString();
      };
      const values = data.map(({ t, v }) => ({ time: timeOf(t), value: v }));
      const variable = variableOfStream(id);
      if (variable) {
        const stored = values.map(({ time, value }) =>
          valueEvents([{ ...variable, value }], time, receivedAt, placeOf),
        );
        return { ...together(stored), notes: [], followUps: [] };
      }
      const room = Math.max(0, REMEMBERED - waiting.length);
      waiting.push(...values.slice(0, room).map((one) => ({ streamId: id, ...one, receivedAt })));
      const left = values.length - room;
      return {
        events: [],
        refused: [],
        notes: [
          `the variable of stream ${id} is unknown; its values are stored once the device has reported it`,
          ...(left > 0 ? [`${left} values are left out`] : []),
        ],
        followUps: [...(monitorOf.has(id) ? [] : openStreams()), ...monitoringReport()],
      };
    },
  };
}

function together(all: readonly StreamValues[]): StreamValues {
  const refused = new BoundedNotes();
  for (const one of all) for (const note of one.refused) refused.add(note);
  return { events: all.flatMap(({ events }) => events), refused: refused.list };
}

/** The request number of the monitor report. No other code waits for it. */
const MONITORING_REQUEST = 2_100_000_021;

function remember<V>(map: Map<number, V>, key: number, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}
