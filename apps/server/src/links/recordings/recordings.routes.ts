import { linkEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { asDownload } from '../../platform/http/serve/as-download.ts';
import { attachment } from '../../platform/http/serve/attachment.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { whilePermitted } from '../../platform/http/serve/while-permitted.ts';
import type { RecordingsService } from './recordings.service.ts';

/** Recordings of links, as evidence. */
export function recordingsRoutes(app: FastifyInstance, recordings: RecordingsService): void {
  serve(app, linkEndpoints.checkRecording, ({ params }) => recordings.check(params.id, params.recordingId));
  serve(app, linkEndpoints.listRecordings, ({ params }) => recordings.list(params.id));
  for (const [endpoint, content] of [
    [linkEndpoints.readRecording, 'output'],
    [linkEndpoints.readRecordedInput, 'input'],
  ] as const) {
    serve(app, endpoint, ({ caller, params, request, reply }) =>
      asDownload(async () => {
        const { name, lines } = await recordings.file(caller, params.id, params.recordingId, content);
        attachment(reply, name, 'application/x-asciicast');
        void reply.send(whilePermitted(request, lines));
      }),
    );
  }
}
