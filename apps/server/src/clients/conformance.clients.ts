import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../gateways/ocpp/dialect.ts';
import { INDEPENDENT } from '../gateways/ocpp/tolerance/tolerance.ts';
import type { ErrorCode } from '../gateways/ocpp/wire.ts';
import { OCPP16 } from '../gateways/ocpp16/index.ts';
import { OCPP21 } from '../gateways/ocpp21/index.ts';
import { OCPP201 } from '../gateways/ocpp201/index.ts';
import { conformanceCases } from '../testing/clients/conformance-cases.ts';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../testing/gateways/gateway-testbed.ts';

/** The feature profiles of OCPP 1.6 §5 and its security whitepaper, by their messages. */
const PROFILES: Readonly<Record<string, string>> = {
  Core: 'Authorize BootNotification ChangeAvailability ChangeConfiguration ClearCache DataTransfer GetConfiguration Heartbeat MeterValues RemoteStartTransaction RemoteStopTransaction Reset StartTransaction StatusNotification StopTransaction UnlockConnector',
  'Firmware Management': 'GetDiagnostics DiagnosticsStatusNotification FirmwareStatusNotification UpdateFirmware',
  'Local Auth List Management': 'GetLocalListVersion SendLocalList',
  Reservation: 'CancelReservation ReserveNow',
  'Smart Charging': 'ClearChargingProfile GetCompositeSchedule SetChargingProfile',
  'Remote Trigger': 'TriggerMessage',
  Security:
    'CertificateSigned DeleteCertificate ExtendedTriggerMessage GetInstalledCertificateIds GetLog InstallCertificate LogStatusNotification SecurityEventNotification SignCertificate SignedFirmwareStatusNotification SignedUpdateFirmware',
};
/** The functional blocks of OCPP 2.0.1 and 2.1 part 2, by their messages. */
const BLOCKS: Readonly<Record<string, string>> = {
  'A Security': 'CertificateSigned SecurityEventNotification SignCertificate',
  'B Provisioning':
    'BootNotification GetBaseReport GetReport GetVariables NotifyReport Reset SetNetworkProfile SetVariables',
  'C Authorization': 'Authorize ClearCache',
  'D Local authorization list': 'GetLocalListVersion SendLocalList',
  'E Transactions': 'GetTransactionStatus TransactionEvent',
  'F Remote control': 'RequestStartTransaction RequestStopTransaction TriggerMessage UnlockConnector',
  'G Availability': 'ChangeAvailability Heartbeat StatusNotification',
  'H Reservation': 'CancelReservation ReservationStatusUpdate ReserveNow',
  'I Tariff and cost':
    'ChangeTransactionTariff ClearTariffs CostUpdated GetTariffs NotifySettlement NotifyWebPaymentStarted SetDefaultTariff VatNumberValidation',
  'J Meter values': 'MeterValues',
  'K Smart charging':
    'ClearChargingProfile ClearedChargingLimit GetChargingProfiles GetCompositeSchedule NotifyChargingLimit NotifyEVChargingNeeds NotifyEVChargingSchedule NotifyPriorityCharging PullDynamicScheduleUpdate ReportChargingProfiles SetChargingProfile UpdateDynamicSchedule UsePriorityCharging',
  'L Firmware management':
    'FirmwareStatusNotification PublishFirmware PublishFirmwareStatusNotification UnpublishFirmware UpdateFirmware',
  'M Certificates':
    'DeleteCertificate Get15118EVCertificate GetCertificateChainStatus GetCertificateStatus GetInstalledCertificateIds InstallCertificate',
  'N Diagnostics':
    'AdjustPeriodicEventStream ClearVariableMonitoring ClosePeriodicEventStream CustomerInformation GetLog GetMonitoringReport GetPeriodicEventStream LogStatusNotification NotifyCustomerInformation NotifyEvent NotifyMonitoringReport NotifyPeriodicEventStream OpenPeriodicEventStream SetMonitoringBase SetMonitoringLevel SetVariableMonitoring',
  'O Display messages': 'ClearDisplayMessage GetDisplayMessages NotifyDisplayMessages SetDisplayMessage',
  'P Data transfer': 'DataTransfer',
  'Q Bidirectional power transfer': 'AFRRSignal NotifyAllowedEnergyTransfer',
  'R Distributed energy resources':
    'ClearDERControl GetDERControl NotifyDERAlarm NotifyDERStartStop ReportDERControl SetDERControl',
  'S Battery swapping': 'BatterySwap RequestBatterySwap',
};

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

/** Frames that are no valid messages (OCPP-J §4), and their error codes; null: they get no answer. */
const FRAMES: [frame: string, code: ErrorCode | null][] = [
  ['[2,"f1","Heartbeat"]', 'ProtocolError'],
  ['[2,"f2","Heartbeat",[]]', 'FormationViolation'],
  ['[2,"f3","Heartbeat",null]', 'FormationViolation'],
  ['[2,"f4","Heartbeat",{},1]', 'FormationViolation'],
  ['[2,"f5","",{}]', 'FormationViolation'],
  ['[2,"f6",7,{}]', 'FormationViolation'],
  ['[2,"f7","Heartbeat",{"a":}]', 'FormationViolation'],
  [`[2,"${'f'.repeat(40)}","Heartbeat",{}]`, 'FormationViolation'],
  ['[2,"f8","NoSuchAction",{}]', 'NotImplemented'],
  ['[2,"f9","constructor",{}]', 'NotImplemented'],
  ['[7,"f10","Heartbeat",{}]', null],
  ['[3,"f11",{}]', null],
  ['[4,"f12","GenericError","",{}]', null],
];

