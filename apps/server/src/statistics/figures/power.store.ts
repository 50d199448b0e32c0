import { POWER_KEY } from '@chargehand/domain';
import type { Pool } from 'pg';
import { transaction } from './transaction.ts';

/** A value counts as the present power for this time: OCPP devices report every few minutes at the latest. */
const FRESH_SECONDS = 900;

/**
 * Adds up the latest power of the devices that are charging, by site. Nothing while another process does it. Reading the
 * latest values of 20,000 charging devices takes longer than a page may wait, so pages read the sums.
 */
export async function addUpPower(pool: Pool): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_xact_lock(hashtext('site power')) as mine",
    );
    if (!rows[0]?.mine) return;
    await client.query({
      name: 'power_add',
      text: `with places as materialized (
          select y.id, item.place, item.unit from reading_layouts y
            cross join lateral (
              select i ->> 'key' as key, i ->> 'unit' as unit, (i ->> 'counter')::boolean as counter,
                     row_number() over (partition by i ->> 'counter' order by n) as place
                from jsonb_array_elements(y.items) with ordinality as e (i, n)) item
           where item.key = $1 and not item.counter
        )
        insert into site_power (site_id, power_w, at)
          select d.site_id, sum(nullif(l.analog[p.place], 'NaN') * case p.unit when 'kW' then 1000 else 1 end), now()
            from device_status d join latest_readings l on l.device_id = d.device_id and l.connector > 0
            join places p on p.id = l.layout_id
           where d.status = 'working' and l.at > now() - make_interval(secs => $2) and l.analog[p.place] <> 'NaN'
           group by d.site_id
        on conflict (site_id) do update set power_w = excluded.power_w, at = excluded.at`,
      values: [POWER_KEY, FRESH_SECONDS],
    });
    // A site where nothing charges any more.
    await client.query({ name: 'power_forget', text: 'delete from site_power where at < now()' });
  });
}
