import { describe, expect, test } from 'vitest';
import type { SeenCall } from '../../testing/central-system.ts';
import { setAcceptedScene } from '../../testing/scene.ts';

const SN = 'SIM00001';

type Sample = { measurand: string; value: string; phase?: string; unit: string };
const samples = (call: SeenCall): Sample[] =>
  (call.payload.meterValue as { sampledValue: Sample[] }[]).flatMap((value) => value.sampledValue);
const register = (call: SeenCall): number =>
  Number(samples(call).find(({ measurand }) => measurand === 'Energy.Active.Import.Register')?.value);

describe('a charging session', () => {
  test('runs from the card to the unplugged vehicle in the order of the specification', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 5 });
    expect(device.plugIn(1, 'CARD1')).toBe(true);
    await central.seen(SN, 'MeterValues', {}, 3);
    expect(device.charging).toBe(true);
    device.stopCharging(1);
    await central.seen(SN, 'StatusNotification', { status: 'Finishing' });
    device.unplug(1);
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Available' }, 2);
    const story = central.framesOf(SN).slice(4);
    expect(story.filter((entry) => entry !== 'MeterValues')).toEqual([
      '1 Preparing',
      'Authorize',
      'StartTransaction',
      '1 Charging',
      'StopTransaction',
      '1 Finishing',
      '1 Available',
    ]);
    const start = await central.seen(SN, 'StartTransaction', { connectorId: 1, idTag: 'CARD1' });
    const stop = await central.seen(SN, 'StopTransaction', { transactionId: 101, reason: 'Local', idTag: 'CARD1' });
    const meters = central.of(SN).filter(({ action }) => action === 'MeterValues');
    expect(new Set(meters.map(({ payload }) => payload.transactionId))).toEqual(new Set([101]));
    const registers = [start.payload.meterStart as number, ...meters.map(register), stop.payload.meterStop as number];
    expect(registers).toEqual([...registers].sort((a, b) => a - b));
    expect(registers.at(-1)).toBeGreaterThan(registers[0]!);
    expect(central.violations).toEqual([]);
  });

  test('reports every measurand, separately for each phase', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 5 });
    expect(device.plugIn(1)).toBe(true);
    const values = samples(await central.seen(SN, 'MeterValues'));
    expect(new Set(values.map(({ measurand }) => measurand))).toEqual(
      new Set([
        'Energy.Active.Import.Register',
        'Power.Active.Import',
        'Voltage',
        'Current.Import',
        'SoC',
        'Temperature',
      ]),
    );
    const lines = values.filter(({ measurand }) => measurand === 'Voltage').map(({ phase }) => phase);
    expect([['L1-N'], ['L1-N', 'L2-N', 'L3-N'], [undefined]]).toContainEqual(lines);
  });

  test('tapers to zero when the vehicle is full; the charge point then waits in SuspendedEV', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 600, speed: 20_000 });
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'SuspendedEV' });
    await central.until('a sample without power', () =>
      central
        .of(SN)
        .filter(({ action }) => action === 'MeterValues')
        .some((call) =>
          samples(call).some(({ measurand, value }) => measurand === 'Power.Active.Import' && value === '0'),
        ),
    );
    device.unplug(1);
    await central.seen(SN, 'StopTransaction', { reason: 'EVDisconnected' });
  });

  test('does not start for a card that the central system rejects', async () => {
    const { central, device } = await setAcceptedScene({}, (central) => {
      central.replies.Authorize = () => ({ idTagInfo: { status: 'Blocked' } });
    });
    device.plugIn(1);
    await central.seen(SN, 'Authorize');
    device.unplug(1);
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Available' }, 2);
    expect(central.framesOf(SN)).not.toContain('StartTransaction');
  });

  test('ends immediately when the response to StartTransaction rejects the card', async () => {
    const { central, device } = await setAcceptedScene({}, (central) => {
      central.replies.StartTransaction = () => ({ transactionId: 9, idTagInfo: { status: 'Expired' } });
    });
    device.plugIn(2);
    await central.seen(SN, 'StopTransaction', { transactionId: 9, reason: 'DeAuthorized' });
  });

  test('cannot start twice on one connector', async () => {
    const { central, device } = await setAcceptedScene();
    expect([device.plugIn(1), device.plugIn(1), device.plugIn(2)]).toEqual([true, false, true]);
    await central.seen(SN, 'StartTransaction', {}, 2);
    expect(device.unplug(1)).toBe(true);
    expect(device.unplug(1)).toBe(false);
  });

  test('is ended by a fault, which is reported first and cleared later', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 86_400 });
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    device.fault(1, 'OverCurrentFailure', 'E-77');
    await central.seen(SN, 'StopTransaction', { reason: 'Other' });
    expect(device.faulted).toBe(true);
    expect(device.clearFault(1)).toBe(true);
    expect(device.clearFault(1)).toBe(false);
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Finishing' });
    expect(central.framesOf(SN).slice(-3)).toEqual(['1 Faulted', 'StopTransaction', '1 Finishing']);
    await central.seen(SN, 'StatusNotification', {
      errorCode: 'OverCurrentFailure',
      vendorErrorCode: 'E-77',
      info: 'Output current above limit',
    });
  });

  test('continues with a warning', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    device.warn(1, 'HighTemperature');
    await central.seen(SN, 'StatusNotification', { status: 'Charging', errorCode: 'HighTemperature' });
    expect(device.charging).toBe(true);
    expect(device.faulted).toBe(false);
  });

  test('has the times of a wrong clock', async () => {
    const { central, device } = await setAcceptedScene();
    device.setClockSkew(-3_600_000);
    device.fault(1, 'GroundFailure');
    const { payload } = await central.seen(SN, 'StatusNotification', { status: 'Faulted' });
    expect(Date.now() - Date.parse(payload.timestamp as string)).toBeGreaterThan(3_500_000);
  });
});
