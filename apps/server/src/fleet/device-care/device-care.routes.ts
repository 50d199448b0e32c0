import { deviceCareEndpoints, deviceImportEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveBulk } from '../../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { DeviceImportService } from '../device-import/device-import.service.ts';
import { importTemplate } from '../devices/device-export.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import { readCertificates } from './certificates.service.ts';
import type { DeviceImagesService } from './device-images.service.ts';
import { type LabelParts, readLabels } from './labels.ts';
import type { MaintenancesService } from './maintenances.service.ts';

/** Files of devices, and work on registered devices. */
export function deviceCareRoutes(
  app: FastifyInstance,
  parts: {
    devices: DevicesService;
    imports: DeviceImportService;
    maintenances: MaintenancesService;
    images: DeviceImagesService;
    consoleUrl: string | null;
  } & LabelParts,
): void {
  const { db, devices, imports, maintenances, images, consoleUrl } = parts;
  serve(app, deviceImportEndpoints.importDevices, ({ caller, body }) => imports.imported(caller, body));
  serveWorkbook(app, deviceImportEndpoints.exportImportTemplate, ({ locale }) => importTemplate(locale));

  serve(app, deviceCareEndpoints.listMaintenances, ({ caller, params, query }) =>
    maintenances.list(caller, params.id, query),
  );
  serve(app, deviceCareEndpoints.recordMaintenance, ({ caller, params, body }) =>
    maintenances.record(caller, params.id, body),
  );
  serve(app, deviceCareEndpoints.beginMaintenance, ({ caller, params, body }) =>
    maintenances.begin(caller, params.id, body),
  );
  serve(app, deviceCareEndpoints.endMaintenance, ({ caller, params, body }) =>
    maintenances.end(caller, params.id, body),
  );

  serveBulk(app, deviceCareEndpoints.moveDevices, (caller, id, { siteId }) => devices.move(caller, id, siteId));
  serve(app, deviceCareEndpoints.listDeviceLabels, async ({ caller, query }) => ({
    items: await readLabels(parts, caller, query.ids),
    consoleUrl,
  }));

  serve(app, deviceCareEndpoints.listDeviceCertificates, ({ caller, params, query }) =>
    readCertificates(db, caller, params.id, query),
  );
  serve(app, deviceCareEndpoints.listDeviceImages, ({ caller, params }) => images.list(caller, params.id));
  serve(app, deviceCareEndpoints.addDeviceImage, ({ caller, params, body }) =>
    images.add(caller, params.id, body.image),
  );
  serve(app, deviceCareEndpoints.orderDeviceImages, ({ caller, params, body }) =>
    images.order(caller, params.id, body.ids),
  );
  serve(app, deviceCareEndpoints.removeDeviceImage, ({ caller, params }) => images.remove(caller, params.id));
}
