import { describe, expect, test } from 'vitest';
import { setAcceptedScene, setScene } from '../testing/scene.ts';

const SN = 'SIM00001';

describe('a charge point without a connection', () => {
  test('continues to charge and delivers the whole transaction in order afterwards', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 2 });
    device.goOffline(3_600_000);
    await central.until('the connection is gone', () => !device.connected);
    device.plugIn(1, 'OFFLINE');
    await expect.poll(() => device.queued).toBeGreaterThan(4);
    device.unplug(1);
    void device.start();
    const stop = await central.seen(SN, 'StopTransaction');
    const ofTransaction = central.of(SN).filter(({ action }) => /Transaction$|MeterValues/.test(action));
    const actions = ofTransaction.map(({ action }) => action);
    expect(actions[0]).toBe('StartTransaction');
    expect(actions.at(-1)).toBe('StopTransaction');
    expect(actions.slice(1, -1).length).toBeGreaterThan(2);
    expect(new Set(actions.slice(1, -1))).toEqual(new Set(['MeterValues']));
    expect(new Set(ofTransaction.slice(1).map(({ payload }) => payload.transactionId))).toEqual(new Set([101]));
    expect(stop.payload.reason).toBe('EVDisconnected');
    expect(central.framesOf(SN)).not.toContain('Authorize');
    expect(central.violations).toEqual([]);
  });

  test.each([
    ['a card on its list', 'GOOD', true],
    ['a blocked card on its list', 'BAD', false],
    ['an unknown card', 'NEW', true],
  ])('decides locally about %s', async (_, idTag, charges) => {
    const { central, fleet, device } = await setAcceptedScene();
    const localAuthorizationList = [
      { idTag: 'GOOD', idTagInfo: { status: 'Accepted' } },
      { idTag: 'BAD', idTagInfo: { status: 'Blocked' } },
    ];
    await central.call(SN, 'SendLocalList', { listVersion: 1, updateType: 'Full', localAuthorizationList });
    device.goOffline(10_000);
    await expect.poll(() => fleet.summary().disconnects).toBe(1);
    device.plugIn(1, idTag);
    expect(device.charging).toBe(charges);
  });

  test('repeats a message with the same id when the connection breaks before its response', async () => {
    let held = false;
    const { central, device } = await setAcceptedScene({}, (central) => {
      central.replies.StartTransaction = () => {
        if (held) return { transactionId: 55, idTagInfo: { status: 'Accepted' } };
        held = true;
        return new Promise(() => undefined);
      };
    });
    device.plugIn(1);
    await central.seen(SN, 'StartTransaction');
    device.drop();
    const second = await central.seen(SN, 'StartTransaction', {}, 2);
    const first = await central.seen(SN, 'StartTransaction');
    expect(second).toEqual(first);
    device.unplug(1);
    await central.seen(SN, 'StopTransaction', { transactionId: 55 });
  });

  test('repeats a transaction message that the central system fails to process, and later messages wait', async () => {
    let failures = 0;
    const { central, device } = await setAcceptedScene({}, (central) => {
      central.replies.StartTransaction = () => {
        if (++failures <= 2) throw new Error('database away');
        return { transactionId: 7, idTagInfo: { status: 'Accepted' } };
      };
    });
    await central.call(SN, 'ChangeConfiguration', { key: 'TransactionMessageRetryInterval', value: '1' });
    device.plugIn(1);
    await central.seen(SN, 'StartTransaction');
    device.unplug(1);
    await central.seen(SN, 'StopTransaction', { transactionId: 7 });
    const transaction = central.framesOf(SN).filter((entry) => /Transaction$/.test(entry));
    expect(transaction).toEqual(['StartTransaction', 'StartTransaction', 'StartTransaction', 'StopTransaction']);
  });

  test('drops a transaction message after TransactionMessageAttempts', async () => {
    const { central, device } = await setAcceptedScene({}, (central) => {
      central.replies.StartTransaction = () => {
        throw new Error('never');
      };
    });
    await central.call(SN, 'ChangeConfiguration', { key: 'TransactionMessageAttempts', value: '1' });
    device.plugIn(1);
    await central.seen(SN, 'StartTransaction');
    device.unplug(1);
    await central.seen(SN, 'StopTransaction', { transactionId: -1 });
    expect(central.framesOf(SN).filter((entry) => entry === 'StartTransaction')).toHaveLength(1);
  });

  test('continues when a call gets no response', async () => {
    const { central, fleet, device } = await setAcceptedScene({ callTimeoutMs: 1_500 }, (central) => {
      central.replies.Authorize = () => new Promise(() => undefined);
    });
    device.plugIn(1);
    await central.seen(SN, 'StartTransaction');
    // On a machine under load, another response may also have been too late.
    expect(fleet.summary().timeouts).toBeGreaterThan(0);
  });

  test('retries to connect while connections are refused', async () => {
    const { central, fleet, device } = await setScene({ password: 'wrong' }, (central) => {
      central.password = 'right';
    });
    expect(device.connected).toBe(false);
    await expect.poll(() => fleet.summary().refusedConnects, { timeout: 30_000 }).toBeGreaterThan(2);
    central.password = 'wrong';
    await device.whenAccepted();
    expect(central.framesOf(SN)[0]).toBe('BootNotification');
  });

  test('ends its transactions before it shuts down', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    await device.stop();
    expect(central.of(SN).map(({ payload }) => payload.reason)).toContain('Reboot');
    expect(device.connected).toBe(false);
  });
});
