import type { OpenEventType } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/database.ts';
import { newEventTypes, numberEvents } from './events.store.ts';

test('events are numbered in order, up to the first one of a type that is not wanted', async () => {
  const { db, pool, drop } = await createTestDatabase();
  try {
    const added: OpenEventType[] = ['device.status', 'alarm.raised', 'device.status', 'issue.created'];
    for (const type of added) {
      await pool.query(
        `insert into open_events (type, customer_id, device_id, data) values ($1, 1, 7, '{"id": 1, "code": "E1"}')`,
        [type],
      );
    }
    const numbered = async (types: readonly OpenEventType[], limit = 500) =>
      (await db.transaction().execute((trx) => numberEvents(trx, types, limit))).map(
        ({ type, position, sequence }) => `${position} ${sequence} ${type}`,
      );

    expect((await newEventTypes(db, 3)).sort()).toEqual(['alarm.raised', 'device.status']);
    expect(await numbered(['alarm.raised'])).toEqual([]);
    expect(await numbered(['device.status', 'issue.created'])).toEqual(['1 1 device.status']);
    expect(await numbered(['alarm.raised', 'device.status'], 1)).toEqual(['2 2 alarm.raised']);
    expect(await numbered(await newEventTypes(db, 500))).toEqual(['3 3 device.status', '4 4 issue.created']);
    expect(await newEventTypes(db, 500)).toEqual([]);
  } finally {
    await drop();
  }
});
