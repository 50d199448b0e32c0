import { expect, test } from 'vitest';
import type { TransferReport, UplinkEvent } from '../../ports/uplink.ts';
import { transferReports } from './transfer-reports.ts';

const at = new Date('2026-01-01T00:00:00Z');
const booted = (softVersion: string | null): UplinkEvent => ({ kind: 'booted', at, softVersion, boot: {} });
const texts = (key: string, value = 'P2'): UplinkEvent => ({
  ...{ kind: 'texts', connector: 0, at, receivedAt: new Date(0) },
  values: [{ key, value }],
});
const parameters = (key: string, value: string | null): UplinkEvent => ({
  ...{ kind: 'parameters', at, unknownKeys: [], complete: false },
  entries: [{ key, value, readonly: true }],
});
const plc = (version: string): TransferReport => ({ deviceId: 7, at, kind: 'version', of: 'plc', version });
const software = (version: string): TransferReport => ({ deviceId: 7, at, kind: 'version', of: 'software', version });
const RESTART: TransferReport = { deviceId: 7, at, kind: 'restart' };

test.each<[string, UplinkEvent, TransferReport[]]>([
  [
    'the progress of firmware',
    { kind: 'firmwareStatus', at, status: 'Installed', requestId: '3' },
    [{ deviceId: 7, at, kind: 'word', of: 'firmware', word: 'Installed', requestId: '3' }],
  ],
  [
    'the progress of a log, without the number of the request',
    { kind: 'diagnosticsStatus', at, status: 'Uploaded' },
    [{ deviceId: 7, at, kind: 'word', of: 'log', word: 'Uploaded', requestId: undefined }],
  ],
  ['a boot', booted('1.2'), [software('1.2'), RESTART]],
  ['a boot without a version', booted(null), [RESTART]],
  ['a boot that is only repeated', { ...booted('1.2'), triggered: true } as UplinkEvent, [software('1.2')]],
  ['a PLC version among texts', texts('PlcFirmwareVersion'), [plc('P2')]],
  ['a PLC version of a component', texts('Controller/PlcFirmwareVersion'), [plc('P2')]],
  ['a PLC version of an OCPP component', parameters('Controller.PlcFirmwareVersion', 'P3'), [plc('P3')]],
  ['a PLC version without a value', parameters('PlcFirmwareVersion', null), []],
  ['a key that only ends like it', texts('OldPlcFirmwareVersion'), []],
  ['a key that only begins like it', texts('PlcFirmwareVersionDate'), []],
  ['any other event', { kind: 'clock', skewMs: 0 }, []],
])('%s', (_, event, reports) => {
  expect(transferReports([{ deviceId: 7, events: [event] } as never])).toEqual(reports);
});

test('the reports of all submissions are in their order', () => {
  const submissions = [
    { deviceId: 1, events: [booted('1'), booted('2')] },
    { deviceId: 2, events: [booted('3')] },
  ];
  const versions = transferReports(submissions as never).filter(({ kind }) => kind === 'version');
  expect(versions).toMatchObject([
    { deviceId: 1, version: '1' },
    { deviceId: 1, version: '2' },
    { deviceId: 2, version: '3' },
  ]);
});
