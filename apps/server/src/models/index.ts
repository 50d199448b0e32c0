import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Room } from '../platform/room.ts';
import type { Pictures } from '../ports/pictures.ts';
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

import './tables.ts';

export { descriptionsAt, type PresentDescription, presentDescription } from './versions.service.ts';

/** The data model, and device models with their versions, files and aliases. */
export function modelsRoom({ db, pictures }: { db: Kysely<Database>; pictures: Pictures }): Room {
  const items = dataItemsService(db);
  const models = deviceModelsService(db, pictures);
  const files = modelFilesService(db);
  const aliases = modelAliasesService(db);
  return {
    name: 'models',
    routes(app) {
      dataItemsRoutes(app, items);
      deviceModelsRoutes(app, { db, models, files });
      modelAliasesRoutes(app, aliases);
    },
  };
}
