import { transferEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve/serve.ts';
import type { Events } from '../ports/events.ts';
import type { DeviceLogsService } from './device-logs/device-logs.service.ts';
import { endTransfer } from './end.service.ts';
import type { FirmwareService } from './firmware/firmware.service.ts';

/** Firmware files and transfers, for users. */
export function transfersRoutes(
  app: FastifyInstance,
  parts: { firmware: FirmwareService; logs: DeviceLogsService; db: Kysely<Database>; events: Events },
): void {
  const { firmware, logs } = parts;
  serve(app, transferEndpoints.listFirmware, ({ query }) => firmware.list(query));
  serve(app, transferEndpoints.firmwareCredentials, ({ caller, reply }) => {
    void reply.header('cache-control', 'no-store');
    return firmware.credentials(caller);
  });
  serve(app, transferEndpoints.registerFirmware, ({ caller, body }) => firmware.register(caller, body));
  serve(app, transferEndpoints.updateFirmware, ({ caller, params, body }) => firmware.edit(caller, params.id, body));
  serve(app, transferEndpoints.deleteFirmware, ({ caller, params }) => firmware.remove(caller, params.id));
  serve(app, transferEndpoints.readFirmware, ({ params, reply }) => {
    void reply.header('cache-control', 'no-store');
    return firmware.read(params.id);
  });
  serve(app, transferEndpoints.commonFirmware, ({ body }) => firmware.common(body));
  serve(app, transferEndpoints.listTransfers, ({ caller, params, query }) => logs.transfers(caller, params.id, query));
  serve(app, transferEndpoints.endTransfer, ({ caller, params }) => endTransfer(parts, caller, params.executionId));
  serve(app, transferEndpoints.listDeviceLogs, ({ caller, params, query }) => logs.list(caller, params.id, query));
  serve(app, transferEndpoints.previewDeviceLog, ({ caller, params, query }) =>
    logs.preview(caller, params, query.from),
  );
  serve(app, transferEndpoints.readDeviceLog, ({ caller, params, reply }) => {
    void reply.header('cache-control', 'no-store');
    return logs.read(caller, params);
  });
  serve(app, transferEndpoints.deleteDeviceLog, ({ caller, params }) => logs.remove(caller, params));
}
