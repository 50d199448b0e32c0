import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';
import { type CallInput, sendToDevice, storedAnswer } from '../../testing/gateways/scripted-device.ts';
import { OCPP201 } from './index.ts';
import { reports } from './reports/reports.ts';

let bed: Testbed;
let point: RawPoint;
let id: number;
beforeAll(async () => {
  bed = await startTestbed();
  id = await bed.addDevice('CMD-201');
  point = await connectRaw(`${bed.url}/CMD-201`, { protocols: ['ocpp2.0.1'], hearsTriggers: true });
  await point.call('Heartbeat', {});
});
afterAll(() => bed.stop());

const ask = (call: CallInput) => sendToDevice({ bed, id, point }, call);
const stored = (executionId: string) => storedAnswer(bed, executionId);

const set: CallInput = { kind: 'setParameter', params: { key: 'TxCtrlr.EVConnectionTimeOut', value: '30' } };
const get: CallInput = { kind: 'refreshParameters', params: { key: 'TxCtrlr.EVConnectionTimeOut' } };
const place = { component: { name: 'TxCtrlr' }, variable: { name: 'EVConnectionTimeOut' } };
/** How transfers give the location of a file. */
const TRY = { location: 'http://files/t/a.bin', requestId: 7, retries: 2, retryIntervalSeconds: 60 };
const AT = '2026-01-01T00:00:00.000Z';
const SIGNED = { signingCertificate: '-----BEGIN CERTIFICATE-----', signature: 'AAAA' };
const requestId = expect.any(Number);

describe('every command as messages of OCPP 2.0.1', () => {
  test.each<[CallInput, string, object]>([
    [{ kind: 'clearCache' }, 'ClearCache', {}],
    [
      { kind: 'remoteStop', connector: 2, params: { transaction: 'tx-7' } },
      'RequestStopTransaction',
      { transactionId: 'tx-7' },
    ],
    [{ kind: 'unlockConnector', connector: 2 }, 'UnlockConnector', { evseId: 2, connectorId: 1 }],
    [
      { kind: 'triggerMessage', connector: 2, params: { message: 'StatusNotification' } },
      'TriggerMessage',
      { requestedMessage: 'StatusNotification', evse: { id: 2, connectorId: 1 } },
    ],
    [
      { kind: 'triggerMessage', connector: 2, params: { message: 'MeterValues' } },
      'TriggerMessage',
      { requestedMessage: 'MeterValues', evse: { id: 2 } },
    ],
    [
      { kind: 'triggerMessage', params: { message: 'SignCertificate' } },
      'TriggerMessage',
      { requestedMessage: 'SignChargingStationCertificate' },
    ],
    [{ kind: 'softReset' }, 'Reset', { type: 'OnIdle' }],
    [{ kind: 'hardReset' }, 'Reset', { type: 'Immediate' }],
    [{ kind: 'hardReset', connector: 258 }, 'Reset', { type: 'Immediate', evseId: 2 }],
    [{ kind: 'disableSystem' }, 'ChangeAvailability', { operationalStatus: 'Inoperative' }],
    [{ kind: 'enableSystem' }, 'ChangeAvailability', { operationalStatus: 'Operative' }],
    [
      { kind: 'disableConnector', connector: 2 },
      'ChangeAvailability',
      { operationalStatus: 'Inoperative', evse: { id: 2, connectorId: 1 } },
    ],
    [
      { kind: 'enableConnector', connector: 257 },
      'ChangeAvailability',
      { operationalStatus: 'Operative', evse: { id: 1, connectorId: 2 } },
    ],
    [{ kind: 'refreshConfiguration' }, 'GetBaseReport', { requestId, reportBase: 'FullInventory' }],
    [{ kind: 'refreshParameters' }, 'GetBaseReport', { requestId, reportBase: 'ConfigurationInventory' }],
    [get, 'GetVariables', { getVariableData: [place] }],
    [
      { kind: 'refreshParameters', params: { key: 'TxCtrlr' } },
      'GetReport',
      { requestId, componentVariable: [{ component: { name: 'TxCtrlr' } }] },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, retrieveAt: AT, version: '2.0' } },
      'UpdateFirmware',
      { requestId: 7, retries: 2, retryInterval: 60, firmware: { location: TRY.location, retrieveDateTime: AT } },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, ...SIGNED, retrieveAt: AT } },
      'UpdateFirmware',
      {
        ...{ requestId: 7, retries: 2, retryInterval: 60 },
        firmware: { location: TRY.location, retrieveDateTime: AT, ...SIGNED },
      },
    ],
    [
      { kind: 'uploadLog', params: { ...TRY, logType: 'security', from: AT } },
      'GetLog',
      {
        ...{ logType: 'SecurityLog', requestId: 7, retries: 2, retryInterval: 60 },
        log: { remoteLocation: TRY.location, oldestTimestamp: AT },
      },
    ],
    [
      { kind: 'updatePlcFirmware', params: TRY },
      'DataTransfer',
      { vendorId: 'Chargehand', messageId: 'updatePlcFirmware', data: JSON.stringify(TRY) },
    ],
    [
      { kind: 'startVpn', params: { param1: '22' } },
      'DataTransfer',
      { vendorId: 'Chargehand', messageId: 'startVpn', data: '{"param1":"22"}' },
    ],
    [set, 'SetVariables', { setVariableData: [{ ...place, attributeValue: '30' }] }],
    [
      { kind: 'setParameter', params: { key: 'EVSE@2.Power(DC)', value: '1' } },
      'SetVariables',
      {
        setVariableData: [
          {
            ...{ attributeValue: '1', component: { name: 'EVSE', evse: { id: 2 } } },
            variable: { name: 'Power', instance: 'DC' },
          },
        ],
      },
    ],
  ])('%j', async (input, action, payload) => {
    const { executionId, call } = await ask(input);
    expect(call).toEqual([2, executionId, action, payload]);
    expect(OCPP201.schemas.violationOf(action, 'req', call[3])).toBeNull();
  });

  test.each([{ key: 'A.B.C', value: '1' }, { key: 'NoVariable', value: '1' }, {}])(
    'a setting that names no variable is not sent: %j',
    async (params) => {
      const call = { executionId: randomUUID(), kind: 'setParameter' as const, connector: 0, params };
      expect(await bed.link.execute(id, call)).toEqual({ outcome: 'notSupported' });
    },
  );
});

