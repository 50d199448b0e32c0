import { issueEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { issuesRoom } from '../../testing/rooms/issues-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { createDeviceIssue, createAlarmIssue } = issueEndpoints;
const { start, read, query } = issuesRoom();

let server: TestServer;
let north: Client;
beforeAll(async () => {
  ({ server, north } = await start());
});
afterAll(() => server.stop());

describe('the evidence', () => {
  /** A device of the quay with a secret, a deviating parameter, a reading, an alarm, a command and frames. */
  async function busyDevice(sn: string): Promise<number> {
    const { world } = server;
    const [device] = await query<{ id: number }>(
      `insert into devices (sn, name, site_id, customer_id, device_model_id)
       select $2, $2, site_id, customer_id, device_model_id from devices where id = $1 returning id`,
      [world.devices.northQuay1.id, sn],
    );
    const { id } = device!;
    await query('insert into device_states (device_id) values ($1)', [id]);
    await query(
      `insert into device_parameters (device_id, key, value, readonly, read_at)
       values ($1, 'HeartbeatInterval', '900', false, now()), ($1, 'AuthorizationKey', 'hunter2-secret', false, now())`,
      [id],
    );
    await query(
      `insert into protocol_frames (device_id, at, type, action, body)
       values ($1, now() - interval '2 hours', 2, 'Heartbeat', 'two hours ago'),
              ($1, now() - interval '1 minute', 3, 'ChangeConfiguration',
               '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"hunter2-secret"}]')`,
      [id],
    );
    await query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
                 values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now())`,
      [id],
    );
    return id;
  }
  const report = async (id: number) =>
    (await north.data(createDeviceIssue, { params: { id }, body: { title: 'Evidence', type: 1 } })).id;
  const evidence = async (id: number, client = north) =>
    (await client.data(issueEndpoints.readIssueEvidence, { params: { id } })).evidence;
  const frames = async (id: number) => (await north.data(issueEndpoints.readIssueFrames, { params: { id } })).items;

  test('is kept as it was, without secrets, also when the device is deleted', async () => {
    const device = await busyDevice('EVIDENCE-1');
    await query(
      `with baseline as (
         insert into parameter_baselines (device_model_id, customer_id, name, device_name, created_by)
         values ($1, null, 'Standard', 'x', 'x') returning id)
       insert into parameter_baseline_values (baseline_id, key, value)
       select id, 'heartbeatinterval', '300' from baseline`,
      [server.world.model],
    );
    const id = await report(device);
    await query(`update device_parameters set value = '1' where device_id = $1`, [device]);
    const before = await evidence(id);
    await query('delete from devices where id = $1', [device]);
    expect(await evidence(id)).toEqual(before);
    expect(before?.device.deviceModelId).toBe(server.world.model);
    expect(before).toMatchObject({
      device: { name: 'EVIDENCE-1', sn: 'EVIDENCE-1', model: 'World pile', site: 'Site northQuay' },
      alarms: [{ code: 'GroundFailure', level: 'CA' }],
      parameters: [{ baseline: 'Standard', key: 'HeartbeatInterval', expected: '300', actual: '900' }],
      ...{ withheld: 0, frames: { count: 1, complete: true } },
    });
    expect(await frames(id)).toMatchObject([{ action: 'ChangeConfiguration' }]);
    const [kept] = await query<{ text: string }>(
      'select situation::text || frames::text as text from issue_evidence where issue_id = $1',
      [id],
    );
    expect(kept?.text).not.toContain('hunter2');
  });

  test('withholds values above the level of the reader', async () => {
    await query('update device_models set parameter_read_level = 2 where id = $1', [server.world.model]);
    try {
      const id = await report(await busyDevice('EVIDENCE-2'));
      const reader = await server.as('northReader');
      expect(await evidence(id, reader)).toMatchObject({ parameters: [], withheld: 1 });
      expect(await evidence(id)).toMatchObject({ parameters: [{ key: 'HeartbeatInterval' }], withheld: 0 });
    } finally {
      await query('update device_models set parameter_read_level = 5 where id = $1', [server.world.model]);
    }
  });

  test('has nothing from another place of the device', async () => {
    const device = await busyDevice('EVIDENCE-3');
    const { rows } = await server.database.pool.query<{ id: number }>('select id from alarms where device_id = $1', [
      device,
    ]);
    await query('update devices set site_id = $2 where id = $1', [device, server.world.sites.northMill]);
    expect(await frames(await report(device))).toEqual([]);
    const body = { title: 'At the former place', type: 1 } as const;
    const former = await north.data(createAlarmIssue, { params: { id: rows[0]!.id }, body });
    expect(await evidence(former.id)).toBeNull();
    expect(await read(former.id)).toMatchObject({ siteName: 'Site northQuay', hasEvidence: false });
  });

  test('is bounded, however much the device sent', async () => {
    const device = await busyDevice('EVIDENCE-4');
    await query(
      `insert into protocol_frames (device_id, at, type, action, body)
       select $1, now(), 2, 'DataTransfer', repeat('x', 60000) from generate_series(1, 150)`,
      [device],
    );
    const id = await report(device);
    const { count, complete } = (await evidence(id))!.frames;
    expect({ some: count > 10, complete }).toEqual({ some: true, complete: false });
    expect(JSON.stringify(await frames(id)).length).toBeLessThan(700_000);
  });
});
