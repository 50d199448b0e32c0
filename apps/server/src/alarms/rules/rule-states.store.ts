import type { Query } from '../../platform/database/statement.ts';

/** The place of a rule's alarm. */
export interface RulePlace {
  deviceId: number;
  connector: number;
  code: string;
}

/** A rule whose condition holds at a place, or that waits there for a value to be missing. */
export interface StoredState extends RulePlace {
  print: string;
  since: Date;
  value: string | null;
  raised: boolean;
  dueAt: Date | null;
}

const COLUMNS = `device_id as "deviceId", connector, code, print, since, value, raised, due_at as "dueAt"`;

/** The stored states of devices. */
export async function statesOf(client: Query, deviceIds: readonly number[]): Promise<StoredState[]> {
  const { rows } = await client.query<StoredState>({
    name: 'ingest_rule_states',
    text: `select ${COLUMNS} from alarm_rule_states where device_id = any ($1::int[])`,
    values: [deviceIds],
  });
  return rows;
}

/** Stores states, each replacing the previous one at its place. Their devices must be locked. */
export async function saveStates(client: Query, states: readonly StoredState[]): Promise<void> {
  if (states.length === 0) return;
  await client.query({
    name: 'ingest_rule_states_keep',
    text: `insert into alarm_rule_states (device_id, connector, code, print, since, value, raised, due_at)
      select * from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::boolean[], $8::timestamptz[])
      on conflict (device_id, connector, code) do update set print = excluded.print, since = excluded.since,
        value = excluded.value, raised = excluded.raised, due_at = excluded.due_at`,
    values: columnsOf(states),
  });
}

/**
 * Restarts the wait for missing values when connections open. A value that counts as missing already stays so until a
 * value arrives. The devices must be locked.
 */
export async function awaitValues(client: Query, states: readonly StoredState[]): Promise<void> {
  if (states.length === 0) return;
  await client.query({
    name: 'ingest_rule_states_await',
    text: `insert into alarm_rule_states as s (device_id, connector, code, print, since, value, raised, due_at)
      select * from unnest($1::int[], $2::int2[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::boolean[], $8::timestamptz[])
      on conflict (device_id, connector, code) do update set print = excluded.print, due_at = excluded.due_at,
        raised = s.raised and s.print = excluded.print`,
    values: columnsOf(states),
  });
}

/** Removes states. Their devices must be locked. */
export async function forgetStates(client: Query, places: readonly RulePlace[]): Promise<void> {
  if (places.length === 0) return;
  await client.query({
    name: 'ingest_rule_states_forget',
    text: `delete from alarm_rule_states s using unnest($1::int[], $2::int2[], $3::text[]) as r (d, n, code)
      where s.device_id = r.d and s.connector = r.n and s.code = r.code`,
    values: [
      places.map(({ deviceId }) => deviceId),
      places.map(({ connector }) => connector),
      places.map(({ code }) => code),
    ],
  });
}

function columnsOf(states: readonly StoredState[]): unknown[] {
  return [
    states.map(({ deviceId }) => deviceId),
    states.map(({ connector }) => connector),
    states.map(({ code }) => code),
    states.map(({ print }) => print),
    states.map(({ since }) => since),
    states.map(({ value }) => value),
    states.map(({ raised }) => raised),
    states.map(({ dueAt }) => dueAt),
  ];
}

/** A due state, with the connection of its device. */
export interface DueState extends StoredState {
  modelId: number;
  connected: boolean;
  connectedAt: Date | null;
  skewMs: number;
}

/**
 * Due states, with their devices locked until the end of the transaction. Those that others have locked are left for
 * the next time. Devices are locked before states are read, so that no outdated state is read.
 */
export async function lockDueStates(client: Query, now: Date, limit: number): Promise<DueState[]> {
  const { rows: held } = await client.query<{ id: number }>({
    name: 'ingest_rules_due',
    text: `select device_id as id from device_states where device_id in (
        select device_id from alarm_rule_states where due_at <= $1 order by due_at limit $2
      ) for update skip locked`,
    values: [now, limit],
  });
  if (held.length === 0) return [];
  const { rows } = await client.query<DueState>({
    name: 'ingest_rules_due_states',
    text: `select r.device_id as "deviceId", r.connector, r.code, r.print, r.since, r.value, r.raised,
        r.due_at as "dueAt", d.device_model_id as "modelId", s.connected, s.connected_at as "connectedAt",
        coalesce(s.clock_skew_ms, 0) as "skewMs"
      from alarm_rule_states r join device_states s on s.device_id = r.device_id join devices d on d.id = r.device_id
      where r.device_id = any ($1::int[]) and r.due_at <= $2`,
    values: [held.map(({ id }) => id), now],
  });
  return rows;
}

/** A rule in force, with what decides whether its alarms and states stay. */
export interface InForce {
  modelId: number;
  code: string;
  print: string;
}

/**
 * Alarms and states of rules that are no longer in force, with their devices locked until the end of the transaction.
 * Those that others have locked are left for the next time.
 */
export async function lockOrphans(client: Query, rules: readonly InForce[], limit: number): Promise<RulePlace[]> {
  const values = [rules.map(({ modelId }) => modelId), rules.map(({ code }) => code), rules.map(({ print }) => print)];
  const { rows: held } = await client.query<{ id: number }>({
    name: 'ingest_rules_orphaned',
    text: `select device_id as id from device_states where device_id in (
        select device_id from (${ORPHANS}) o limit $4
      ) for update skip locked`,
    values: [...values, limit],
  });
  if (held.length === 0) return [];
  const { rows } = await client.query<RulePlace>({
    name: 'ingest_rules_orphans',
    text: `select device_id as "deviceId", connector, code from (${ORPHANS}) o where device_id = any ($4::int[])`,
    values: [...values, held.map(({ id }) => id)],
  });
  return rows;
}

const ORPHANS = `
  with p as (select * from unnest($1::int[], $2::text[], $3::text[]) as p (m, code, print))
  select a.device_id, a.connector, a.code from alarms a join devices d on d.id = a.device_id
   where a.cleared_at is null and a.source = 'rule' and not exists (
     select from p where p.m = d.device_model_id and p.code = a.code and p.print = a.rule ->> 'print')
  union
  select s.device_id, s.connector, s.code from alarm_rule_states s join devices d on d.id = s.device_id
   where not exists (select from p where p.m = d.device_model_id and p.code = s.code and p.print = s.print)`;

/** Starts to wait for missing values on connected devices of models with new rules. */
export async function awaitOnConnected(
  client: Query,
  rules: readonly (InForce & { connector: number; seconds: number })[],
): Promise<void> {
  if (rules.length === 0) return;
  await client.query({
    name: 'ingest_rules_await_connected',
    text: `insert into alarm_rule_states (device_id, connector, code, print, since, raised, due_at)
      select d.id, r.n, r.code, r.print, now(), false, now() + make_interval(secs => r.seconds)
      from unnest($1::int[], $2::text[], $3::text[], $4::int2[], $5::int[]) as r (m, code, print, n, seconds)
      join devices d on d.device_model_id = r.m
      join device_states s on s.device_id = d.id and s.connected
      on conflict do nothing`,
    values: [
      rules.map(({ modelId }) => modelId),
      rules.map(({ code }) => code),
      rules.map(({ print }) => print),
      rules.map(({ connector }) => connector),
      rules.map(({ seconds }) => seconds),
    ],
  });
}
