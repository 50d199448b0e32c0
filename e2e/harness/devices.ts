import type { SiteName } from '../../apps/server/src/testing/world.ts';
import type { ChargePoint, Fleet, FleetOptions } from '../../apps/simulator/src/index.ts';
import type { Product } from './product.ts';

/** Simulated piles that are registered at a site, connected and accepted. */
export interface Piles {
  fleet: Fleet;
  /** sorted by SN */
  devices: { id: number; sn: string; name: string; pile: ChargePoint }[];
}

interface PileOptions extends Omit<FleetOptions, 'url' | 'prefix'> {
  prefix: string;
  site?: SiteName;
}

/** Registers piles named `<prefix> 1` and so on directly in the database, and connects them. */
export async function connectPiles(product: Product, options: PileOptions): Promise<Piles> {
  const { site = 'northQuay', prefix, ...fleetOptions } = options;
  const { database, world } = product.server;
  const { rows } = await database.pool.query<{ id: number; sn: string; name: string }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select $1 || lpad(n::text, 5, '0'), $1 || ' ' || n, s.id, s.customer_id, $2
       from generate_series(1, $3::int) n, sites s where s.id = $4
       returning id, sn, name
     ), states as (insert into device_states (device_id) select id from added)
     select id::int, sn, name from added order by sn`,
    [prefix, world.model, options.devices, world.sites[site]],
  );
  const fleet = await product.connect({ prefix, ...fleetOptions });
  await fleet.whenAccepted();
  const devices = rows.map((row, index) => ({ ...row, pile: fleet.devices[index] as ChargePoint }));
  return { fleet, devices };
}
