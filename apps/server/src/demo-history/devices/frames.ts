import type { Random, StationPast } from '../../../../simulator/src/past/index.ts';
import { frameEvent } from '../../gateways/ocpp/frame-event.ts';
import type { FrameEvent } from '../../ports/uplink.ts';
import { meterValueOf } from './readings.ts';

const SECOND = 1_000;
/** The heartbeat interval of the demo fleet. */
export const HEARTBEAT_MS = 60 * SECOND;

/** How the connections of the history end. */
export const SWITCHED_OFF = {
  reason: 'loggedOut',
  detail: 'the device closed the connection (1001 charge point switched off)',
} as const;

/** The protocol log of a charge point with OCPP 1.6 over a span, in the order of time. */
export function framesOf(
  past: StationPast,
  transactionIds: readonly number[],
  { from, to }: { from: number; to: number },
  random: Random,
): FrameEvent[] {
  const calls: { at: number; action: string; payload: object; answer: object }[] = [];
  const say = (at: number, action: string, payload: object, answer: object = {}) => {
    if (at >= from && at < to) calls.push({ at, action, payload, answer });
  };
  const status = (at: number, connectorId: number, word: string, more: object = {}) =>
    say(at, 'StatusNotification', { connectorId, errorCode: 'NoError', status: word, timestamp: iso(at), ...more });
  for (let at = from + random.between(0, HEARTBEAT_MS); at < to; at += HEARTBEAT_MS) {
    say(at, 'Heartbeat', {}, { currentTime: iso(at + 3) });
  }
  for (const [index, session] of past.sessions.entries()) {
    if (session.unpluggedAt < from) continue;
    const { connector, idTag, pluggedAt, startedAt, stoppedAt, unpluggedAt, meterStart, meterStop, reason } = session;
    const transactionId = transactionIds[index];
    const accepted = { idTagInfo: { status: 'Accepted' } };
    status(pluggedAt, connector, 'Preparing');
    say(startedAt - 300, 'Authorize', { idTag }, accepted);
    const start = { connectorId: connector, idTag, meterStart, timestamp: iso(startedAt) };
    say(startedAt, 'StartTransaction', start, { ...accepted, transactionId });
    status(startedAt + 400, connector, 'Charging');
    for (const [number, { at }] of session.samples.slice(0, -1).entries()) {
      say(at, 'MeterValues', {
        transactionId,
        connectorId: connector,
        meterValue: [meterValueOf(past, session, number)],
      });
    }
    if (session.fullAt !== null) status(session.fullAt + 200, connector, 'SuspendedEV');
    const stop = {
      transactionId,
      meterStop,
      timestamp: iso(stoppedAt),
      reason,
      ...(reason === 'Local' ? { idTag } : {}),
    };
    say(stoppedAt, 'StopTransaction', stop, accepted);
    status(stoppedAt + 250, connector, 'Finishing');
    status(unpluggedAt, connector, 'Available');
  }
  for (const { connector, fault, from: begins, to: ends } of past.faults) {
    const { errorCode, vendorErrorCode, info, warning } = fault;
    status(begins, connector, warning ? 'Available' : 'Faulted', { errorCode, vendorErrorCode, info });
    status(ends, connector, 'Available');
  }
  const lost = past.interruptions.filter(({ kind }) => kind !== 'maintenance');
  const connectionId = random.uuid();
  const frames = calls
    .filter(({ at }) => !lost.some((one) => one.from <= at && at < one.to))
    .sort((one, other) => one.at - other.at)
    .flatMap(({ at, action, payload, answer }, index) => {
      const messageId = `${past.sn.toLowerCase()}-${index + 1}`;
      const sent = at + random.integer(4, 40);
      return [
        frameEvent(connectionId, 'receive', new Date(at), {
          ...{ action, messageId, body: JSON.stringify([2, messageId, action, payload]) },
        }),
        frameEvent(connectionId, 'send', new Date(sent), {
          ...{ action, messageId, body: JSON.stringify([3, messageId, answer]) },
        }),
      ];
    });
  // Devices are switched off where the history ends, and connect again to the running server.
  return [...frames, frameEvent(connectionId, 'close', new Date(to - 1), { note: SWITCHED_OFF.detail })];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