describe.each([
  [OCPP16, PROFILES, 'OCPP16'],
  [OCPP201, BLOCKS, 'OCPP201'],
  [OCPP21, BLOCKS, 'OCPP21'],
] as const)('conformance to $name', (dialect: Dialect, blocks, sn) => {
  const counts = new Map<string, { passed: number; total: number }>();
  const failures: string[] = [];
  let point: RawPoint;
  let deviceId: number;
  beforeAll(async () => {
    deviceId = await bed.addDevice(sn);
    point = await connectRaw(`${bed.url}/${sn}`, { protocols: [dialect.subprotocol], hearsTriggers: true });
  });
  const blockOf = (action: string) =>
    Object.keys(blocks).find((block) => blocks[block]?.split(' ').includes(action)) ?? 'none';
  const count = (block: string, what: string, problem: string | null) => {
    const counted = counts.get(block) ?? { passed: 0, total: 0 };
    counts.set(block, { passed: counted.passed + (problem === null ? 1 : 0), total: counted.total + 1 });
    if (problem !== null) failures.push(`${block}: ${what}: ${problem}`);
  };
  const codeOf = (code: ErrorCode) => dialect.codes[code] ?? code;
  const schemaOf = (action: string, kind: 'req' | 'conf') => {
    const schema = dialect.schemas.schemaOf(action, kind);
    if (!schema) throw new Error(`${dialect.name} has no schema of ${action}`);
    return schema;
  };
  const takes = (action: string) => dialect.connection(bed.parts.clock).takes(action);

  test('every message has a block', () => {
    expect(dialect.schemas.actions.filter((action) => blockOf(action) === 'none')).toEqual([]);
  });

  test('messages of stations are answered', { timeout: 300_000 }, async () => {
    for (const action of dialect.schemas.actions) {
      if (!takes(action)) {
        const [type, , code] = await point.call(action, {});
        const isRight = type === 4 && code === codeOf('NotSupported');
        count(blockOf(action), `${action} of a station`, isRight ? null : `${type} ${code}`);
        continue;
      }
      for (const { name, payload, error } of conformanceCases(schemaOf(action, 'req'), 'req', INDEPENDENT)) {
        const [type, , answer] = await point.call(action, payload);
        const violation = type === 3 ? dialect.schemas.violationOf(action, 'conf', answer) : null;
        const isRight = error === null ? type === 3 && !violation : type === 4 && answer === codeOf(error);
        const given = `${JSON.stringify([type, answer])} ${violation?.description ?? ''} instead of ${error ?? 'an answer'}`;
        count(blockOf(action), `${action} ${name}`, isRight ? null : given);
      }
    }
  });

  test('answers of stations are read', { timeout: 300_000 }, async () => {
    for (const action of dialect.requests) {
      const [whole] = conformanceCases(schemaOf(action, 'req'), 'req', INDEPENDENT);
      for (const { name, payload, error } of conformanceCases(schemaOf(action, 'conf'), 'conf', INDEPENDENT)) {
        const executionId = randomUUID();
        const params = { action, payload: whole!.payload as Record<string, unknown> };
        const sent = await bed.link.execute(deviceId, { executionId, kind: 'sendMessage', connector: 0, params });
        if (sent.outcome !== 'sent') {
          count(blockOf(action), `${action} to a station`, sent.outcome);
          break;
        }
        const [, id, named] = await point.next();
        point.send([3, id, payload]);
        // An answer that violates its schema is reported to stations that support it.
        if (error !== null && dialect.sends) await point.next();
        const read = await eventually(
          async () => bed.answers.find((one) => one.executionId === executionId),
          (one) => one !== undefined,
        );
        const isBad = read?.reason === 'badAnswer';
        const isRight = named === action && id === executionId && isBad === (error !== null);
        count(
          blockOf(action),
          `the answer to ${action} ${name}`,
          isRight ? null : `${named} ${read?.reason} ${read?.detail}`,
        );
      }
    }
  });

  test('frames that are no messages get the error of the standard, or no answer', async () => {
    for (const [frame, code] of FRAMES) {
      point.send(frame);
      if (code === null) point.send([2, 'after', 'Heartbeat', {}]);
      const [type, , answer] = await point.next();
      const isRight = code === null ? type === 3 : type === 4 && answer === codeOf(code);
      count('RPC framework', frame, isRight ? null : JSON.stringify([type, answer]));
    }
  });

  afterAll(() => {
    const all = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = all.map(([block, { passed, total }]) => `  ${block}: ${passed}/${total}`);
    const sum = (of: 'passed' | 'total') => all.reduce((before, [, one]) => before + one[of], 0);
    process.stdout.write(`${dialect.name}: ${sum('passed')}/${sum('total')}\n${lines.join('\n')}\n`);
    expect(failures).toEqual([]);
  });
});
