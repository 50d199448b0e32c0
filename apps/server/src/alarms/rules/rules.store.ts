import { type AlarmRule, type Bilingual, MAX_CLOCK_LEAD_MS, type RuleValue, rulePrint } from '@chargehand/domain';
import type { Query } from '../../platform/database/statement.ts';

/** An alarm rule that is in force for the devices of a model. */
export interface PresentRule extends AlarmRule {
  name: Bilingual;
  /** the item that it checks, as devices name it and as users see it */
  key: string;
  itemName: Bilingual;
  unit: string;
  print: string;
}

/** The enabled rules of models by their current definition, by model; of all models with rules when none are named. */
export async function presentRules(
  client: Query,
  modelIds: readonly number[] | null,
): Promise<Map<number, PresentRule[]>> {
  const { rows } = await client.query<{ id: number; rules: (Omit<PresentRule, 'print'> & { enabled: boolean })[] }>({
    name: 'ingest_present_rules',
    text: `select m.id, v.description -> 'rules' as rules
      from device_models m join device_model_versions v on v.device_model_id = m.id and v.version = m.version
      where ($1::int[] is null or m.id = any ($1)) and v.description ? 'rules'`,
    values: [modelIds],
  });
  return new Map(
    rows.map(({ id, rules }) => [
      id,
      rules.filter(({ enabled }) => enabled).map((rule) => ({ ...rule, print: rulePrint(rule) })),
    ]),
  );
}

/** The models of devices, and their clock differences. */
export async function devicesWithModels(
  client: Query,
  deviceIds: readonly number[],
): Promise<{ id: number; modelId: number; skewMs: number }[]> {
  const { rows } = await client.query<{ id: number; modelId: number; skewMs: number }>({
    name: 'ingest_rule_devices',
    text: `select d.id, d.device_model_id as "modelId", coalesce(s.clock_skew_ms, 0) as "skewMs"
      from devices d left join device_states s on s.device_id = d.id where d.id = any ($1::int[])`,
    values: [deviceIds],
  });
  return rows;
}

export interface LatestValue {
  deviceId: number;
  connector: number;
  key: string;
  at: Date;
  value: RuleValue;
}

/** The newest values that devices reported for some keys, numbers and texts. */
export async function latestValues(
  client: Query,
  deviceIds: readonly number[],
  keys: readonly string[],
): Promise<LatestValue[]> {
  if (deviceIds.length === 0 || keys.length === 0) return [];
  const { rows } = await client.query<LatestValue & { number: number | null; word: string | null }>({
    name: 'ingest_rule_values',
    // Values with a future time come last (`replacesLatest`). Analog values and counters are in separate arrays, each
    // in the order of the layout.
    text: `select * from (
        select distinct on (k.device_id, k.connector, i.key) k.device_id as "deviceId", k.connector, i.key, k.at,
               case when i.counter then k.counters[i.place] else k.analog[i.place]::float8 end as number, null as word
          from latest_readings k
          join reading_layouts l on l.id = k.layout_id
          cross join lateral (
            select e.item ->> 'key' as key, (e.item ->> 'counter')::boolean as counter,
                   row_number() over (partition by (e.item ->> 'counter')::boolean order by e.number)::int as place
              from jsonb_array_elements(l.items) with ordinality as e (item, number)
          ) i
         where k.device_id = any ($1::int[]) and i.key = any ($2::text[])
         order by k.device_id, k.connector, i.key, k.at > to_timestamp(($3::float8 + ${MAX_CLOCK_LEAD_MS}) / 1000), k.at desc
      ) numbers
      union all
      select device_id, connector, key, at, null, value from latest_texts
       where device_id = any ($1::int[]) and key = any ($2::text[])`,
    values: [deviceIds, keys, Date.now()],
  });
  return rows.flatMap(({ number, word, deviceId, connector, key, at }) => {
    const value = number ?? word;
    return value === null ? [] : [{ deviceId, connector, key, at, value }];
  });
}
