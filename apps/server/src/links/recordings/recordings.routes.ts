import { linkEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { RecordingsService } from './recordings.service.ts';

/** Recordings of links, as evidence. */
export function recordingsRoutes(app: FastifyInstance, recordings: RecordingsService): void {
  serve(app, linkEndpoints.checkRecording, ({ params }) => recordings.check(params.id, params.recordingId));
}
