import { reportedTime, trustedTime } from '@chargehand/domain';
import type { CallContext, Handled } from '../ocpp/dialect.ts';
import { energyIn, type MeterValue, mapMeterValues } from './reports/readings.ts';
import type { ConnectionState } from './reports/state.ts';
import { type IdToken, idTokenInfo } from './tokens.ts';

/** TransactionEventRequest of OCPP 2.0.1 part 2 §1.60. */
interface TransactionEvent {
  eventType: 'Started' | 'Updated' | 'Ended';
  timestamp: string;
  seqNo: number;
  offline?: boolean;
  transactionInfo: { transactionId: string; chargingState?: string; stoppedReason?: string; remoteStartId?: number };
  evse?: { id: number; connectorId?: number };
  idToken?: IdToken;
  meterValue?: MeterValue[];
}

const PHASES = { Started: 'started', Updated: 'updated', Ended: 'ended' } as const;

/** ChargingStateEnumType as ConnectorStatus. Idle and EVConnected only mean that a vehicle is present. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  Charging: 'Charging',
  SuspendedEV: 'SuspendedEV',
  SuspendedEVSE: 'SuspendedEVSE',
  EVConnected: 'Occupied',
  Idle: 'Occupied',
};

/**
 * The events of a transaction as a charging station reports them. Stations number transactions themselves, and send
 * stored messages later.
 */
export function transactionEvent(
  payload: TransactionEvent,
  { receivedAt, connection }: CallContext & { connection: Pick<ConnectionState, 'evses'> },
): Handled {
  const { eventType, seqNo, transactionInfo, evse, idToken, offline = false, meterValue = [] } = payload;
  const { at, trusted } = trustedTime(reportedTime(payload.timestamp), receivedAt);
  const transaction = transactionInfo.transactionId;
  const connector = evse === undefined ? null : connection.evses.place(evse, { transaction, isNow: !offline });
  const readings = mapMeterValues(connector ?? 0, meterValue, receivedAt);
  return {
    events: [
      {
        ...{ kind: 'transactionEvent', transaction, phase: PHASES[eventType], seqNo },
        ...{ at, offline, connector },
        ...(transactionInfo.remoteStartId === undefined ? {} : { remoteStartId: transactionInfo.remoteStartId }),
        idTag: idToken === undefined || idToken.type === 'NoAuthorization' ? null : idToken.idToken,
        meter: energyIn(meterValue),
        reason: transactionInfo.stoppedReason ?? null,
        activity: ACTIVITIES[transactionInfo.chargingState ?? ''] ?? null,
        clockFault: !trusted,
      },
      ...readings.events,
    ],
    notes: trusted ? readings.notes : ['its time is not plausible; stored with the time of receipt', ...readings.notes],
    refused: readings.refused,
    answer: {},
    // OCPP 2.0.1 E01.FR.11: a reported identifier gets an answer.
    ...(idToken === undefined
      ? {}
      : {
          token: {
            request: {
              ...{ value: idToken.idToken, type: idToken.type, at, connector: connector ?? 0 },
              purpose: eventType === 'Started' ? 'start' : 'use',
              session: transactionInfo.transactionId,
            },
            answer: (decided) => ({ idTokenInfo: idTokenInfo(decided) }),
          },
        }),
    deviceTime: null,
  };
}
