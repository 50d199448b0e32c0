import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../testing/gateways/gateway-testbed.ts';
import { type CallInput, sendToDevice, storedAnswer } from '../../testing/gateways/scripted-device.ts';
import { OCPP16 } from './index.ts';

let bed: Testbed;
let point: RawPoint;
let id: number;
beforeAll(async () => {
  bed = await startTestbed();
  id = await bed.addDevice('CMD-1');
  point = await connectRaw(`${bed.url}/CMD-1`, { hearsTriggers: true });
  await point.call('Heartbeat', {});
});
afterAll(() => bed.stop());

/** How transfers give the location of a file. */
const TRY = { location: 'http://files/t/a.bin', requestId: 7, retries: 2, retryIntervalSeconds: 60 };
const AT = '2026-01-01T00:00:00.000Z';
const SIGNED = { signingCertificate: '-----BEGIN CERTIFICATE-----', signature: 'AAAA' };

const ask = (call: CallInput) => sendToDevice({ bed, id, point }, call);
const stored = (executionId: string) => storedAnswer(bed, executionId);

describe('every command as messages of OCPP 1.6', () => {
  test.each<[CallInput, string, object]>([
    [
      { kind: 'remoteStart', connector: 2, params: { idTag: 'CARD' } },
      'RemoteStartTransaction',
      { connectorId: 2, idTag: 'CARD' },
    ],
    [{ kind: 'remoteStop', connector: 2, params: { transaction: '7' } }, 'RemoteStopTransaction', { transactionId: 7 }],
    [{ kind: 'unlockConnector', connector: 2 }, 'UnlockConnector', { connectorId: 2 }],
    [{ kind: 'clearCache' }, 'ClearCache', {}],
    [
      { kind: 'triggerMessage', connector: 2, params: { message: 'MeterValues' } },
      'TriggerMessage',
      { requestedMessage: 'MeterValues', connectorId: 2 },
    ],
    [
      { kind: 'triggerMessage', params: { message: 'SignCertificate' } },
      'ExtendedTriggerMessage',
      { requestedMessage: 'SignChargePointCertificate' },
    ],
    [{ kind: 'softReset' }, 'Reset', { type: 'Soft' }],
    [{ kind: 'hardReset' }, 'Reset', { type: 'Hard' }],
    [{ kind: 'disableSystem' }, 'ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
    [{ kind: 'enableSystem' }, 'ChangeAvailability', { connectorId: 0, type: 'Operative' }],
    [{ kind: 'disableConnector', connector: 2 }, 'ChangeAvailability', { connectorId: 2, type: 'Inoperative' }],
    [{ kind: 'enableConnector', connector: 2 }, 'ChangeAvailability', { connectorId: 2, type: 'Operative' }],
    [
      { kind: 'startVpn', params: { param1: '22' } },
      'DataTransfer',
      { vendorId: 'Chargehand', messageId: 'startVpn', data: '{"param1":"22"}' },
    ],
    [{ kind: 'stopVpn' }, 'DataTransfer', { vendorId: 'Chargehand', messageId: 'stopVpn', data: '{}' }],
    [{ kind: 'restartCcu' }, 'DataTransfer', { vendorId: 'Chargehand', messageId: 'restartCcu', data: '{}' }],
    [{ kind: 'refreshConfiguration' }, 'GetConfiguration', {}],
    [{ kind: 'refreshParameters', params: { key: 'K' } }, 'GetConfiguration', { key: ['K'] }],
    [{ kind: 'setParameter', params: { key: 'K', value: '1' } }, 'ChangeConfiguration', { key: 'K', value: '1' }],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, retrieveAt: AT, version: '2.0' } },
      'UpdateFirmware',
      { location: TRY.location, retrieveDate: AT, retries: 2, retryInterval: 60 },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, ...SIGNED, retrieveAt: AT, version: '2.0' } },
      'SignedUpdateFirmware',
      {
        ...{ requestId: 7, retries: 2, retryInterval: 60 },
        firmware: { location: TRY.location, retrieveDateTime: AT, ...SIGNED },
      },
    ],
    [
      { kind: 'updatePlcFirmware', params: { ...TRY, ...SIGNED } },
      'DataTransfer',
      { vendorId: 'Chargehand', messageId: 'updatePlcFirmware', data: JSON.stringify({ ...TRY, ...SIGNED }) },
    ],
    [
      { kind: 'updatePlcFirmware', params: { ...TRY, version: '2.0' } },
      'DataTransfer',
      { vendorId: 'Chargehand', messageId: 'updatePlcFirmware', data: JSON.stringify({ ...TRY, version: '2.0' }) },
    ],
    [
      { kind: 'uploadLog', params: { ...TRY, logType: 'diagnostics', from: AT } },
      'GetDiagnostics',
      { location: TRY.location, retries: 2, retryInterval: 60, startTime: AT },
    ],
    [
      { kind: 'uploadLog', params: { ...TRY, logType: 'security' } },
      'GetLog',
      {
        logType: 'SecurityLog',
        requestId: 7,
        retries: 2,
        retryInterval: 60,
        log: { remoteLocation: TRY.location },
      },
    ],
  ])('%j', async (input, action, payload) => {
    const { executionId, call } = await ask(input);
    expect(call).toEqual([2, executionId, action, payload]);
    expect(OCPP16.schemas.violationOf(action, 'req', call[3])).toBeNull();
  });

  test.each([{ signature: undefined }, { signingCertificate: undefined }])(
    'a firmware file with only a signature or only a certificate is never sent, not even unsigned: %j',
    async (half) => {
      const params = JSON.parse(JSON.stringify({ ...TRY, ...SIGNED, retrieveAt: AT, ...half }));
      const call = { executionId: randomUUID(), kind: 'upgradeSoftware' as const, connector: 0, params };
      expect(await bed.link.execute(id, call)).toEqual({ outcome: 'notSupported' });
    },
  );
});

