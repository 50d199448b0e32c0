import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** These models and all that inherit from them. */
export async function withDescendants(db: Kysely<Database>, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive below (id) as (
      select unnest(${[...ids]}::int[])
      union
      select m.id from device_models m join below on m.parent_id = below.id
    )
    select id from below`.execute(db);
  return rows.map(({ id }) => id);
}

/** The next version of a model, unless it equals the last one. */
export async function insertVersion(
  trx: Kysely<Database>,
  id: number,
  changedBy: string,
  description: unknown,
): Promise<void> {
  await sql`
    with next as (
      insert into device_model_versions (device_model_id, version, at, changed_by, description)
      select m.id, m.version + 1, clock_timestamp(), ${changedBy}, ${JSON.stringify(description)}::jsonb
        from device_models m
       where m.id = ${id} and not exists (
         select from device_model_versions v
          where v.device_model_id = m.id and v.version = m.version
            and v.description = ${JSON.stringify(description)}::jsonb
       )
      returning device_model_id, version, at, changed_by
    )
    update device_models m set version = next.version, changed_by = next.changed_by, changed_at = next.at
      from next where m.id = next.device_model_id`.execute(trx);
}

/** One page of the versions of a model, and their total number. */
export async function listVersions(
  db: Kysely<Database>,
  id: number,
  descending: boolean,
  page: { limit: number; offset: number },
) {
  const direction = descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<{
      version: number;
      at: Date;
      changedBy: string;
      configs: number;
      parameters: number;
      controls: number;
    }>`
      select version, at, changed_by as "changedBy", jsonb_array_length(description -> 'configs') as configs,
             jsonb_array_length(description -> 'parameters') as parameters,
             jsonb_array_length(description -> 'controls') as controls
        from device_model_versions where device_model_id = ${id}
       order by version ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from device_model_versions where device_model_id = ${id}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A version as it is stored. */
export interface VersionRecord {
  version: number;
  at: Date;
  description: unknown;
}

/**
 * The version that was in force at a time: the last one created by then, or the first one for earlier times. Null means
 * now.
 */
export async function versionAt(db: Kysely<Database>, id: number, time: Date | null): Promise<VersionRecord | null> {
  const at = sql`coalesce(${time}::timestamptz, 'infinity')`;
  const { rows } = await sql<VersionRecord>`
    (select version, at, description from device_model_versions
      where device_model_id = ${id} and at <= ${at} order by at desc limit 1)
    union all
    (select version, at, description from device_model_versions
      where device_model_id = ${id} and at > ${at} order by at limit 1)
    limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The stored current definition of a model; null while nobody has described it. */
export async function presentVersion(db: Kysely<Database>, id: number): Promise<VersionRecord | null> {
  const { rows } = await sql<VersionRecord>`
    select v.version, v.at, v.description from device_models m
      join device_model_versions v on v.device_model_id = m.id and v.version = m.version
     where m.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The versions that were in force at these times, each once, and the version for each time; times as `versionAt` takes
 * them.
 */
export async function versionsAt(
  db: Kysely<Database>,
  id: number,
  times: readonly Date[],
): Promise<{ versions: VersionRecord[]; inForce: number[] }> {
  const { rows } = await sql<{ version: number }>`
    select v.version from unnest(${[...times]}::timestamptz[]) with ordinality as t (at, place)
     cross join lateral (
       (select version from device_model_versions where device_model_id = ${id} and at <= t.at order by at desc limit 1)
       union all
       (select version from device_model_versions where device_model_id = ${id} and at > t.at order by at limit 1)
       limit 1
     ) v order by t.place`.execute(db);
  const inForce = rows.map(({ version }) => version);
  const versions = await sql<VersionRecord>`
    select version, at, description from device_model_versions
     where device_model_id = ${id} and version = any(${[...new Set(inForce)]}::int[])`.execute(db);
  return { versions: versions.rows, inForce };
}
