import { systemEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { SystemService } from './system.service.ts';

/** The state of the installation and its scheduled work. */
export function systemRoutes(app: FastifyInstance, system: SystemService): void {
  serve(app, systemEndpoints.readSystem, ({ locale }) => system.read(locale));
  serve(app, systemEndpoints.countSystemProblems, () => system.countProblems());
  serve(app, systemEndpoints.readSystemHistory, () => system.history());
  serve(app, systemEndpoints.listJobs, () => system.jobs());
  serve(app, systemEndpoints.listJobRuns, ({ query }) => system.jobRuns(query.job));
  serve(app, systemEndpoints.releaseOutgoing, ({ caller, body }) => system.releaseOutgoing(caller, body.discard));
  serve(app, systemEndpoints.runJob, ({ caller, params }) => system.runJob(caller, params.job));
}
