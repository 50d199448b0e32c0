import { isSecretParameter, type SecretKeys } from '@chargehand/domain';
import type { SecretsOf } from '../../models/index.ts';
import type { Query } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable.ts';
import { type Item, lastOfEach, rounds } from '../../ports/uplink-items.ts';

type ReportedParameters = Item<'parameters'>;

/**
 * The maximum length of a key in any protocol: one of OCPP 2.0.1 has up to four names of 50 characters, and a location.
 */
const KEY_CHARACTERS = 255;
const VALUE_CHARACTERS = 4_000;

/**
 * Stores reported parameters: a complete list replaces the previous one, a partial one adds to it. Each changed value
 * becomes a row of its history with its source.
 */
export async function storeParameters(
  client: Query,
  items: readonly ReportedParameters[],
  secretsOf: SecretsOf,
): Promise<void> {
  for (const round of rounds(items, (item) => item.deviceId)) {
    await forget(client, round);
    await keep(client, round, secretsOf);
  }
}

/**
 * Removes parameters that devices no longer have: those missing in a complete list, and those that the device reports
 * as unknown.
 */
async function forget(client: Query, reported: readonly ReportedParameters[]): Promise<void> {
  const complete = reported.filter(({ event }) => event.complete);
  if (complete.length > 0) {
    const listed = complete.flatMap(({ deviceId, event }) => keysOf(event).map((key) => ({ deviceId, key })));
    await client.query({
      name: 'ingest_parameters_left_out',
      text: `delete from device_parameters p where device_id = any ($1::int[]) and not exists (
        select from unnest($2::int[], $3::text[]) as u (d, k) where u.d = p.device_id and u.k = p.key)`,
      values: [
        complete.map(({ deviceId }) => deviceId),
        listed.map(({ deviceId }) => deviceId),
        listed.map(({ key }) => key),
      ],
    });
  }
  const unknown = reported
    .filter(({ event }) => !event.complete)
    .flatMap(({ deviceId, event }) =>
      event.unknownKeys.map((key) => ({ deviceId, key: storableText(key, KEY_CHARACTERS) })),
    );
  if (unknown.length === 0) return;
  await client.query({
    name: 'ingest_parameters_unknown',
    text: `delete from device_parameters p using unnest($1::int[], $2::text[]) as u (d, k)
      where p.device_id = u.d and p.key = u.k`,
    values: [unknown.map(({ deviceId }) => deviceId), unknown.map(({ key }) => key)],
  });
}

async function keep(client: Query, reported: readonly ReportedParameters[], secretsOf: SecretsOf): Promise<void> {
  const entries = reported.flatMap(({ deviceId, event }) =>
    lastOfEach(
      event.entries.map((entry) => storableEntry(entry, secretsOf(deviceId))),
      ({ key }) => key,
    ).map((entry) => ({
      ...entry,
      deviceId,
      at: event.at,
      executionId: event.executionId ?? null,
    })),
  );
  if (entries.length === 0) return;
  await client.query({
    name: 'ingest_parameters',
    // All parts of the statement see the previous rows, so the history compares with the previous values.
    text: `with told as (
        select device_id, key, u.value, coalesce(u.readonly, p.readonly, false) as readonly, at, execution_id
          from unnest($1::int[], $2::text[], $3::text[], $4::boolean[], $5::timestamptz[], $6::uuid[])
            as u (device_id, key, value, readonly, at, execution_id)
          left join device_parameters p using (device_id, key)
      ), kept as (
        insert into device_parameters (device_id, key, value, readonly, read_at)
        select device_id, key, value, readonly, at from told
        on conflict (device_id, key) do update
          set value = excluded.value, readonly = excluded.readonly, read_at = excluded.read_at
      )
      insert into parameter_history (device_id, key, value, at, source, execution_id, changed_by)
      select told.device_id, told.key, told.value, told.at,
             case when c.kind = 'setParameter' then 'set' when told.execution_id is null then 'boot' else 'read' end,
             e.id, case when c.kind = 'setParameter' then c.requested_by_name end
        from told
        left join device_parameters former on former.device_id = told.device_id and former.key = told.key
        left join executions e on e.id = told.execution_id and e.device_id = told.device_id
        left join commands c on c.id = e.command_id
       where told.value is distinct from former.value
       order by told.device_id, told.key`,
    values: [
      entries.map(({ deviceId }) => deviceId),
      entries.map(({ key }) => key),
      entries.map(({ value }) => value),
      entries.map(({ readonly }) => readonly),
      entries.map(({ at }) => at),
      entries.map(({ executionId }) => executionId),
    ],
  });
}

function keysOf(event: ReportedParameters['event']): string[] {
  return event.entries.map(({ key }) => storableText(key, KEY_CHARACTERS));
}

function storableEntry(
  { key, value, readonly }: ReportedParameters['event']['entries'][number],
  marked: SecretKeys | null,
) {
  const secret = isSecretParameter(key, marked);
  return {
    key: storableText(key, KEY_CHARACTERS),
    value: secret ? null : storableText(value, VALUE_CHARACTERS),
    readonly,
  };
}
