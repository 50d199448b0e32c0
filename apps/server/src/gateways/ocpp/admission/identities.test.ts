import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

const PASSWORD = 'a-gateway-password';
const connectedSn = async () => {
  const { rows } = await bed.pool.query<{ sn: string }>(
    'select d.sn from devices d join device_states s on s.device_id = d.id where s.connected order by d.sn',
  );
  return rows.map(({ sn }) => sn);
};

/** Resolves when the end of every connection is stored: deleting a device meanwhile could deadlock. */
const disconnected = () => expect.poll(connectedSn).toEqual([]);

describe('every identifierString can connect', () => {
  test.each(['RDAM 123', 'CP1', '7', 'DE*ABC*E1', 'AA:BB:CC:DD:EE:FF', 'a=b|c@d', '-x.', 'A+B'])(
    '%s, percent-encoded, with and without a password',
    async (sn) => {
      const id = await bed.addDevice(sn);
      const open = await connectRaw(`${bed.url}/${encodeURIComponent(sn)}`, { sn });
      expect(await open.call('Heartbeat', {})).toMatchObject([3, expect.anything(), {}]);
      expect(await connectedSn()).toContain(sn);
      open.socket.terminate();
      await disconnected();
      await bed.pool.query('delete from devices where id = $1', [id]);
      await bed.addDevice(sn, { password: PASSWORD });
      await expect(
        connectRaw(`${bed.url}/${encodeURIComponent(sn)}`, { sn, password: 'not-the-password-1' }),
      ).rejects.toThrow('HTTP 401');
      const authorized = await connectRaw(`${bed.url}/${encodeURIComponent(sn)}`, { sn, password: PASSWORD });
      expect(await authorized.call('Heartbeat', {})).toMatchObject([3, expect.anything(), {}]);
      authorized.socket.terminate();
      await disconnected();
    },
  );

  test.each(['/ocpp/DE*2:C', '/ocpp//DE*2:C', '/ocpp///de%2a2%3ac/', '/ocpp/DE*2:C?mac=001b44113ab7'])(
    '%s names the same device',
    async (path) => {
      await bed.pool.query(`delete from devices where sn = 'DE*2:C'`);
      await bed.addDevice('DE*2:C');
      const point = await connectRaw(bed.url.replace('/ocpp', path), { sn: 'DE*2:C' });
      expect(await point.call('Heartbeat', {})).toMatchObject([3, expect.anything(), {}]);
      point.socket.terminate();
      await disconnected();
    },
  );
});

test('the database refuses an invalid SN', async () => {
  await expect(bed.addDevice('../etc')).rejects.toThrow('devices_sn_format');
  await expect(bed.addDevice('ends with a space ')).rejects.toThrow('devices_sn_format');
});
