import { fleetEndpoints, listEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { listOrder, MATCHING_ROWS_READ, matchingRows } from '../../platform/http/serve/list-queries.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveBulk } from '../../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import { deviceWorkbook } from './device-export.ts';
import { filtersOf, readDeviceCounters, readDevicePage } from './device-list.service.ts';
import { selectDevices } from './device-list.store.ts';
import type { DevicesService } from './devices.service.ts';

export function devicesRoutes(
  app: FastifyInstance,
  parts: { db: Kysely<Database>; reads: Kysely<Database>; devices: DevicesService },
): void {
  const { db, reads, devices } = parts;
  serve(app, fleetEndpoints.listDevices, ({ caller, query }) => readDevicePage(db, caller, query));
  serve(app, fleetEndpoints.selectDevices, async ({ caller, query }) =>
    matchingRows(await selectDevices(caller.scope, db, filtersOf(query), MATCHING_ROWS_READ)),
  );
  serve(app, fleetEndpoints.countDevices, ({ caller, query }) => readDeviceCounters(db, caller, query));
  serveWorkbook(app, fleetEndpoints.exportDevices, ({ caller, query, locale }) =>
    deviceWorkbook(reads, caller, locale, filtersOf(query), listOrder(query.sort, 'name')),
  );
  serve(app, fleetEndpoints.readDevice, ({ caller, params }) => devices.read(caller, params.id));
  serve(app, fleetEndpoints.createDevice, ({ caller, body }) => devices.register(caller, body));
  serve(app, fleetEndpoints.updateDevice, ({ caller, params, body }) => devices.edit(caller, params.id, body));
  serve(app, fleetEndpoints.enableDevice, ({ caller, params }) => devices.enable(caller, params.id));
  serve(app, fleetEndpoints.disableDevice, ({ caller, params }) => devices.disable(caller, params.id));
  serve(app, fleetEndpoints.deleteDevice, ({ caller, params }) => devices.remove(caller, params.id));
  serveBulk(app, listEndpoints.enableDevices, devices.enable);
  serveBulk(app, listEndpoints.disableDevices, devices.disable);
  serveBulk(app, listEndpoints.deleteDevices, devices.remove);
}
