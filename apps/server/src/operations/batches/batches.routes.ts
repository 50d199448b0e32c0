import { batchEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { BatchesService } from './batches.service.ts';

/** Commands to several devices over HTTP. */
export function batchesRoutes(app: FastifyInstance, service: BatchesService): void {
  serve(app, batchEndpoints.listCommonControls, ({ caller, body }) => service.common(caller, body.deviceIds));
  serve(app, batchEndpoints.createBatch, ({ caller, body }) => service.create(caller, body));
  serve(app, batchEndpoints.previewBatches, ({ caller, body }) => service.preview(caller, body));
  serve(app, batchEndpoints.listBatches, ({ caller, query }) => service.list(caller, query));
  serve(app, batchEndpoints.readBatch, ({ caller, params }) => service.read(caller, params.id));
  serve(app, batchEndpoints.listBatchExecutions, ({ caller, params, query }) =>
    service.executions(caller, params.id, query),
  );
  serve(app, batchEndpoints.cancelBatch, ({ caller, params }) => service.cancel(caller, params.id));
  serve(app, batchEndpoints.rerunBatch, ({ caller, params, body }) => service.rerun(caller, params.id, body));
}
