import { describe, expect, test } from 'vitest';
import { setAcceptedScene } from '../testing/scene.ts';

const SN = 'SIM00001';

describe('a call of the central system', () => {
  test.each([
    ['ClearCache', {}, { status: 'Rejected' }],
    ['GetLocalListVersion', {}, { listVersion: 0 }],
    ['SetChargingProfile', { connectorId: 1, csChargingProfiles: profile() }, { status: 'NotSupported' }],
    ['ClearChargingProfile', {}, { status: 'Unknown' }],
    ['GetCompositeSchedule', { connectorId: 1, duration: 60 }, { status: 'Rejected' }],
    [
      'ReserveNow',
      { connectorId: 1, expiryDate: '2030-01-01T00:00:00Z', idTag: 'A', reservationId: 1 },
      { status: 'Rejected' },
    ],
    ['CancelReservation', { reservationId: 1 }, { status: 'Rejected' }],
    ['DataTransfer', { vendorId: 'nobody' }, { status: 'UnknownVendorId' }],
    ['UnlockConnector', { connectorId: 1 }, { status: 'Unlocked' }],
    ['UnlockConnector', { connectorId: 3 }, { status: 'NotSupported' }],
    ['ChangeAvailability', { connectorId: 3, type: 'Operative' }, { status: 'Rejected' }],
    ['RemoteStopTransaction', { transactionId: 4711 }, { status: 'Rejected' }],
    ['TriggerMessage', { requestedMessage: 'Heartbeat', connectorId: 9 }, { status: 'Rejected' }],
    ['ChangeConfiguration', { key: 'LedBrightness', value: '7' }, { status: 'Accepted' }],
    ['ChangeConfiguration', { key: 'NumberOfConnectors', value: '7' }, { status: 'Rejected' }],
    ['ChangeConfiguration', { key: 'TimeZone', value: 'Europe/Berlin' }, { status: 'RebootRequired' }],
    ['ChangeConfiguration', { key: 'Nothing', value: '7' }, { status: 'NotSupported' }],
  ])('%s %j gets a response', async (action, request, answer) => {
    const { central, device } = await setAcceptedScene();
    expect(await central.call(SN, action, request)).toEqual(answer);
    expect(device.receivedCalls).toEqual({ [action]: 1 });
    expect(central.violations).toEqual([]);
  });

  test.each([
    ['[2,"m1","MakeCoffee",{}]', 'NotImplemented'],
    ['[2,"m1","Reset",{}]', 'OccurenceConstraintViolation'],
    ['[2,"m1","Reset",{"type":5}]', 'TypeConstraintViolation'],
    ['[2,"m1","Reset",{"type":"Gentle"}]', 'PropertyConstraintViolation'],
    ['[2,"m1","Reset",{"type":"Soft","x":1}]', 'FormationViolation'],
    ['[2,"m1","Reset",[]]', 'FormationViolation'],
    ['[2,"m1","Reset"]', 'FormationViolation'],
    ['[2,"m1"]', 'FormationViolation'],
  ])('%s gets the CALLERROR %s', async (text, code) => {
    const { central, device } = await setAcceptedScene();
    expect(await central.exchange(SN, text, '[4,"m1"')).toEqual([4, 'm1', code, expect.any(String), {}]);
    expect(device.connected).toBe(true);
  });

  test.each(['nonsense', '[]', '[7,"m1",{}]', '[3,"unknown",{}]', '[4,"unknown","GenericError","",{}]'])(
    '%s is ignored, and the connection stays open',
    async (text) => {
      const { central, fleet } = await setAcceptedScene();
      central.send(SN, text);
      expect(await central.call(SN, 'GetLocalListVersion')).toEqual({ listVersion: 0 });
      expect(fleet.summary().strayFrames).toBe(1);
    },
  );

  test('TriggerMessage sends the requested message after the response', async () => {
    const { central, device } = await setAcceptedScene();
    const messages = ['BootNotification', 'Heartbeat', 'FirmwareStatusNotification', 'DiagnosticsStatusNotification'];
    for (const requestedMessage of messages) {
      expect(await central.call(SN, 'TriggerMessage', { requestedMessage })).toEqual({ status: 'Accepted' });
      await central.seen(SN, requestedMessage, {}, requestedMessage === 'BootNotification' ? 2 : 1);
    }
    await central.call(SN, 'TriggerMessage', { requestedMessage: 'MeterValues', connectorId: 2 });
    await central.seen(SN, 'MeterValues', { connectorId: 2 });
    expect(device.accepted).toBe(true);
    expect(central.violations).toEqual([]);
    const unknown = await central.exchange(SN, '[2,"t1","TriggerMessage",{"requestedMessage":"LogStatus"}]', '[3,"t1"');
    expect(unknown).toEqual([3, 't1', { status: 'NotImplemented' }]);
  });

  test('ChangeAvailability of all connectors is reported for each; a charging one changes at the end of its session', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'ChangeAvailability', { connectorId: 0, type: 'Inoperative' })).toEqual({
      status: 'Scheduled',
    });
    await central.seen(SN, 'StatusNotification', { connectorId: 0, status: 'Unavailable' });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Unavailable' });
    expect(device.status(1)).toBe('Charging');
    device.stopCharging(1);
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Unavailable' });
    device.unplug(1);
    expect(device.plugIn(1)).toBe(false);
    expect(await central.call(SN, 'ChangeAvailability', { connectorId: 0, type: 'Operative' })).toEqual({
      status: 'Accepted',
    });
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Available' }, 2);
  });

  test('RemoteStartTransaction starts without a card, RemoteStopTransaction ends the transaction', async () => {
    const { central, device } = await setAcceptedScene();
    expect(await central.call(SN, 'RemoteStartTransaction', { connectorId: 2, idTag: 'REMOTE' })).toEqual({
      status: 'Accepted',
    });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Charging' });
    expect(await central.call(SN, 'RemoteStartTransaction', { connectorId: 2, idTag: 'X' })).toEqual({
      status: 'Rejected',
    });
    expect(await central.call(SN, 'RemoteStopTransaction', { transactionId: 101 })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'StopTransaction', { transactionId: 101, reason: 'Remote' });
    expect(central.framesOf(SN)).not.toContain('Authorize');
    expect(device.charging).toBe(false);
    await central.call(SN, 'ChangeConfiguration', { key: 'AuthorizeRemoteTxRequests', value: 'true' });
    await central.call(SN, 'RemoteStartTransaction', { idTag: 'REMOTE' });
    await central.seen(SN, 'Authorize', { idTag: 'REMOTE' });
    await central.seen(SN, 'StartTransaction', { connectorId: 1 });
  });

  test('UnlockConnector ends the transaction on its connector', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'UnlockConnector', { connectorId: 1 })).toEqual({ status: 'Unlocked' });
    await central.seen(SN, 'StopTransaction', { reason: 'UnlockCommand' });
  });

  test('a new MeterValueSampleInterval takes effect immediately', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 86_400 });
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    await central.call(SN, 'ChangeConfiguration', { key: 'MeterValueSampleInterval', value: '2' });
    await central.seen(SN, 'MeterValues', {}, 2);
  });

  test('SendLocalList stores the version and rejects an older one', async () => {
    const { central } = await setAcceptedScene();
    const list = (listVersion: number, updateType: string) =>
      central.call(SN, 'SendLocalList', {
        listVersion,
        updateType,
        localAuthorizationList: [{ idTag: 'A', idTagInfo: { status: 'Accepted' } }],
      });
    expect(await list(5, 'Full')).toEqual({ status: 'Accepted' });
    expect(await list(5, 'Differential')).toEqual({ status: 'VersionMismatch' });
    expect(await list(6, 'Differential')).toEqual({ status: 'Accepted' });
    expect(await central.call(SN, 'GetLocalListVersion')).toEqual({ listVersion: 6 });
  });
});

function profile(): object {
  return {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
  };
}
