import { LOCALES } from '@chargehand/contract';
import { beforeAll, describe, expect } from 'vitest';
import { looker } from '../harness/axe.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'AXE', devices: 4, connectors: 2, meterInterval: 1 });
  const [charging, faulted] = piles.devices;
  charging!.pile.plugIn(1, 'CARD-1');
  faulted!.pile.fault(1, 'GroundFailure');
  await chargehand.connect({ prefix: 'STRANGER', devices: 1 });
});

/** A batch of commands that wait for an offline device. */
async function batchOf(deviceId: number): Promise<number> {
  const { database, world } = chargehand.server;
  const { rows } = await database.pool.query<{ id: number }>(
    `with command as (
       insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'somebody') returning id
     )
     insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level, queue_minutes)
     select id, $1, $2, 0, 20, 4, 5, 60 from command returning id`,
    [world.sites.northQuay, world.customers.north],
  );
  const { id } = rows[0]!;
  await database.pool.query(
    `insert into executions (id, command_id, batch_id, device_id, deadline_at, waits_until)
     select gen_random_uuid(), command_id, id, $2, now() + interval '1 hour', now() + interval '1 hour'
       from command_batches where id = $1`,
    [id, deviceId],
  );
  return id;
}

describe('in light and dark mode', () => {
  journey(chargehand, 'pages before sign-in have no accessibility errors', { locales: LOCALES }, async (visitor) => {
    const { look, found } = looker(visitor);
    for (const path of [
      '/login',
      '/find-password',
      '/find-password/reset#x',
      '/find-password/email#x',
      '/choose-password#x',
      '/second-factor#x',
      '/share/file?s=x',
      '/error?type=404',
      '/error?type=network',
      '/nowhere',
    ]) {
      await look(path);
    }
    expect(found).toEqual([]);
  });

  journey(chargehand, 'the fleet pages have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found, shows } = looker(visitor);
    const { id } = piles.devices[0]!;
    const offlineId = chargehand.server.world.devices.northQuay1.id;
    await look('/manage/home');
    await look('/manage/welcome');
    await look('/manage/noauth');
    await look('/manage/nowhere');
    await look('/manage/device/list', () => page.locator('tbody tr[data-row-key]').first().waitFor());
    await look('/manage/device/list?search=nothing', shows(t('common:table.noMatch')));
    await look('/manage/device/add');
    await look('/manage/device/import', async () => {
      const content = JSON.stringify([{ sn: 'AXE', name: '', site: 'nowhere', model: 'none' }]);
      const file = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator('.import-problems').first().waitFor();
    });
    await look(`/manage/device/labels?ids=${id}`, () => page.locator('.label').first().waitFor());
    await look(`/manage/device/update/${id}`);
    await look('/manage/system/list', shows('STRANGER00001'));
    await look('/manage/device/alarms', shows('GroundFailure'));
    const batch = await batchOf(offlineId);
    await look('/manage/device/batches', () => page.locator('tbody tr[data-row-key]').first().waitFor());
    await look(`/manage/device/batches/new?ids=${offlineId}`);
    // The address of earlier releases leads to the same page.
    await look(`/manage/device/batch/${batch}`, () => page.locator('tbody tr[data-row-key]').first().waitFor());
    await look(`/manage/device/batches/${batch}`, () => page.locator('tbody tr[data-row-key]').first().waitFor());
    await look('/manage/device/links', shows(t('links:activeNone')));
    await look('/manage/device/terminal', shows(t('links:terminal.none')));
    await look(`/manage/device/charts?devices=${id}`);
    await look('/manage/welcome');
    expect(found).toEqual([]);
  });

  journey(chargehand, 'the pages of a device have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found } = looker(visitor);
    const offlineId = chargehand.server.world.devices.northQuay1.id;
    const detail = `/manage/device/detail/${piles.devices[0]!.id}`;
    for (const section of [
      ...['runtime', 'config', 'alarms', 'charts', 'events', 'traffic', 'sessions', 'maintenance', 'pictures'],
      ...['logs', 'protocol'],
    ]) {
      await look(`${detail}?tab=details&section=${section}`);
    }
    await look(`/manage/device/detail/${piles.devices[1]!.id}`);
    await look(`/manage/device/detail/${offlineId}?tab=operations`);
    await look(`${detail}?tab=operations`, async () => {
      await page
        .getByRole('tabpanel')
        .getByRole('button', { name: t('operations:kinds.softReset.do'), exact: true })
        .click();
      await page.getByRole('dialog').getByText(t('operations:kinds.softReset.do')).first().waitFor();
    });
    await look(`${detail}?tab=operations`);
    expect(found).toEqual([]);
  });
});