describe('the answer decides the result of the execution', () => {
  const settingOf = (attributeStatus: string, more = {}) => ({
    setVariableResult: [{ ...place, attributeStatus, ...more }],
  });
  const readingOf = (attributeStatus: string, more = {}) => ({
    getVariableResult: [{ ...place, attributeStatus, ...more }],
  });
  test.each<[CallInput, object, Partial<ExecutionAnswer>]>([
    [{ kind: 'softReset' }, { status: 'Accepted' }, { success: true, reason: 'accepted' }],
    [{ kind: 'softReset' }, { status: 'Scheduled' }, { success: true, reason: 'scheduled' }],
    [
      { kind: 'softReset' },
      { status: 'Rejected', statusInfo: { reasonCode: 'InUse', additionalInfo: 'a vehicle charges' } },
      { success: false, reason: 'rejected', detail: 'InUse: a vehicle charges' },
    ],
    [{ kind: 'softReset' }, { status: 'Maybe' }, { success: false, reason: 'badAnswer' }],
    [set, settingOf('Accepted'), { success: true, reason: 'accepted' }],
    [set, settingOf('RebootRequired'), { success: true, reason: 'rebootRequired' }],
    [set, settingOf('Rejected'), { success: false, reason: 'rejected' }],
    [set, settingOf('UnknownComponent'), { success: false, reason: 'unknownKey' }],
    [set, settingOf('UnknownVariable'), { success: false, reason: 'unknownKey' }],
    [set, settingOf('NotSupportedAttributeType'), { success: false, reason: 'notSupported' }],
    [get, readingOf('Accepted', { attributeValue: '30' }), { success: true, reason: 'accepted' }],
    [get, readingOf('UnknownVariable'), { success: false, reason: 'unknownKey' }],
    [
      { kind: 'uploadLog', params: TRY },
      { status: 'AcceptedCanceled', filename: 'a.log' },
      { success: true, reason: 'acceptedCanceled', detail: 'a.log' },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, retrieveAt: AT } },
      { status: 'InvalidCertificate', statusInfo: { reasonCode: 'Expired' } },
      { success: false, reason: 'invalidCertificate', detail: 'Expired' },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, ...SIGNED, retrieveAt: AT } },
      { status: 'RevokedCertificate' },
      { success: false, reason: 'revokedCertificate' },
    ],
    [
      { kind: 'upgradeSoftware', params: { ...TRY, ...SIGNED, retrieveAt: AT } },
      { status: 'AcceptedCanceled' },
      { success: true, reason: 'acceptedCanceled' },
    ],
    [
      { kind: 'updatePlcFirmware', params: TRY },
      { status: 'UnknownVendorId' },
      { success: false, reason: 'unknownVendor' },
    ],
    [{ kind: 'refreshConfiguration' }, { status: 'NotSupported' }, { success: false, reason: 'notSupported' }],
    [{ kind: 'refreshConfiguration' }, { status: 'EmptyResultSet' }, { success: true, reason: 'accepted' }],
  ])('%j answered by %j', async (call, payload, expected) => {
    const { executionId } = await ask(call);
    point.send([3, executionId, payload]);
    expect(await stored(executionId)).toMatchObject({ deviceId: id, ...expected });
  });

  test('the text of a CALLERROR is the detail of the result', async () => {
    const { executionId } = await ask(set);
    point.send([4, executionId, 'NotSupported', 'no', {}]);
    expect(await stored(executionId)).toMatchObject({
      success: false,
      reason: 'callError',
      detail: 'NotSupported: no',
    });
  });

  test('a changed setting is stored, and reading a setting does not change whether it can be set', async () => {
    await bed.pool.query('delete from device_parameters where device_id = $1', [id]);
    const reported = { ...place, variableAttribute: [{ value: '20', mutability: 'ReadOnly' }] };
    await point.call('NotifyReport', {
      ...{ requestId: 9, seqNo: 0, generatedAt: new Date().toISOString(), reportData: [reported] },
    });
    const { executionId } = await ask(get);
    point.send([3, executionId, readingOf('Accepted', { attributeValue: '30' })]);
    await stored(executionId);
    const { rows } = await bed.pool.query('select key, value, readonly from device_parameters where device_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ key: 'TxCtrlr.EVConnectionTimeOut', value: '30', readonly: true }]);
  });
});

