import { folderEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { CopiesService } from '../copies/copies.service.ts';
import type { FoldersService } from './folders.service.ts';

/** The tree of folders. */
export function foldersRoutes(app: FastifyInstance, folders: FoldersService, copies: CopiesService): void {
  serve(app, folderEndpoints.listFolders, ({ caller, query }) => folders.list(caller, query));
  serve(app, folderEndpoints.createFolder, ({ caller, body }) => folders.create(caller, body));
  serve(app, folderEndpoints.updateFolder, ({ caller, params, body }) => folders.update(caller, params.id, body));
  serve(app, folderEndpoints.moveFolder, ({ caller, params, body }) => folders.move(caller, params.id, body));
  serve(app, folderEndpoints.copyFolder, ({ caller, params, body }) => copies.copyFolder(caller, params.id, body));
  serve(app, folderEndpoints.deleteFolder, ({ caller, params }) => folders.remove(caller, params.id));
  serve(app, folderEndpoints.restoreFolder, ({ caller, params }) => folders.restore(caller, params.id));
}
