import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFleet } from './index.ts';
import { CentralSystem } from './testing/central-system.ts';
import { setAcceptedScene, setScene } from './testing/scene.ts';

const SN = 'SIM00001';
/** Timeout of tests in which days of simulated time pass. */
const LONG_MS = 100_000;

test('a fleet continues with the meters and versions that it had', async () => {
  const resume = { [SN]: { registersWh: [123_456, 789], firmwareVersion: '9.9.1' } };
  const { central, device } = await setAcceptedScene({ resume });
  expect(await central.seen(SN, 'BootNotification')).toMatchObject({ payload: { firmwareVersion: '9.9.1' } });
  device.plugIn(1);
  expect(await central.seen(SN, 'StartTransaction')).toMatchObject({ payload: { meterStart: 123_456 } });
});

describe('test control of a charge point', () => {
  test('rejects the next call of one action only', async () => {
    const { central, device } = await setAcceptedScene();
    device.refuseNext('Reset');
    device.refuseNext('GetConfiguration');
    expect(await central.call(SN, 'Reset', { type: 'Soft' })).toEqual({ status: 'Rejected' });
    await expect(central.call(SN, 'GetConfiguration')).rejects.toMatchObject({ rpcErrorCode: 'InternalError' });
    expect(await central.call(SN, 'GetConfiguration', { key: ['X'] })).toMatchObject({ unknownKey: ['X'] });
    expect(await central.call(SN, 'Reset', { type: 'Soft' })).toEqual({ status: 'Accepted' });
    expect(device.receivedCalls).toEqual({ Reset: 2, GetConfiguration: 2 });
  });

  test('responds slowly, and executes with the response', async () => {
    const { central, device } = await setAcceptedScene();
    device.answerSlowly(150);
    const startedAt = performance.now();
    expect(await central.call(SN, 'UnlockConnector', { connectorId: 1 })).toEqual({ status: 'Unlocked' });
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    device.answerSlowly(null);
    await central.call(SN, 'UnlockConnector', { connectorId: 1 });
  });

  test('never responds to an action, but counts its calls', async () => {
    const { central, device } = await setAcceptedScene();
    const received: string[] = [];
    const end = device.onCall((call) => received.push(call.action));
    device.neverAnswer('Reset');
    const unanswered = central.call(SN, 'Reset', { type: 'Hard' });
    await expect.poll(() => device.receivedCalls.Reset).toBe(1);
    device.drop();
    await expect(unanswered).rejects.toThrow();
    await expect.poll(() => device.connected).toBe(true);
    device.neverAnswer('Reset', false);
    end();
    expect(await central.call(SN, 'Reset', { type: 'Hard' })).toEqual({ status: 'Accepted' });
    expect(received).toEqual(['Reset']);
  });

  test('executes a call even if the connection breaks before the response', async () => {
    const { central, device } = await setAcceptedScene();
    device.answerSlowly(1_000);
    const lost = central.call(SN, 'ChangeAvailability', { connectorId: 1, type: 'Inoperative' });
    await expect.poll(() => device.receivedCalls.ChangeAvailability).toBe(1);
    device.drop();
    await expect(lost).rejects.toThrow();
    await central.seen(SN, 'StatusNotification', { connectorId: 1, status: 'Unavailable' });
    expect(device.receivedCalls.ChangeAvailability).toBe(1);
  });
});

