import { isSecretParameter, MASK } from '@chargehand/domain';
import type { SecretsOf } from '../../models/index.ts';
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
