import { describe, expect, test } from 'vitest';
import type { CentralSystem, SeenCall } from '../testing/central-system.ts';
import { setAcceptedScene } from '../testing/scene.ts';

const SN = 'SIM00001';
const NEWER = { ocpp201: 1, meterInterval: 5 };
const accept = (central: CentralSystem): void => {
  central.replies.Authorize = () => ({ idTokenInfo: { status: 'Accepted' } });
};

interface TransactionEvent {
  eventType: string;
  seqNo: number;
  triggerReason: string;
  offline?: boolean;
  transactionInfo: { transactionId: string; chargingState?: string; stoppedReason?: string };
  meterValue: { sampledValue: { value: number }[] }[];
}
const eventsOf = (central: CentralSystem): TransactionEvent[] =>
  central
    .of(SN)
    .filter(({ action }) => action === 'TransactionEvent')
    .map(({ payload }) => payload as unknown as TransactionEvent);

describe('a charge point with OCPP 2.0.1 and a strict, independent central system', () => {
  test('sends BootNotification and the status of its connectors, but not of itself', async () => {
    const { central } = await setAcceptedScene(NEWER, accept);
    const boot = await central.seen(SN, 'BootNotification');
    expect(boot.payload).toMatchObject({ reason: 'PowerUp', chargingStation: { serialNumber: SN } });
    expect(central.of(SN).filter(({ action }) => action === 'StatusNotification')).toMatchObject([
      { payload: { evseId: 1, connectorId: 1, connectorStatus: 'Available' } },
      { payload: { evseId: 2, connectorId: 1, connectorStatus: 'Available' } },
    ]);
    expect(central.violations).toEqual([]);
  });

  test('reports a session as one transaction with events numbered from 0', async () => {
    const { central, device } = await setAcceptedScene(NEWER, accept);
    device.plugIn(1, 'CARD1');
    await central.seen(SN, 'TransactionEvent', { eventType: 'Updated' }, 2);
    device.stopCharging(1);
    await central.seen(SN, 'TransactionEvent', { eventType: 'Ended' });
    device.unplug(1);
    await central.seen(SN, 'StatusNotification', { connectorStatus: 'Available', evseId: 1 }, 2);
    const events = eventsOf(central);
    expect(events.map(({ seqNo }) => seqNo)).toEqual(events.map((_, index) => index));
    expect(new Set(events.map(({ transactionInfo }) => transactionInfo.transactionId)).size).toBe(1);
    expect(events[0]).toMatchObject({
      ...{ eventType: 'Started', evse: { id: 1, connectorId: 1 }, idToken: { idToken: 'CARD1' } },
      transactionInfo: { chargingState: 'Charging' },
    });
    expect(events.at(-1)).toMatchObject({
      triggerReason: 'StopAuthorized',
      transactionInfo: { stoppedReason: 'Local' },
    });
    const registers = events.map(({ meterValue }) => meterValue[0]?.sampledValue[0]?.value);
    expect(registers).toEqual(registers.toSorted((one, other) => Number(one) - Number(other)));
    expect(central.violations).toEqual([]);
  });

  test('keeps messages while the connection is down, and marks them as offline', async () => {
    const { central, device, fleet } = await setAcceptedScene(NEWER, accept);
    device.plugIn(1);
    await central.seen(SN, 'TransactionEvent', { eventType: 'Updated' });
    device.goOffline(3_600_000);
    await expect.poll(() => fleet.summary().disconnects).toBe(1);
    device.unplug(1);
    void device.start();
    const ended = await central.seen(SN, 'TransactionEvent', { eventType: 'Ended' });
    expect(ended.payload).toMatchObject({ offline: true, transactionInfo: { stoppedReason: 'EVDisconnected' } });
    const seqNos = eventsOf(central).map(({ seqNo }) => seqNo);
    expect([...new Set(seqNos)]).toEqual(Array.from({ length: Number(seqNos.at(-1)) + 1 }, (_, index) => index));
  });

  test('raises and ends a fault, on the component concerned', async () => {
    const { central, device } = await setAcceptedScene(NEWER, accept);
    device.fault(2, 'GroundFailure');
    const raised = await central.seen(SN, 'NotifyEvent');
    const evse = { id: 2, connectorId: 1 };
    const fault = { component: { name: 'RCD', evse }, variable: { name: 'Tripped' }, techCode: 'E2001' };
    expect(raised.payload).toMatchObject({ eventData: [{ ...fault, actualValue: 'true', cleared: false }] });
    await central.seen(SN, 'StatusNotification', { evseId: 2, connectorStatus: 'Faulted' });
    device.clearFault(2);
    const ended = await central.seen(SN, 'NotifyEvent', {}, 2);
    expect(ended.payload).toMatchObject({ eventData: [{ ...fault, actualValue: 'false', cleared: true }] });
    expect(central.violations).toEqual([]);
  });

  test('reports its variables in several messages, and accepts new values for writable ones', async () => {
    const { central } = await setAcceptedScene(NEWER, accept);
    const request = { requestId: 5, reportBase: 'FullInventory' };
    expect(await central.call(SN, 'GetBaseReport', request)).toEqual({ status: 'Accepted' });
    const last: SeenCall = await central.seen(SN, 'NotifyReport', { tbc: false });
    const parts = central.of(SN).filter(({ action }) => action === 'NotifyReport');
    expect(parts.map(({ payload }) => payload.seqNo)).toEqual(parts.map((_, index) => index));
    expect(last.payload).toMatchObject({ requestId: 5, seqNo: parts.length - 1 });

    const interval = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } };
    const model = { component: { name: 'ChargingStation' }, variable: { name: 'Model' } };
    const statuses = async (one: object, attributeValue: string) => {
      const answer = await central.call(SN, 'SetVariables', { setVariableData: [{ ...one, attributeValue }] });
      return (answer.setVariableResult as { attributeStatus: string }[])[0]?.attributeStatus;
    };
    expect(await statuses(interval, '77')).toBe('Accepted');
    expect(await statuses(interval, 'x')).toBe('Rejected');
    expect(await statuses(model, 'x')).toBe('Rejected');
    expect(await statuses({ ...model, variable: { name: 'Colour' } }, 'x')).toBe('UnknownVariable');
    expect(await statuses({ ...model, component: { name: 'Oven' } }, 'x')).toBe('UnknownComponent');
    expect(await central.call(SN, 'GetVariables', { getVariableData: [interval] })).toMatchObject({
      getVariableResult: [{ attributeStatus: 'Accepted', attributeValue: '77' }],
    });
    expect(central.violations).toEqual([]);
  });

  test('executes requests, and rejects unsupported ones as specified', async () => {
    const { central, device } = await setAcceptedScene(NEWER, accept);
    const evse = { id: 1, connectorId: 1 };
    const off = { operationalStatus: 'Inoperative', evse };
    expect(await central.call(SN, 'ChangeAvailability', off)).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'StatusNotification', { evseId: 1, connectorStatus: 'Unavailable' });
    expect(await central.call(SN, 'Reset', { type: 'Immediate', evseId: 1 })).toMatchObject({ status: 'Rejected' });
    expect(await central.call(SN, 'TriggerMessage', { requestedMessage: 'Heartbeat' })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'Heartbeat');
    await expect(central.call(SN, 'GetLocalListVersion', {})).rejects.toThrow();
    device.refuseNext('Reset');
    expect(await central.call(SN, 'Reset', { type: 'OnIdle' })).toMatchObject({ status: 'Rejected' });
    expect(await central.call(SN, 'Reset', { type: 'OnIdle' })).toEqual({ status: 'Accepted' });
    const again = await central.seen(SN, 'BootNotification', {}, 2);
    expect(again.payload.reason).toBe('RemoteReset');
    expect(central.violations).toEqual([]);
  });
});

test('a share of the fleet uses OCPP 2.0.1, distributed evenly', async () => {
  const { central } = await setAcceptedScene({ devices: 8, ocpp201: 0.25 }, accept);
  const newer = central.calls.filter(({ action, payload }) => action === 'BootNotification' && 'reason' in payload);
  expect(newer.map(({ sn }) => sn).toSorted()).toEqual(['SIM00004', 'SIM00008']);
});
