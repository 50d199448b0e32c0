import { declareRoom } from '../platform/rooms/assemble.ts';
import { modelAliasesRoutes } from './aliases/model-aliases.routes.ts';
import { modelAliasesService } from './aliases/model-aliases.service.ts';
import { dataItemsRoutes } from './data-items/data-items.routes.ts';
import { dataItemsService } from './data-items/data-items.service.ts';
import { deviceModelsRoutes } from './device-models/device-models.routes.ts';
import { deviceModelsService } from './device-models/device-models.service.ts';
import { modelFilesService } from './model-files/model-import.service.ts';

export { ensureReadyMadeModels } from './ready-made/ready-made.service.ts';
export {
  modelsWithSecrets,
  type SecretParameters,
  type SecretsOf,
  secretParameters,
  secretsOfModel,
} from './secret-parameters.ts';

import { secretsOfModel } from './secret-parameters.ts';
import './tables.ts';

export { descriptionsAt, type PresentDescription, presentDescription } from './versions.service.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    secretsOfModel: (deviceModelId: number) => ReturnType<typeof secretsOfModel>;
  }
}

/** The data model, and device models with their versions, files and aliases. */
export const models = declareRoom({
  name: 'models',
  needs: ['db', 'pictures'],
  provides: ['secretsOfModel'],
  open({ db, pictures }) {
    const items = dataItemsService(db);
    const deviceModels = deviceModelsService(db, pictures);
    const files = modelFilesService(db);
    const aliases = modelAliasesService(db);
    return {
      secretsOfModel: (id) => secretsOfModel(db, id),
      routes(app) {
        dataItemsRoutes(app, items);
        deviceModelsRoutes(app, { db, models: deviceModels, files });
        modelAliasesRoutes(app, aliases);
      },
    };
  },
});
