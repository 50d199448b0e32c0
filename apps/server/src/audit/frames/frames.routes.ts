import { auditEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, dayStamp } from '../../platform/http/serve/attachment.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { whilePermitted } from '../../platform/http/serve/while-permitted.ts';
import { exportFrames, type FramesParts, readFrames } from './frames.service.ts';

/** The protocol log of a device. */
export function framesRoutes(app: FastifyInstance, parts: FramesParts): void {
  serve(app, auditEndpoints.listFrames, ({ caller, row: device, query }) => readFrames(parts, caller, device, query));
  serve(app, auditEndpoints.exportFrames, async ({ caller, row: device, query, request, reply }) => {
    const { sn, lines } = await exportFrames(parts, caller, device, query);
    attachment(reply, `${sn} ${dayStamp(new Date())}.jsonl`, 'application/jsonl; charset=utf-8');
    void reply.send(whilePermitted(request, lines));
    return null;
  });
}
