import { attachmentEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import { serveBulk, tryEach } from '../platform/http/serve/serve-bulk.ts';
import type { CopiesService } from './copies/copies.service.ts';
import type { FilesService } from './files/files.service.ts';
import type { QuotasService } from './files/quotas.service.ts';
import type { TrashService } from './files/trash.service.ts';

/** Stored files. */
export function attachmentsRoutes(
  app: FastifyInstance,
  parts: { files: FilesService; copies: CopiesService; trash: TrashService; quotas: QuotasService },
): void {
  const { files, copies, trash, quotas } = parts;
  serve(app, attachmentEndpoints.listAttachments, ({ caller, query }) => files.list(caller, query));
  serve(app, attachmentEndpoints.selectAttachments, ({ caller, query }) => files.select(caller, query));
  serve(app, attachmentEndpoints.readQuota, ({ caller, query }) => quotas.read(caller, query));
  serve(app, attachmentEndpoints.setQuota, ({ caller, body }) => quotas.set(caller, body));
  serve(app, attachmentEndpoints.readAttachment, ({ caller, row }) => files.read(caller, row.id));
  serve(app, attachmentEndpoints.registerAttachment, ({ caller, body }) => files.register(caller, body));
  serve(app, attachmentEndpoints.registerAttachments, async ({ caller, body: { files: added, ...place }, ...call }) => {
    const results = await tryEach(added, call, (file) => files.register(caller, { ...place, ...file }));
    return {
      results: results.map(({ item, code, message, value }) => ({ code, message, name: value?.name ?? item.name })),
    };
  });
  serve(app, attachmentEndpoints.updateAttachment, ({ caller, params, body }) => files.update(caller, params.id, body));
  serve(app, attachmentEndpoints.moveAttachment, ({ caller, params, body }) => files.move(caller, params.id, body));
  serve(app, attachmentEndpoints.copyAttachment, ({ caller, params, body }) =>
    copies.copyFile(caller, params.id, body),
  );
  serve(app, attachmentEndpoints.deleteAttachment, ({ caller, params }) => files.remove(caller, params.id));
  serve(app, attachmentEndpoints.restoreAttachment, ({ caller, params }) => files.restore(caller, params.id));
  serve(app, attachmentEndpoints.emptyTrash, ({ caller, body }) => trash.empty(caller, body.customerId));
  serveBulk(app, attachmentEndpoints.deleteAttachments, (caller, id) => files.remove(caller, id));
  serveBulk(app, attachmentEndpoints.restoreAttachments, (caller, id) => files.restore(caller, id));
  serveBulk(app, attachmentEndpoints.moveAttachments, (caller, id, body) => files.move(caller, id, body));
}
