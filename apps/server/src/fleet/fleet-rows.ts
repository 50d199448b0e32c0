import { deviceRights, type ModelLevels } from '@chargehand/domain';
import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { VisibleDevice } from '../ports/devices/visible-device.ts';
import { type FoundRow, namedPlace, type RowFinders, type RowPlaces } from '../ports/policy-rows.ts';

/** Devices with the levels of their models, sites, customers, and pictures of devices. */
export const fleetRows: Pick<RowFinders, 'device' | 'site' | 'customer' | 'deviceImage'> = {
  device: async (pool, { scope, levels }, ids) => {
    const { rows } = await pool.query<DeviceRow & { sn: string; deviceModelId: number }>({
      name: 'policy-devices',
      text: `
        select d.id, d.customer_id as "customerId", d.sn, m.id as "deviceModelId", ${MODEL_LEVELS}
          from devices d join device_models m on m.id = d.device_model_id
         where d.id = any($1::int[]) and ${scopeCondition('d.customer_id', 'd.site_id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row): FoundRow & VisibleDevice => {
      const { id, sn, deviceModelId } = row;
      return { ...onDevice(row), id, sn, deviceModelId, rights: deviceRights(levels, row) };
    });
  },

  deviceImage: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<DeviceRow>({
      name: 'policy-device-images',
      text: `
        select i.id, d.customer_id as "customerId", ${MODEL_LEVELS}
          from device_images i join devices d on d.id = i.device_id join device_models m on m.id = d.device_model_id
         where i.id = any($1::int[]) and ${scopeCondition('d.customer_id', 'd.site_id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map(onDevice);
  },

  site: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number }>({
      name: 'policy-sites',
      text: `
        select s.id, s.customer_id as "customerId" from sites s
         where s.id = any($1::int[]) and ${scopeCondition('s.customer_id', 's.id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  },

  customer: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number }>({
      name: 'policy-customers',
      text: `select c.id from customers c where c.id = any($1::int[]) and ${scopeCondition('c.id', null)}`,
      values: [ids, scopeValues(scope)[0]],
    });
    return rows.map(({ id }) => ({ id, customerId: id, model: null, described: false }));
  },
};

export const fleetPlaces: Pick<RowPlaces, 'device' | 'site' | 'customer'> = {
  device: async (pool, _caller, id) => {
    const { rows } = await pool.query<Place & { siteName: string }>(
      `select d.name, c.id as "customerId", c.name as "customerName", s.id as "siteId", s.name as "siteName"
         from devices d join sites s on s.id = d.site_id join customers c on c.id = d.customer_id where d.id = $1`,
      [id],
    );
    return rows[0] ? namedPlace(rows[0]) : null;
  },

  site: async (pool, _caller, id) => {
    const { rows } = await pool.query<Place>(
      `select s.name, c.id as "customerId", c.name as "customerName", s.id as "siteId"
         from sites s join customers c on c.id = s.customer_id where s.id = $1`,
      [id],
    );
    return rows[0] ? namedPlace(rows[0]) : null;
  },

  customer: async (pool, _caller, id) => {
    const { rows } = await pool.query<{ name: string }>('select name from customers where id = $1', [id]);
    return rows[0] ? { names: [rows[0].name], customerId: id } : null;
  },
};

interface Place {
  name: string;
  customerId: number;
  customerName: string;
  siteId: number;
}

/** The columns of `device_models m` that policies need. */
const MODEL_LEVELS = `
  m.parameter_read_level as "parameterRead", m.parameter_write_level as "parameterWrite", m.control_level as control,
  m.version > 0 as described`;

interface DeviceRow extends ModelLevels {
  id: number;
  customerId: number;
  described: boolean;
}

function onDevice({ id, customerId, described, parameterRead, parameterWrite, control }: DeviceRow): FoundRow {
  return { id, customerId, described, model: { parameterRead, parameterWrite, control } };
}
