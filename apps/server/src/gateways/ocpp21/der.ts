import { type AlarmLevel, readingTime, reportedTime, trustedTime } from '@chargehand/domain';
import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';

/** NotifyDERAlarmRequest of OCPP 2.1 part 2 (R04): a grid event activated a DER control, or the event has ended. */
interface DerAlarm {
  controlType: string;
  gridEventFault?: string;
  alarmEnded?: boolean;
  timestamp: string;
  extraInfo?: string;
}

/** NotifyDERStartStopRequest of OCPP 2.1 part 2 (R03). */
interface DerStartStop {
  controlId: string;
  started: boolean;
  timestamp: string;
  supersededIds?: string[];
}

/** Grid events that people on site must handle. */
const EMERGENCIES: ReadonlySet<string> = new Set(['LocalEmergency', 'RemoteEmergency']);
/** Controls that disconnect the station from the grid, or make it cease to energize. */
const TRIPS: ReadonlySet<string> = new Set([
  'HFMustTrip',
  'HVMomCess',
  'HVMustTrip',
  'LFMustTrip',
  'LVMomCess',
  'LVMustTrip',
  'PowerMonitoringMustTrip',
]);

/**
 * The level of an alarm of a distributed energy resource: an emergency, a disconnection, or a limit that takes effect.
 */
function derSeverity(
  controlType: string,
  gridEventFault?: string,
): { alarmKind: 'alarm' | 'fault'; level: AlarmLevel } {
  if (EMERGENCIES.has(gridEventFault ?? '')) return { alarmKind: 'fault', level: 'CA' };
  return TRIPS.has(controlType) ? { alarmKind: 'fault', level: 'MA' } : { alarmKind: 'alarm', level: 'OA' };
}

/** NotifyDERAlarm raises or ends the alarm `DER.<controlType>` of the station. */
export function notifyDerAlarm(payload: DerAlarm, { receivedAt }: CallContext): Handled {
  const { controlType, gridEventFault, alarmEnded = false, extraInfo } = payload;
  const { at } = trustedTime(reportedTime(payload.timestamp), receivedAt);
  const info = [gridEventFault, extraInfo].filter(Boolean).join('; ').slice(0, 255);
  return plain({}, [
    {
      ...{ kind: 'alarm', connector: 0, at, code: `DER.${controlType}`.slice(0, 50), active: !alarmEnded },
      ...derSeverity(controlType, gridEventFault),
      info: alarmEnded || info === '' ? null : info,
    },
  ]);
}

/** NotifyDERStartStop: the control that started or stopped last, as data of the station. */
export function notifyDerStartStop(payload: DerStartStop, { receivedAt }: CallContext): Handled {
  const { controlId, started, supersededIds = [] } = payload;
  const time = readingTime(reportedTime(payload.timestamp), receivedAt);
  if (time.at === null) {
    return { ...plain({}), refused: [`the time ${payload.timestamp.slice(0, 40)} ${time.problem}; left out`] };
  }
  const { at } = time;
  const key = started ? 'DERControl.Started' : 'DERControl.Stopped';
  const superseded = supersededIds.join(', ').slice(0, 200);
  return {
    ...plain({}, [{ kind: 'texts', connector: 0, at, receivedAt, values: [{ key, value: controlId }] }]),
    notes: superseded === '' ? [] : [`it supersedes ${superseded}`],
  };
}
