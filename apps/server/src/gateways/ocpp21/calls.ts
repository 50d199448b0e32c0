import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';
import { CALLS as CALLS_201 } from '../ocpp201/calls.ts';
import type { ConnectionState } from '../ocpp201/reports/state.ts';
import { batterySwap } from './battery-swap.ts';
import { notifyDerAlarm, notifyDerStartStop } from './der.ts';
import type { ConstantStreamData, EventStreams, StreamData } from './event-streams.ts';

interface Context extends CallContext {
  connection: ConnectionState & { streams: EventStreams };
}

type Handler = (payload: never, context: Context) => Handled;

/**
 * The messages that a charging station may send in OCPP 2.1 (part 2), and their meaning. Messages of 2.0.1 are read as
 * there. Payment, tariffs and dynamic schedules belong to a system for billing and planning: they are answered with the
 * status that the specification has for a system without them.
 */
export const CALLS: Readonly<Record<string, Handler>> = {
  ...CALLS_201,
  BatterySwap: batterySwap,
  ClosePeriodicEventStream: ({ id }: { id: number }, { connection }) => {
    connection.streams.close(id);
    return plain({});
  },
  GetCertificateChainStatus: getCertificateChainStatus,
  // This system plans no energy transfer for vehicles.
  NotifyAllowedEnergyTransfer: () => plain({ status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } }),
  NotifyDERAlarm: notifyDerAlarm,
  NotifyDERStartStop: notifyDerStartStop,
  NotifyMonitoringReport: notifyMonitoringReport,
  NotifyPriorityCharging: () => plain({}),
  NotifySettlement: () => plain({}),
  NotifyWebPaymentStarted: () => plain({}),
  OpenPeriodicEventStream: ({ constantStreamData }: { constantStreamData: ConstantStreamData }, { connection }) => {
    connection.streams.open(constantStreamData);
    return plain({ status: 'Accepted' });
  },
  PullDynamicScheduleUpdate: () => plain({ status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } }),
  ReportDERControl: () => plain({}),
  VatNumberValidation: ({ vatNumber, evseId }: { vatNumber: string; evseId?: number }) =>
    plain({
      ...{ vatNumber, status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedRequest' } },
      ...(evseId === undefined ? {} : { evseId }),
    }),
};

/** The messages without an answer (SEND) that this system accepts. */
export const SENDS: Readonly<Record<string, (payload: never, context: Context) => Omit<Handled, 'answer'>>> = {
  NotifyPeriodicEventStream: (payload: StreamData, { connection, receivedAt }) => ({
    ...connection.streams.take(payload, receivedAt),
    deviceTime: null,
  }),
};

/** No certificate authority of vehicles is configured, so the status of a certificate in the chain is unknown. */
function getCertificateChainStatus(
  { certificateStatusRequests }: { certificateStatusRequests: { certificateHashData: object; source: string }[] },
  { receivedAt }: Context,
): Handled {
  const certificateStatus = certificateStatusRequests.map(({ certificateHashData, source }) => ({
    ...{ certificateHashData, source },
    ...{ status: 'Failed', nextUpdate: receivedAt.toISOString() },
  }));
  return plain({ certificateStatus });
}

interface MonitoringReport {
  monitor?: {
    component: Parameters<EventStreams['learn']>[1]['component'];
    variable: Parameters<EventStreams['learn']>[1]['variable'];
    variableMonitoring: { id: number; severity: number }[];
  }[];
}

/** The variables of monitors, in addition to their severities: periodic event streams refer to their monitor only. */
function notifyMonitoringReport(payload: MonitoringReport, context: Context): Handled {
  const handled = CALLS_201.NotifyMonitoringReport?.(payload as never, context) ?? plain({});
  const learned = (payload.monitor ?? []).flatMap(({ component, variable, variableMonitoring }) =>
    variableMonitoring.map(({ id }) => context.connection.streams.learn(id, { component, variable })),
  );
  const refused = learned.flatMap((one) => one.refused);
  return { ...handled, events: [...handled.events, ...learned.flatMap(({ events }) => events)], refused };
}
