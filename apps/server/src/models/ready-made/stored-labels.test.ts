import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRange } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { MIGRATIONS_FOLDER } from '../../platform/database/migrate.ts';
import { createTestDatabase } from '../../testing/database/database.ts';
import { ensureReadyMadeModels } from '../index.ts';

test('labels of stored models are separated by language; labels of users stay as they are', async () => {
  const database = await createTestDatabase();
  const { db, pool } = database;
  try {
    await ensureReadyMadeModels(db);
    const stored = async () =>
      (
        await pool.query<{ ranges: string[]; versions: string }>(
          `select (select array_agg(range order by id) from data_items where type = 4) as ranges,
                  (select string_agg(description::text, '' order by device_model_id, version)
                     from device_model_versions) as versions`,
        )
      ).rows[0]!;
    const now = await stored();
    // As they were stored before labels had a language.
    const former = (text: string) => `replace(${text}, ' / ', ' ')`;
    await pool.query(`update data_items set range = ${former('range')} where type = 4`);
    await pool.query('alter table device_model_versions disable trigger device_model_versions_kept');
    await pool.query(`update device_model_versions set description = ${former('description::text')}::jsonb`);
    await pool.query(
      `insert into data_items (key, name_en, name_zh, type, range, unit, group_id, position)
       select 'Mine', 'Mine', '我的', 4, E'Mode 模式|1|number\nYes 是|2|number', '', group_id, 99
         from data_items limit 1`,
    );
    expect((await stored()).versions).toContain('Yes 是|true');

    await pool.query(await readFile(join(MIGRATIONS_FOLDER, '234_labels_in_two_languages.sql'), 'utf8'));
    const then = await stored();
    expect(then.ranges).toEqual([...now.ranges, 'Mode 模式|1|number\nYes / 是|2|number']);
    expect(then.versions).toBe(now.versions);
    for (const range of then.ranges) expect(parseRange(4, range).problem).toBeNull();
    await expect(pool.query('update device_model_versions set version = 9')).rejects.toThrow('never changed');
  } finally {
    await database.drop();
  }
});