describe('the answer decides the result of the execution', () => {
  const set: CallInput = { kind: 'setParameter', params: { key: 'Interval', value: '30' } };
  test.each<[string, CallInput, unknown[], Partial<ExecutionAnswer>]>([
    ['Accepted', { kind: 'softReset' }, [3, { status: 'Accepted' }], { success: true, reason: 'accepted' }],
    ['Scheduled', { kind: 'disableSystem' }, [3, { status: 'Scheduled' }], { success: true, reason: 'scheduled' }],
    ['Rejected', { kind: 'softReset' }, [3, { status: 'Rejected' }], { success: false, reason: 'rejected' }],
    ['UnknownVendorId', { kind: 'stopVpn' }, [3, { status: 'UnknownVendorId' }], { reason: 'unknownVendor' }],
    ['UnknownMessageId', { kind: 'stopVpn' }, [3, { status: 'UnknownMessageId' }], { reason: 'unknownMessage' }],
    [
      'a vendor message, with the text of the device',
      { kind: 'startVpn' },
      [3, { status: 'Accepted', data: 'tun0 up' }],
      { success: true, reason: 'accepted', detail: 'tun0 up' },
    ],
    ['RebootRequired', set, [3, { status: 'RebootRequired' }], { success: true, reason: 'rebootRequired' }],
    [
      'a log that is being uploaded',
      { kind: 'uploadLog', params: { ...TRY, logType: 'diagnostics' } },
      [3, { fileName: 'a.log' }],
      { success: true, reason: 'accepted', detail: expect.stringContaining('a.log') },
    ],
    [
      'a security log that is being uploaded, replacing an earlier one',
      { kind: 'uploadLog', params: { ...TRY, logType: 'security' } },
      [3, { status: 'AcceptedCanceled', filename: 'security.log' }],
      { success: true, reason: 'acceptedCanceled', detail: 'security.log' },
    ],
    ...(
      [
        [3, { status: 'Accepted' }, { success: true, reason: 'accepted' }],
        [3, { status: 'AcceptedCanceled' }, { success: true, reason: 'acceptedCanceled' }],
        [3, { status: 'Rejected' }, { success: false, reason: 'rejected' }],
        [3, { status: 'InvalidCertificate' }, { success: false, reason: 'invalidCertificate' }],
        [3, { status: 'RevokedCertificate' }, { success: false, reason: 'revokedCertificate' }],
        [4, 'NotImplemented', { success: false, reason: 'signedNotSupported', detail: 'NotImplemented: no' }],
        [4, 'NotSupported', { success: false, reason: 'signedNotSupported', detail: 'NotSupported: no' }],
        [4, 'InternalError', { success: false, reason: 'callError', detail: 'InternalError: no' }],
      ] as const
    ).map(([type, word, expected]): [string, CallInput, unknown[], Partial<ExecutionAnswer>] => [
      `a signed update that is answered by ${JSON.stringify(word)}`,
      { kind: 'upgradeSoftware', params: { ...TRY, ...SIGNED, retrieveAt: AT } },
      type === 3 ? [3, word] : [4, word, 'no', {}],
      expected,
    ]),
    [
      'no log to upload',
      { kind: 'uploadLog', params: { ...TRY, logType: 'diagnostics' } },
      [3, {}],
      { success: false, reason: 'rejected' },
    ],
    [
      'an action that the vendor does not support',
      { kind: 'updatePlcFirmware', params: TRY },
      [3, { status: 'UnknownVendorId' }],
      { success: false, reason: 'unknownVendor' },
    ],
    ['an unknown key', set, [3, { status: 'NotSupported' }], { success: false, reason: 'unknownKey' }],
    [
      'a status outside the schema',
      { kind: 'softReset' },
      [3, { status: 'Maybe' }],
      { success: false, reason: 'badAnswer' },
    ],
    ['no payload', { kind: 'softReset' }, [3, null], { success: false, reason: 'badAnswer' }],
    [
      'a CALLERROR',
      { kind: 'softReset' },
      [4, 'InternalError', 'relay stuck', {}],
      { success: false, reason: 'callError', detail: 'InternalError: relay stuck' },
    ],
  ])('%s', async (_name, call, [type, ...rest], expected) => {
    const { executionId } = await ask(call);
    point.send([type, executionId, ...rest]);
    expect(await stored(executionId)).toMatchObject({ deviceId: id, ...expected });
  });

  test('settings that were changed and settings that the device lists become its parameters', async () => {
    const { executionId } = await ask({ kind: 'setParameter', params: { key: 'Interval', value: '30' } });
    point.send([3, executionId, { status: 'Accepted' }]);
    await stored(executionId);
    const read = async () =>
      (
        await bed.pool.query('select key, value, readonly from device_parameters where device_id = $1 order by key', [
          id,
        ])
      ).rows;
    expect(await eventually(read, (rows) => rows.length > 0)).toEqual([
      { key: 'Interval', value: '30', readonly: false },
    ]);
    const list = await ask({ kind: 'refreshConfiguration' });
    point.send([
      3,
      list.executionId,
      {
        configurationKey: [
          { key: 'Other', readonly: true, value: 'x' },
          { key: 'Void', readonly: false },
        ],
      },
    ]);
    await stored(list.executionId);
    expect(await eventually(read, (rows) => rows.length === 2)).toEqual([
      { key: 'Other', value: 'x', readonly: true },
      { key: 'Void', value: null, readonly: false },
    ]);
  });

  test('an answer that arrives after the next call was sent is still assigned to its own call', async () => {
    const first = await ask({ kind: 'softReset' });
    const second = await ask({ kind: 'hardReset' });
    point.send([3, second.executionId, { status: 'Rejected' }]);
    point.send([3, first.executionId, { status: 'Accepted' }]);
    expect(await stored(second.executionId)).toMatchObject({ reason: 'rejected' });
    expect(await stored(first.executionId)).toMatchObject({ reason: 'accepted' });
  });

  test('an answer to a call from before a restart is read by its format', async () => {
    const executionId = randomUUID();
    point.send([3, executionId, { status: 'Accepted' }]);
    expect(await stored(executionId)).toMatchObject({ deviceId: id, success: true, reason: 'accepted' });
  });
});

test('a device without a connection is offline', async () => {
  const other = await bed.addDevice('CMD-2');
  const call = { executionId: randomUUID(), kind: 'softReset' as const, connector: 0, params: {} };
  expect(await bed.link.execute(other, call)).toEqual({ outcome: 'offline' });
});
