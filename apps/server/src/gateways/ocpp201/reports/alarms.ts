import { type AlarmLevel, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import { type Component, quantityKey, type Variable, variableKey } from '../keys.ts';
import type { Evses } from './evses.ts';

/** EventDataType of OCPP 2.0.1 part 2 §2.24. */
export interface EventData {
  timestamp: string;
  trigger: string;
  actualValue: string;
  techCode?: string;
  techInfo?: string;
  cleared?: boolean;
  variableMonitoringId?: number;
  /** OCPP 2.1 has it here too */
  severity?: number;
  component: Component;
  variable: Variable;
}

type AlarmEvent = Extract<UplinkEvent, { kind: 'alarm' }>;

/** The alarms that were reported on a connection: what its monitors watch, and what they raised. */
export interface Monitors {
  /** A device reports the severity of a monitor (NotifyMonitoringReport). Returns the active alarms that it changes. */
  learn(monitorId: number, severity: number): AlarmEvent[];
  /** True once for each monitor when an event names one whose severity is unknown. */
  needsSeverity(event: EventData): boolean;
  /** What an event raises or ends; empty for one that only reports a value. */
  alarms(event: EventData, evses: Evses, receivedAt: Date): AlarmEvent[];
}

/** The maximum number of monitors and alarms that are remembered for one device. */
const REMEMBERED = 1_000;

/** Components (OCPP 2.0.1 part 2, appendix 3) whose alarms mean danger to people or to the device. */
const DANGEROUS: ReadonlySet<string> = new Set([
  'CableBreakawaySensor',
  'EmergencyStopSensor',
  'FloodSensor',
  'GroundIsolationProtection',
  'OverCurrentBreaker',
  'PowerContactor',
  'RCD',
  'ShockSensor',
  'TiltSensor',
  'UpstreamProtectionTrigger',
]);

/** Variables whose alarm means that their component does not work. */
const FAULTS: ReadonlySet<string> = new Set(['Problem', 'Fault', 'Tripped', 'Overload']);

export function monitors(): Monitors {
  // null: requested
  const severities = new Map<number, number | null>();
  const raised = new Map<string, { alarm: AlarmEvent; monitorId: number | undefined }>();
  return {
    learn(monitorId, severity) {
      severities.set(monitorId, severity);
      forgetOldest(severities);
      const level = levelOf(severity);
      return [...raised.values()].flatMap((one) => {
        if (one.monitorId !== monitorId || one.alarm.level === level) return [];
        one.alarm = { ...one.alarm, level };
        return [one.alarm];
      });
    },
    needsSeverity({ severity, variableMonitoringId: id }) {
      if (severity !== undefined || id === undefined || severities.has(id)) return false;
      severities.set(id, null);
      forgetOldest(severities);
      return true;
    },
    alarms(event, evses, receivedAt) {
      const { evse } = event.component;
      const place = variableKey(event.component, event.variable);
      const known = raised.get(place);
      const over = isOver(event);
      // A fault is always an alarm, however it is reported. Everything else is an alarm only when the device says so.
      // An active alarm remains where it was raised.
      const connector = known?.alarm.connector ?? (evse === undefined ? 0 : evses.place(evse));
      if (connector === null || !(event.trigger === 'Alerting' || isFault(event) || (over && known))) return [];
      const { at } = trustedTime(reportedTime(event.timestamp), receivedAt);
      const quantity = quantityKey(event.component, event.variable);
      const code = event.techCode || quantity;
      const severity = event.severity ?? severities.get(event.variableMonitoringId ?? -1) ?? undefined;
      const { alarmKind, level } = severityOf(event, severity);
      const alarm = { kind: 'alarm', connector, at, alarmKind, level } as const;
      if (over) {
        // The end may arrive without the code, and over another connection than the start.
        const codes = new Set([code, quantity, known?.alarm.code ?? code]);
        raised.delete(place);
        const places = known || evse === undefined ? [connector] : evses.places(evse);
        return places.flatMap((at) =>
          [...codes].map((one) => ({ ...alarm, connector: at, code: one, info: null, active: false })),
        );
      }
      const info = [event.techInfo, `${quantity} = ${event.actualValue.slice(0, 100)}`].filter(Boolean).join('; ');
      const active: AlarmEvent = { ...alarm, code, info: info.slice(0, 255), active: true };
      raised.set(place, { alarm: active, monitorId: event.variableMonitoringId });
      forgetOldest(raised);
      return [active];
    },
  };
}

/** True when an event reports a variable that means a fault while it is true. */
function isFault({ variable, actualValue }: EventData): boolean {
  return FAULTS.has(variable.name) && ['true', 'false'].includes(actualValue.toLowerCase());
}

/**
 * An alarm clears when the device says so, or when its variable has its normal value. Out of service is reported as a
 * status.
 */
function isOver({ cleared, variable, actualValue }: EventData): boolean {
  if (cleared === true) return true;
  if (FAULTS.has(variable.name)) return actualValue.toLowerCase() === 'false';
  return variable.name === 'AvailabilityState' && actualValue !== 'Faulted';
}

/**
 * Kind and level of an alarm. A reported severity (OCPP 2.0.1 part 2 §2.50: 0 danger … 9 debug) decides; without one,
 * its component and variable decide.
 */
function severityOf(
  { component, variable }: EventData,
  severity: number | undefined,
): { alarmKind: AlarmEvent['alarmKind']; level: AlarmLevel } {
  const dangerous = DANGEROUS.has(component.name);
  const fault = dangerous || variable.name === 'AvailabilityState' || FAULTS.has(variable.name);
  const level = severity === undefined ? (dangerous ? 'CA' : fault ? 'MA' : 'OA') : levelOf(severity);
  return { alarmKind: fault ? 'fault' : 'alarm', level };
}

function levelOf(severity: number): AlarmLevel {
  return severity <= 3 ? 'CA' : severity <= 5 ? 'MA' : 'OA';
}

function forgetOldest(map: Map<unknown, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > REMEMBERED) map.delete(oldest);
}
