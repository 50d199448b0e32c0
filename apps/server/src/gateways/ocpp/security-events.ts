import { type AlarmLevel, reportedTime, trustedTime } from '@chargehand/domain';
import type { UplinkEvent } from '../../ports/uplink.ts';

type AlarmEvent = Extract<UplinkEvent, { kind: 'alarm' }>;

/**
 * Security events (OCPP 2.0.1 part 2, appendix 1; OCPP 1.6 security whitepaper, the same list) that are part of normal
 * operation.
 */
const ROUTINE: ReadonlySet<string> = new Set([
  'FirmwareUpdated',
  'ResetOrReboot',
  'SettingSystemTime',
  'StartupOfTheDevice',
  'MaintenanceLoginAccepted',
]);

/** Security events by alarm level; those that are not listed are ordinary. */
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
 * A security event as an alarm that clears immediately, because a device never reports its end. Nothing for events of
 * normal operation, which are only in the protocol log.
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
