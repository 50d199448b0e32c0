import { isSecretParameter, MASK } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { SecretsOf } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, lastOfEach } from '../../ports/uplink-items.ts';
import { givesWay } from './latest.ts';

/** Stores the latest text of each quantity. A text that is older than the stored one changes nothing. */
export async function storeTexts(client: Query, items: readonly Item<'texts'>[], secretsOf: SecretsOf): Promise<void> {
  const texts = items.flatMap(({ deviceId, event: { connector, at, values } }) =>
    values.map(({ key, value }) => ({
      deviceId,
      connector,
      at,
      key: storableText(key, 100),
      value: isSecretParameter(key, secretsOf(deviceId)) ? MASK : storableText(value, 4_000),
    })),
  );
  if (texts.length === 0) return;
  const inTime = texts.sort((one, other) => one.at.getTime() - other.at.getTime());
  const last = lastOfEach(inTime, ({ deviceId, connector, key }) => `${deviceId} ${connector} ${key}`);
  await client.query({
    name: 'ingest_texts',
    text: `insert into latest_texts as l (device_id, connector, key, value, at)
      select * from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::timestamptz[])
      on conflict (device_id, connector, key) do update set value = excluded.value, at = excluded.at
        where ${givesWay('l', '$6')}`,
    values: [
      last.map(({ deviceId }) => deviceId),
      last.map(({ connector }) => connector),
      last.map(({ key }) => key),
      last.map(({ value }) => value),
      last.map(({ at }) => at),
      Date.now(),
    ],
  });
}

/** Erases the stored texts of a model's devices whose keys, in lower case, were marked as secret after they arrived. */
export async function eraseSecretTexts(
  db: Kysely<Database>,
  deviceModelId: number,
  keys: readonly string[],
): Promise<void> {
  await sql`
    update latest_texts l set value = ${MASK} from devices d
     where d.id = l.device_id and d.device_model_id = ${deviceModelId} and l.value <> ${MASK}
       and lower(l.key) = any (${[...keys]}::text[])`.execute(db);
}
