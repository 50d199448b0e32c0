import { folderEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { CopiesService } from '../copies/copies.service.ts';
import type { FoldersService } from './folders.service.ts';

/** The tree of folders. */
export function foldersRoutes(app: FastifyInstance, folders: FoldersService, copies: CopiesService): void {
  serve(app, folderEndpoints.listFolders, ({ caller, query }) => folders.list(caller, query));
  serve(app, folderEndpoints.createFolder, ({ caller, body }) => folders.create(caller, body));
  serve(app, folderEndpoints.updateFolder, async ({ caller, params, body }) => {
    await folders.update(caller, params.id, body);
    return null;
  });
  serve(app, folderEndpoints.moveFolder, async ({ caller, params, body }) => {
    await folders.move(caller, params.id, body);
    return null;
  });
  serve(app, folderEndpoints.copyFolder, ({ caller, params, body }) => copies.copyFolder(caller, params.id, body));
  serve(app, folderEndpoints.deleteFolder, async ({ caller, params }) => {
    await folders.remove(caller, params.id);
    return null;
  });
  serve(app, folderEndpoints.restoreFolder, ({ caller, params }) => folders.restore(caller, params.id));
}
