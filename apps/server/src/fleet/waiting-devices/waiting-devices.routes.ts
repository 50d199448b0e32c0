import { fleetEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import { forgetUnknownDevice, readAttempts, readWaitingDevices } from './waiting-devices.service.ts';
import { waitingDevicesWorkbook } from './waiting-devices-export.ts';

export function waitingDeviceRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, fleetEndpoints.listWaitingDevices, ({ query }) => readWaitingDevices(db, query));
  serve(app, fleetEndpoints.listConnectionAttempts, ({ query }) => readAttempts(db, query));
  serveWorkbook(app, fleetEndpoints.exportWaitingDevices, ({ query, locale }) =>
    waitingDevicesWorkbook(db, locale, query),
  );
  serve(app, fleetEndpoints.deleteWaitingDevice, ({ caller, params }) => forgetUnknownDevice(db, caller, params.id));
}