describe('a report is a success when its last part has arrived', () => {
  const entry = (key: string) => ({ key, value: '1', readonly: false });

  test('parts in any order, repeated, make one report that replaces the stored parameters', () => {
    const at = new Date();
    const connection = reports(systemClock);
    connection.requestReport(1, 'e', true);
    const working = [{ kind: 'executionProgress', executionId: 'e', at, state: 'working', detail: null }];
    expect(connection.part({ requestId: 1, seqNo: 2, tbc: false }, [entry('c')], at)).toEqual(working);
    expect(connection.part({ requestId: 1, seqNo: 0, tbc: true }, [entry('a')], at)).toEqual(working);
    expect(connection.part({ requestId: 1, seqNo: 0, tbc: true }, [entry('a')], at)).toEqual([]);
    expect(connection.part({ requestId: 7, seqNo: 1, tbc: true }, [entry('x')], at)).toEqual([]);
    expect(connection.part({ requestId: 1, seqNo: 1, tbc: true }, [entry('b')], at)).toMatchObject([
      { kind: 'parameters', complete: true, entries: [{ key: 'c' }, { key: 'a' }, { key: 'b' }] },
      { kind: 'answer', executionId: 'e', success: true, answer: { parts: 3, variables: 3 } },
    ]);
    expect(connection.tick(at.getTime() + 1e6)).toEqual([]);
  });

  test('the execution continues while new parts arrive; a repeated part does not count', () => {
    const start = Date.now();
    const connection = reports(systemClock);
    connection.requestReport(1, 'e', true);
    const part = (seqNo: number, after: number) =>
      connection.part({ requestId: 1, seqNo, tbc: true }, [entry('a')], new Date(start + after));
    for (let seqNo = 0; seqNo < 5; seqNo += 1) {
      expect(part(seqNo, seqNo * 45_000)).toMatchObject([{ executionId: 'e', state: 'working' }]);
      expect(connection.tick(start + seqNo * 45_000 + 44_000)).toEqual([]);
    }
    expect(part(4, 220_000)).toEqual([]);
    expect(connection.tick(start + 235_000)).toMatchObject([{ state: 'noAnswer' }]);
  });

  test.each([
    [
      [
        [0, true],
        [3, false],
      ],
      { kind: 'answer', success: false, reason: 'badAnswer', detail: 'missing parts of the report: 1, 2' },
    ],
    [
      [[1, true]],
      {
        state: 'noAnswer',
        detail: 'missing parts of the report: 0; the last part of the report did not arrive',
      },
    ],
    [[[0, true]], { state: 'noAnswer', detail: 'the last part of the report did not arrive' }],
    [[], { state: 'noAnswer', detail: 'no part of the report arrived' }],
  ] as [[number, boolean][], object][])('parts %j: %j', (parts, end) => {
    const at = new Date();
    const connection = reports(systemClock);
    connection.requestReport(1, 'e', true);
    for (const [seqNo, tbc] of parts) connection.part({ requestId: 1, seqNo, tbc }, [entry('a')], at);
    expect(connection.unfinished()).toEqual(['e']);
    expect(connection.tick(at.getTime() + 40_000)).toEqual([]);
    expect(connection.tick(at.getTime() + 60_000)).toMatchObject([{ executionId: 'e', ...end }]);
    expect(connection.unfinished()).toEqual([]);
    expect(connection.tick(at.getTime() + 90_000)).toEqual([]);
  });
});
