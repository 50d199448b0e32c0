import { auditEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, dayStamp } from '../../../platform/http/serve/attachment.ts';
import { serve } from '../../../platform/http/serve/serve.ts';
import { whilePermitted } from '../../../platform/http/serve/while-permitted.ts';
import type { FramesParts } from '../frames.service.ts';
import { exportFleetFrames, readFleetFrames, readFrame } from './fleet-frames.service.ts';

/** The protocol log of all devices, and single frames. */
export function fleetFramesRoutes(app: FastifyInstance, parts: FramesParts): void {
  serve(app, auditEndpoints.listFleetFrames, ({ caller, query }) => readFleetFrames(parts, caller, query));
  serve(app, auditEndpoints.readFrame, ({ caller, row: device, params, locale }) =>
    readFrame(parts, caller, device, params.frameId, locale),
  );
  serve(app, auditEndpoints.exportFleetFrames, async ({ caller, query, request, reply }) => {
    const lines = exportFleetFrames(parts, caller, query);
    attachment(reply, `frames ${dayStamp(new Date())}.jsonl`, 'application/jsonl; charset=utf-8');
    void reply.send(whilePermitted(request, lines));
    return null;
  });
}
