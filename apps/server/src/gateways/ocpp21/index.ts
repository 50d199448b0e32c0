import type { Clock } from '../../platform/clock.ts';
import type { ConnectorState } from '../../ports/devices/device-directory.ts';
import type { CallContext, Dialect, DialectConnection } from '../ocpp/dialect.ts';
import { planOf, readMessage, readUnexpected } from '../ocpp201/commands.ts';
import { OCPP201, REQUESTS } from '../ocpp201/index.ts';
import { connectionState } from '../ocpp201/reports/state.ts';
import { CALLS, SENDS } from './calls.ts';
import { type EventStreams, eventStreams } from './event-streams.ts';
import { ocpp21Schemas } from './schemas.ts';

/** Messages to stations that OCPP 2.1 added. */
const ADDED = [
  ...['AdjustPeriodicEventStream', 'AFRRSignal', 'ChangeTransactionTariff', 'ClearDERControl', 'ClearTariffs'],
  ...['GetDERControl', 'GetPeriodicEventStream', 'GetTariffs', 'NotifyAllowedEnergyTransfer'],
  ...['NotifyWebPaymentStarted', 'RequestBatterySwap', 'SetDERControl', 'SetDefaultTariff', 'UpdateDynamicSchedule'],
  ...['UsePriorityCharging'],
];

/** OCPP 2.1 in JSON: OCPP 2.0.1 and its additions. */
export const OCPP21: Dialect = {
  ...OCPP201,
  subprotocol: 'ocpp2.1',
  name: 'OCPP 2.1',
  supersedes: 'ocpp2.0.1',
  sends: true,
  schemas: ocpp21Schemas(),
  defaults: {
    ...OCPP201.defaults,
    NotifyDERAlarm: { timestamp: 'now' },
    NotifyDERStartStop: { timestamp: 'now' },
  },
  requests: [...REQUESTS, ...ADDED].sort(),
  connection: ocpp21Connection,
};

function ocpp21Connection(clock: Clock, known: readonly ConnectorState[] = []): DialectConnection {
  const connection = connectionState(clock, known);
  let streams: EventStreams | null = null;
  const state = {
    get reports() {
      return connection.reports;
    },
    get monitors() {
      return connection.monitors;
    },
    get requestedReports() {
      return connection.requestedReports;
    },
    get evses() {
      return connection.evses;
    },
    get streams() {
      streams ??= eventStreams((evse) => connection.evses.place(evse));
      return streams;
    },
  };
  return {
    takes: (action) => Object.hasOwn(CALLS, action),
    handle(action: string, payload: object, context: CallContext) {
      const handler = CALLS[action];
      if (!handler) throw new Error(`OCPP 2.1: ${action} is not supported`);
      const handled = handler(payload as never, { ...context, connection: state });
      connection.evses.follow(handled.events);
      return handled;
    },
    receive(action: string, payload: object, context: CallContext) {
      const handler = Object.hasOwn(SENDS, action) ? SENDS[action] : undefined;
      return handler ? handler(payload as never, { ...context, connection: state }) : null;
    },
    plan: (call) => planOf(call, state),
    readMessage,
    readUnexpected,
    unfinished: () => connection.requestedReports?.unfinished() ?? NOTHING,
    tick: (now) => connection.requestedReports?.tick(now) ?? NOTHING,
  };
}

const NOTHING: [] = [];
