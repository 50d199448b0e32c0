import { deviceModelEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { attachment } from '../../platform/http/serve/attachment.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ModelFilesService } from '../model-files/model-import.service.ts';
import { describeDevice } from '../versions.service.ts';
import type { DeviceModelsService } from './device-models.service.ts';

/** Device models, their versions and files, and descriptions of devices. */
export function deviceModelsRoutes(
  app: FastifyInstance,
  parts: { db: Kysely<Database>; models: DeviceModelsService; files: ModelFilesService },
): void {
  const { db, models, files } = parts;
  serve(app, deviceModelEndpoints.listDeviceModels, ({ query }) => models.list(query));
  serve(app, deviceModelEndpoints.readDeviceModel, ({ caller, params }) => models.read(caller, params.id));
  serve(app, deviceModelEndpoints.createDeviceModel, ({ caller, body }) => models.create(caller, body));
  serve(app, deviceModelEndpoints.updateDeviceModel, ({ caller, params, body }) =>
    models.update(caller, params.id, body),
  );
  serve(app, deviceModelEndpoints.copyDeviceModel, ({ caller, params, body }) => models.copy(caller, params.id, body));
  serve(app, deviceModelEndpoints.deleteDeviceModel, ({ caller, params }) => models.remove(caller, params.id));
  serve(app, deviceModelEndpoints.exportDeviceModel, async ({ params, reply }) => {
    const file = await files.exported(params.id);
    attachment(reply, `${file.model.name}.json`, 'application/octet-stream');
    void reply.send(Buffer.from(`${JSON.stringify(file, null, 2)}\n`));
    return null;
  });
  serve(app, deviceModelEndpoints.importDeviceModel, ({ caller, body }) => files.imported(caller, body));
  serve(app, deviceModelEndpoints.listDeviceModelVersions, ({ caller, params, query }) =>
    models.versions(caller, params.id, query),
  );
  serve(app, deviceModelEndpoints.readDeviceDescription, ({ caller, params, query }) =>
    describeDevice(db, caller, params.id, query.at),
  );
}
