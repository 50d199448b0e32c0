import { auditEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { attachment, dayStamp } from '../../platform/http/serve/attachment.ts';
import { lasting } from '../../platform/http/serve/lasting.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { exportFrames, readFrames } from './frames.service.ts';

/** The protocol log of a device. */
export function framesRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, auditEndpoints.listFrames, ({ caller, device, query }) => readFrames(db, caller, device, query));
  serve(app, auditEndpoints.exportFrames, async ({ caller, device, query, request, reply }) => {
    const { sn, lines } = await exportFrames(db, caller, device, query);
    attachment(reply, `${sn} ${dayStamp(new Date())}.jsonl`, 'application/jsonl; charset=utf-8');
    void reply.send(lasting(request, lines));
    return null;
  });
}
