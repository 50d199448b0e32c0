import { linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takeParts } from '../../platform/http/body/part-body.ts';
import { asDownload } from '../../platform/http/serve/as-download.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import type { LinkFilesService } from './files.service.ts';

/** The files of devices, through open terminals. */
export function linkFilesRoutes(app: FastifyInstance, files: LinkFilesService): void {
  const at = (request: FastifyRequest, { id }: { id: number }, { key }: { key: string }) => ({
    ...{ linkId: id, key, token: request.cookies[TOKEN_COOKIE] ?? '' },
  });
  serve(app, linkEndpoints.listDeviceFiles, ({ params, query, request }) =>
    files.list(at(request, params, query), query.path),
  );
  serve(app, linkEndpoints.createDeviceFolder, ({ params, body, request }) =>
    files.createFolder(at(request, params, body), body.path),
  );
  serve(app, linkEndpoints.renameDeviceFile, ({ params, body, request }) =>
    files.rename(at(request, params, body), body.path, body.to),
  );
  serve(app, linkEndpoints.removeDeviceFile, ({ params, body, request }) =>
    files.remove(at(request, params, body), body.path),
  );
  serve(app, linkEndpoints.listFileTransfers, ({ params, query, request, locale }) =>
    files.transfers(at(request, params, query), locale),
  );
  serve(app, linkEndpoints.startDownload, ({ params, body, request, locale }) =>
    files.startDownload(at(request, params, body), body.path, locale),
  );
  serve(app, linkEndpoints.readDownload, ({ params, query, request, reply }) =>
    asDownload(() => files.download(at(request, params, query), params.transferId, request, reply)),
  );
  serve(app, linkEndpoints.startUpload, ({ params, body, request }) => {
    const { path, size, replace = false } = body;
    return files.startUpload(at(request, params, body), { path, size, replace });
  });
  serve(app, linkEndpoints.readUpload, ({ params, query, request }) =>
    files.upload(at(request, params, query), params.transferId),
  );
  serve(app, linkEndpoints.cancelTransfer, ({ params, body, request }) =>
    files.cancel(at(request, params, body), params.transferId),
  );
  app.register(async (open) => {
    takeParts(open);
    serve(open, linkEndpoints.sendUploadPart, ({ params, query, request }) =>
      files.part(at(request, params, query), params.transferId, query.offset, request),
    );
  });
}
