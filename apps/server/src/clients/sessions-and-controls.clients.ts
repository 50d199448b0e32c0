import { CODES, ENDPOINTS, type NewCommand } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import {
  connectStation,
  MAKES,
  now,
  type Registered,
  registerDevice,
  type Station,
} from '../testing/clients/stations.ts';
import { passDeadline } from '../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

describe.each(MAKES)('%s in %s', (make, protocol) => {
  const is16 = protocol === 'ocpp1.6';
  const protocols = [protocol];
  const charging = is16 ? 'Charging' : 'Occupied';
  const open = async (device: Registered) => connectStation(server, device.sn, { make, protocols });
  /** A station that was charging during a power cut, and has booted again. */
  const poweredUpAgain = async (device: Registered) => {
    const before = await open(device);
    await before.boot();
    await before.status(charging);
    const transactionId = await before.startSession();
    await before.status(charging);
    await before.cut();
    const station = await open(device);
    await station.boot();
    return { station, transactionId };
  };
  const reset = async (device: Registered, station: Station) => {
    station.on('Reset', () => ({ status: 'Accepted' }));
    return (await device.command({ kind: 'hardReset' })).answered();
  };

  describe('orphaned sessions', () => {
    test.each(['Available', 'Faulted'])('power cut while charging; after the boot it is %s', async (word) => {
      const device = await registerDevice(server, admin);
      const { station, transactionId } = await poweredUpAgain(device);
      await station.status(word);
      expect(await device.sessions()).toMatchObject([
        { stopReason: 'NotReported', stopCause: 'boot', stoppedAt: expect.any(String) },
      ]);
      expect(await reset(device, station)).toMatchObject({ state: 'accepted' });
      // The station sends its stored messages late: the session gets its real end.
      await station.stopSession(transactionId);
      expect(await device.sessions()).toMatchObject([{ stopReason: 'Local', stopCause: null }]);
    });

    test.skipIf(is16)('an update of an unknown transaction', async () => {
      const device = await registerDevice(server, admin);
      const station = await open(device);
      await station.boot();
      await station.call('TransactionEvent', {
        ...{ eventType: 'Updated', timestamp: now(), triggerReason: 'MeterValuePeriodic', seqNo: 7, offline: true },
        transactionInfo: { transactionId: 'never-started' },
        evse: { id: 1, connectorId: 1 },
      });
      expect(await device.sessions()).toMatchObject([{ stoppedAt: null }]);
      await station.status('Available');
      expect(await device.sessions()).toMatchObject([{ stopReason: 'NotReported', stopCause: 'connectorAvailable' }]);
      expect(await reset(device, station)).toMatchObject({ state: 'accepted' });
    });

    test('an engineer closes the session of a station that was removed while charging', async () => {
      const device = await registerDevice(server, admin);
      const station = await open(device);
      await station.boot();
      await station.status(charging);
      await station.startSession();
      await station.status(charging);
      await station.cut();
      await expect.poll(async () => (await device.read()).connected).toBe(false);
      const remove = () => admin.call(ENDPOINTS.deleteDevice, { params: { id: device.id } });
      expect(await remove()).toMatchObject({ code: CODES.deviceHasOpenTransaction.code });
      const [session] = await device.sessions();
      await admin.data(ENDPOINTS.closeTransaction, {
        params: { id: device.id, transactionId: session!.id },
        body: { comment: 'The driver left hours ago' },
      });
      expect(await device.sessions()).toMatchObject([
        { stopCause: 'closedByUser', closedBy: 'north_admin', closeComment: 'The driver left hours ago' },
      ]);
      expect(await remove()).toMatchObject({ code: 0 });
    });
  });

  describe('tests after a repair', () => {
    const station = async () => {
      const device = await registerDevice(server, admin);
      const opened = await open(device);
      await opened.boot();
      await opened.status('Available');
      return { device, station: opened };
    };

    test('a remote start whose report arrives before the answer, and a remote stop', async () => {
      const { device, station: pile } = await station();
      let transactionId: number | string = 0;
      pile.on(is16 ? 'RemoteStartTransaction' : 'RequestStartTransaction', async ({ remoteStartId }) => {
        if (is16) transactionId = await pile.startSession(1, 'TESTER');
        else {
          transactionId = 'remote-1';
          await pile.call('TransactionEvent', {
            ...{ eventType: 'Started', timestamp: now(), triggerReason: 'RemoteStart', seqNo: 0 },
            transactionInfo: { transactionId, chargingState: 'Charging', remoteStartId },
            evse: { id: 1, connectorId: 1 },
            idToken: { idToken: 'TESTER', type: 'Central' },
          });
        }
        return { status: 'Accepted' };
      });
      pile.on(is16 ? 'RemoteStopTransaction' : 'RequestStopTransaction', () => ({ status: 'Accepted' }));
      const start = await device.command({ kind: 'remoteStart', connector: 1, idTag: 'TESTER' });
      expect(await start.ended()).toMatchObject({ result: 2 });
      expect(await device.sessions()).toMatchObject([{ stoppedAt: null }]);
      const stop = await device.command({ kind: 'remoteStop', connector: 1 });
      await expect
        .poll(() => pile.received(is16 ? 'RemoteStopTransaction' : 'RequestStopTransaction'))
        .toMatchObject([{ transactionId }]);
      await pile.stopSession(transactionId);
      expect(await stop.ended()).toMatchObject({ result: 2 });
      expect((await device.sessions())[0]?.stoppedAt).not.toBeNull();
    });

    test('a locked connector, the cache, and a message that arrives before the answer', async () => {
      const { device, station: pile } = await station();
      let unlocked = is16 ? 'UnlockFailed' : 'OngoingAuthorizedTransaction';
      pile.on('UnlockConnector', () => ({ status: unlocked }));
      pile.on('ClearCache', () => ({ status: 'Accepted' }));
      pile.on('TriggerMessage', async ({ requestedMessage }) => {
        if (requestedMessage === 'Heartbeat') await pile.call('Heartbeat');
        return { status: 'Accepted' };
      });
      const ends = async (body: NewCommand) => (await device.command(body)).ended();
      expect(await ends({ kind: 'unlockConnector', connector: 1 })).toMatchObject({ result: 3 });
      unlocked = 'Unlocked';
      expect(await ends({ kind: 'unlockConnector', connector: 1 })).toMatchObject({ result: 2 });
      expect(pile.received('UnlockConnector')[1]).toEqual(is16 ? { connectorId: 1 } : { evseId: 1, connectorId: 1 });
      expect(await ends({ kind: 'clearCache' })).toMatchObject({ result: 2 });
      expect(await ends({ kind: 'triggerMessage', message: 'Heartbeat' })).toMatchObject({ result: 2 });
    });

    test('an answer after the deadline is noted, and the result stays a timeout', async () => {
      const { device, station: pile } = await station();
      let answer: () => void = () => undefined;
      const requested = new Promise<void>((resolve) => {
        answer = resolve;
      });
      pile.on('ClearCache', async () => {
        await requested;
        return { status: 'Accepted' };
      });
      const late = await device.command({ kind: 'clearCache' });
      await expect.poll(() => readSent(device.id, late.id)).not.toBeNull();
      await passDeadline(server, late.id);
      expect(await late.ended()).toMatchObject({ result: 4, lateAnswerAt: null });
      answer();
      await expect.poll(async () => (await late.ended()).lateAnswerAt).not.toBeNull();
      expect((await pile.call('Heartbeat')).currentTime).toEqual(expect.any(String));
    });

    test('a control that the station does not implement fails with the text of the station', async () => {
      const { device } = await station();
      const command = await device.command({ kind: 'clearCache' });
      expect(await command.ended()).toMatchObject({
        ...{ result: 3, reason: 'callError', detail: expect.stringMatching(/^Not(Implemented|Supported)/) },
      });
    });
  });
});

const readSent = async (id: number, executionId: string) =>
  (await admin.data(ENDPOINTS.readExecution, { params: { id, executionId } })).sentAt;
