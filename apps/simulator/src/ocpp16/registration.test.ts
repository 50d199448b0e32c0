import { describe, expect, test } from 'vitest';
import { setAcceptedScene, setScene } from '../testing/scene.ts';

const SN = 'SIM00001';
const answer = (status: string, interval: number) => ({ status, interval, currentTime: new Date().toISOString() });

describe('a charge point that boots', () => {
  test('sends BootNotification, then the status of the charge point and of every connector', async () => {
    const { central } = await setAcceptedScene();
    expect(central.framesOf(SN)).toEqual(['BootNotification', '0 Available', '1 Available', '2 Available']);
    const boot = central.of(SN)[0]!;
    expect(boot.payload).toMatchObject({ chargePointSerialNumber: SN, iccid: expect.stringMatching(/^\d{19}$/) });
    expect(central.violations).toEqual([]);
  });

  test('sends heartbeats at the interval of the response', async () => {
    const { central } = await setScene({}, (central) => {
      central.replies.BootNotification = () => answer('Accepted', 1);
    });
    await central.seen(SN, 'Heartbeat', {}, 2);
    const configuration = await central.call(SN, 'GetConfiguration', { key: ['HeartbeatInterval'] });
    expect(configuration.configurationKey).toMatchObject([{ value: '1' }]);
  });

  test('while Pending sends only requested messages, and repeats BootNotification after the interval', async () => {
    let pending = true;
    const { central, device } = await setScene({}, (central) => {
      central.replies.BootNotification = () => (pending ? answer('Pending', 1) : answer('Accepted', 3600));
    });
    await central.seen(SN, 'BootNotification');
    expect(
      await central.call(SN, 'TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 1 }),
    ).toEqual({
      status: 'Accepted',
    });
    await central.seen(SN, 'StatusNotification', { connectorId: 1 });
    expect(await central.call(SN, 'RemoteStartTransaction', { connectorId: 1, idTag: 'A' })).toEqual({
      status: 'Rejected',
    });
    expect(device.accepted).toBe(false);
    pending = false;
    await device.whenAccepted();
    await central.seen(SN, 'StatusNotification', { connectorId: 2 });
    const story = central.framesOf(SN);
    const before = story.slice(0, story.lastIndexOf('BootNotification'));
    expect(before.filter((entry) => entry !== 'BootNotification')).toEqual(['1 Available']);
  });

  test('while Rejected sends nothing until the interval is over, even after a reconnect', async () => {
    const answers = [answer('Rejected', 6)];
    const { central, device } = await setScene({}, (central) => {
      central.replies.BootNotification = () => answers.shift() ?? answer('Accepted', 3600);
    });
    await central.seen(SN, 'BootNotification');
    // The message that arrived has no response yet.
    await expect.poll(() => device.queued).toBe(0);
    device.drop();
    await central.until('a second connection', () => central.connects.length === 2);
    expect(central.framesOf(SN)).toEqual(['BootNotification']);
    await device.whenAccepted();
    expect(central.framesOf(SN).filter((entry) => entry === 'BootNotification')).toHaveLength(2);
  });

  test('repeats BootNotification when the central system fails to process it', async () => {
    const { central, device } = await setScene({}, (central) => {
      central.replies.BootNotification = () => {
        if (central.of(SN).length < 3) throw new Error('database away');
        return answer('Accepted', 3600);
      };
    });
    await device.whenAccepted();
    await central.seen(SN, 'StatusNotification');
    expect(central.framesOf(SN).slice(0, 4)).toEqual([
      'BootNotification',
      'BootNotification',
      'BootNotification',
      '0 Available',
    ]);
  });

  test('does not boot again after a lost connection, and reports only changes', async () => {
    const { central, device } = await setAcceptedScene();
    device.goOffline(50);
    device.fault(2, 'GroundFailure', 'X77');
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Faulted' });
    expect(central.framesOf(SN).slice(4)).toEqual(['2 Faulted']);
    expect(central.connects).toHaveLength(2);
  });

  test('has one call in flight, however slow the responses are', async () => {
    const held: (() => void)[] = [];
    const slow = () => new Promise<object>((resolve) => held.push(() => resolve({})));
    const { central, device } = await setScene({ meterInterval: 1, speed: 200 }, (central) => {
      central.replies.StatusNotification = slow;
      central.replies.MeterValues = slow;
    });
    await device.whenAccepted();
    device.plugIn(1);
    device.plugIn(2);
    while (central.framesOf(SN).filter((action) => action === 'MeterValues').length < 5) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.();
    }
    expect(central.mostOpen).toBe(1);
  });
});