describe('a fleet', () => {
  test('rejects the configured share of calls, and delays the configured share of responses', async () => {
    const { central } = await setAcceptedScene({ refuseShare: 1, slowAnswers: { share: 1, maxMs: 60 } });
    const startedAt = performance.now();
    for (let i = 0; i < 10; i++) expect(await central.call(SN, 'ClearCache')).toEqual({ status: 'Rejected' });
    expect(await central.call(SN, 'UnlockConnector', { connectorId: 1 })).toEqual({ status: 'UnlockFailed' });
    expect(performance.now() - startedAt).toBeGreaterThan(100);
  });

  test('does nothing automatically by default', async () => {
    const { central } = await setAcceptedScene({ devices: 5, speed: 10_000, meterInterval: 1 });
    // At this speed, two hours of simulated time pass during a few messages of the central system.
    for (let i = 0; i < 5; i++) await central.call(SN, 'GetConfiguration');
    expect(new Set(central.calls.map(({ action }) => action))).toEqual(
      new Set(['BootNotification', 'StatusNotification']),
    );
  });

  test('runs sessions, faults and lost connections without a message that violates the schemas', {
    timeout: 120_000,
  }, async () => {
    const { central, fleet } = await setScene({
      devices: 20,
      connectors: undefined,
      speed: 10_000,
      meterInterval: 600,
      sessionEvery: 60,
      faultEvery: 120,
      disconnectEvery: 600,
      heartbeat: 1,
    });
    const stories = (): Set<string> => new Set(central.calls.map(({ action }) => action));
    await central.until(
      '1500 messages of all kinds',
      () => central.calls.length > 1_500 && stories().size === 7,
      LONG_MS,
    );
    const statuses = new Set(
      central.calls.filter(({ action }) => action === 'StatusNotification').map(({ payload }) => payload.status),
    );
    expect([...statuses]).toEqual(
      expect.arrayContaining(['Available', 'Preparing', 'Charging', 'Finishing', 'Faulted']),
    );
    expect(central.violations).toEqual([]);
    expect(central.mostOpen).toBe(1);
    expect(fleet.summary()).toMatchObject({ callErrors: 0, timeouts: 0, strayFrames: 0 });
    expect(fleet.summary().disconnects).toBeGreaterThan(0);
  });

  test.each([
    ['sessions', { sessionEvery: 5 }],
    ['faults', { faultEvery: 15 }],
  ])(
    'the same seed gives the same %s, another seed gives different ones',
    { timeout: 120_000 },
    async (_, behavior) => {
      const storyOf = async (seed: string): Promise<string[][]> => {
        const { central, fleet } = await setScene({
          devices: 3,
          connectors: 1,
          seed,
          speed: 4_000,
          meterInterval: 600,
          ...behavior,
        });
        const sns = fleet.devices.map(({ sn }) => sn);
        await central.until('30 messages of each', () => sns.every((sn) => central.of(sn).length >= 30), LONG_MS);
        await fleet.stop();
        return sns.map((sn) =>
          central
            .of(sn)
            .slice(0, 30)
            .map(({ action, payload }) => `${action} ${JSON.stringify(payload, withoutChance)}`),
        );
      };
      const [first, again, other] = await Promise.all([storyOf('A'), storyOf('A'), storyOf('B')]);
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
    },
  );

  test('connects with a separate password for each charge point', async () => {
    const { central } = await setAcceptedScene({ password: (sn) => `secret of ${sn}` }, (central) => {
      central.password = `secret of ${SN}`;
    });
    expect(central.connects).toEqual([SN]);
  });

  test.each([
    ['its authority', true, { insecure: false }],
    ['no authority, insecurely', false, { insecure: true }],
  ])('connects over TLS with %s', async (_, withAuthority, options) => {
    const { url, ca } = await startSecureCentralSystem();
    const fleet = await startFleet({ url, devices: 1, ...options, ca: withAuthority ? ca : undefined });
    onTestFinished(() => fleet.stop());
    await fleet.whenAccepted();
    expect(fleet.summary()).toMatchObject({ connected: 1, accepted: 1, refusedConnects: 0 });
  });

  test('does not connect over TLS to an untrusted server', async () => {
    const { url } = await startSecureCentralSystem();
    const fleet = await startFleet({ url, devices: 1 });
    onTestFinished(() => fleet.stop());
    expect(fleet.summary()).toMatchObject({ connected: 0, refusedConnects: 1 });
  });
});

/** Removes values that depend on the clock: timestamps, and the transaction ids that the central system assigns. */
function withoutChance(key: string, value: unknown): unknown {
  return key === 'timestamp' || key === 'transactionId' ? undefined : value;
}

async function startSecureCentralSystem(): Promise<{ url: string; ca: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { algorithm: 'sha256' });
  const central = await CentralSystem.start();
  const server = createServer({ cert, key });
  central.serve(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, cert);
  onTestFinished(async () => {
    server.close();
    await central.stop();
    await rm(folder, { recursive: true });
  });
  return { url: `wss://localhost:${(server.address() as AddressInfo).port}/ocpp`, ca };
}
