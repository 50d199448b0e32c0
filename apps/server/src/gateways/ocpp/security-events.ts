import { type AlarmLevel, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../ports/uplink.ts';

type AlarmEvent = Extract<UplinkEvent, { kind: 'alarm' }>;

/**
 * Security events (OCPP 2.0.1 part 2, appendix 1; OCPP 1.6 security whitepaper, the same list) that belong to every day.
 */
const ROUTINE: ReadonlySet<string> = new Set([
  'FirmwareUpdated',
  'ResetOrReboot',
  'SettingSystemTime',
  'StartupOfTheDevice',
  'MaintenanceLoginAccepted',
]);

/** Security events by how grave they are; those not named are ordinary. */
const SECURITY_LEVELS: ReadonlyMap<string, AlarmLevel> = new Map([
  ['TamperDetectionActivated', 'CA'],
  ['AttemptedReplayAttacks', 'MA'],
  ['CsmsFailedToAuthenticate', 'MA'],
  ['FailedToAuthenticateAtCsms', 'MA'],
  ['InvalidFirmwareSignature', 'MA'],
  ['InvalidFirmwareSigningCertificate', 'MA'],
  ['MemoryExhaustion', 'MA'],
  ['SecurityLogWasCleared', 'MA'],
]);

/**
 * A security event as an alarm that is over as soon as it is told: it has no end that a device would tell. Nothing for
 * the events of every day, which stand in the protocol log.
 */
export function securityAlarms(
  { type, timestamp, techInfo }: { type: string; timestamp: string; techInfo?: string },
  receivedAt: Date,
): AlarmEvent[] {
  if (ROUTINE.has(type)) return [];
  const { at } = trustedTime(reportedTime(timestamp), receivedAt);
  const level = SECURITY_LEVELS.get(type) ?? 'OA';
  const alarm = { kind: 'alarm', connector: 0, at, code: type, alarmKind: 'alarm', level } as const;
  return [
    { ...alarm, info: techInfo ?? null, active: true },
    { ...alarm, info: techInfo ?? null, active: false },
  ];
}
