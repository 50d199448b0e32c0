import {
  encodeMetrics,
  MEASURANDS,
  measures,
  meterValue,
  meterValues201,
  type PastSession,
  type StationPast,
  type StoragePast,
  type StorageState,
} from '../../../../simulator/src/past/index.ts';
import { Condition } from '../../gateways/mqtt/condition.ts';
import { NodeMetrics } from '../../gateways/mqtt/sparkplug/node-metrics.ts';
import { decodeEdgePayload } from '../../gateways/mqtt/sparkplug/payload.ts';
import { type MeterValue as MeterValue16, mapMeterValues as map16 } from '../../gateways/ocpp16/mapping/readings.ts';
import { type MeterValue as MeterValue201, mapMeterValues as map201 } from '../../gateways/ocpp201/reports/readings.ts';
import type { ReadingEvent } from '../../ports/uplink.ts';

const SAMPLED: ReadonlySet<string> = new Set(MEASURANDS);

/** The meter values that a charge point sends with a sample of a session, in the terms of OCPP 1.6. */
export function meterValueOf(past: Pick<StationPast, 'identity'>, session: PastSession, index: number) {
  const sample = session.samples[index];
  const outlet = past.identity.outlets[session.connector - 1];
  if (!sample || !outlet) throw new RangeError('The session has no such sample');
  const at = new Date(sample.at);
  return meterValue(outlet, sample.registerWh, sample.readings, SAMPLED, 'Sample.Periodic', at.toISOString());
}

/** The readings of a session, as the gateway of the device's protocol reports them. */
export function readingsOfSession(past: StationPast, session: PastSession, transactionId: number): ReadingEvent[] {
  return session.samples.flatMap(({ at }, index) => {
    const value = meterValueOf(past, session, index);
    const receivedAt = new Date(at);
    const { events } =
      past.protocol === '1.6'
        ? map16(session.connector, transactionId, [value as unknown as MeterValue16], receivedAt)
        : map201(session.connector, meterValues201([value]) as unknown as MeterValue201[], receivedAt);
    return events.map((event) => ({ ...event, transactionId }));
  });
}

/** The readings of a storage unit, in the groups in which the gateway stores them. */
export async function readingsOfStorage({ sn, states }: StoragePast): Promise<ReadingEvent[]> {
  const [first] = states;
  if (!first) return [];
  const metricsOf = (state: StorageState) => measures(state, { sn, ...VERSIONS });
  const birth = encodeMetrics(metricsOf(first.state), { seq: 0, birth: true });
  const payload = await decodeEdgePayload(birth, birth.length);
  const groups = new NodeMetrics('', new Map())
    .born(payload, new Date(), new Condition())
    .events.filter((event) => event.kind === 'reading');
  return states.flatMap(({ at: time, state }) => {
    const at = new Date(time);
    const values = new Map(metricsOf(state).map(({ name, value }) => [name, Number(value)]));
    return groups.map((group) => ({
      ...group,
      ...{ at, receivedAt: at },
      values: group.values.map((one) => ({ ...one, value: values.get(one.key) ?? 0 })),
    }));
  });
}

/** Texts of a unit, which are no readings. */
const VERSIONS = { firmware: '1.4.2', plcFirmware: '3.1.0', firmwareStatus: 'Idle', logStatus: 'Idle', requestId: '' };
