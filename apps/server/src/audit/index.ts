import { type Endpoint, errorEndpoints } from '@chargehand/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Crash } from '../platform/config/run-record.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { type Log, watchErrors } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { Events } from '../ports/events.ts';
import { actionLogRoutes } from './action-logs/action-logs.routes.ts';
import { errorOfCrash } from './errors/crashes.ts';
import { type ErrorRecorder, errorRecorder } from './errors/error-recorder.ts';
import { errorReportRoutes, errorsRoutes } from './errors/errors.routes.ts';
import { errorsService } from './errors/errors.service.ts';
import { errorOfLine } from './errors/logged-errors.ts';
import { errorsSeen } from './errors/metrics.ts';
import { fleetFramesRoutes } from './frames/fleet/fleet-frames.routes.ts';
import { framesRoutes } from './frames/frames.routes.ts';
import type { FramesParts } from './frames/frames.service.ts';
import { framePacker } from './frames/packing/packer.ts';
import { loginLogRoutes } from './login-logs/login-logs.routes.ts';
import { deletePastEntries, type LogDays } from './past-entries.store.ts';
import './tables.ts';

export { logAction, logActions } from './action-logs/action-logs.store.ts';
export { errorsSeen, refusedErrorReports } from './errors/metrics.ts';
export { listFramesBefore } from './frames/frames.store.ts';
export { frameStatements } from './frames/new-frames.store.ts';
export { loadPastActions, loadPastLogins, type PastAction, type PastLogin } from './history.store.ts';
export { type LoginReason, latestSignIns, logLogins } from './login-logs/login-logs.store.ts';

const SWEEP_MS = 3_600_000;
/** Messages that wait longer show that the server is at its limit. */
const LATE_MS = 500;

/** Records the errors in a log while the process runs. */
export function errorLog(parts: {
  db: Kysely<Database>;
  events: Events;
  clock: Clock;
  log: Log;
  version: string;
}): Room & { recorder: ErrorRecorder; storeCrashes(crashes: readonly Crash[]): Promise<void> } {
  const { log, version } = parts;
  const recorder = errorRecorder(parts);
  const unwatch = watchErrors(log, (line) => {
    // A line with strange values must not make its writer fail.
    try {
      const error = errorOfLine(line, version);
      if (error) recorder.record(error);
    } catch {
      errorsSeen.inc({ source: 'server' });
    }
  });
  return {
    name: 'error log',
    recorder,
    start: recorder.start,
    async storeCrashes(crashes) {
      for (const crash of crashes) recorder.record(errorOfCrash(crash));
      await recorder.store();
    },
    async stop() {
      unwatch();
      await recorder.stop();
    },
  };
}

export interface AuditParts extends FramesParts {
  recorder: ErrorRecorder;
  events: Events;
  clock: Clock;
  log: Log;
  version: string;
  logDays: LogDays;
  /** how long the oldest message has waited to be stored */
  ingestDelayMs(): number;
  /** the user of a request to a public route; null without an open session */
  callerIfAny(request: FastifyRequest, endpoint: Endpoint): Promise<Caller | null>;
  /** limits the requests of one address to public endpoints */
  limitPublic(open: FastifyInstance): Promise<void>;
}

/** Sign-in log, action log, protocol log and error log. */
export function auditRoom(parts: AuditParts): Room {
  const { db, clock, log, logDays, callerIfAny } = parts;
  const packer = framePacker(db, clock, log, () => parts.ingestDelayMs() > LATE_MS);
  const sweep = clock.repeat((signal) => deletePastEntries(db, logDays, clock, signal), {
    ...{ job: 'logCleanup', everyMs: SWEEP_MS, log, failed: 'past entries of logs wait for the next sweep' },
  });
  return {
    name: 'audit',
    role: 'jobs',
    async routes(app) {
      actionLogRoutes(app, parts);
      loginLogRoutes(app, parts);
      framesRoutes(app, parts);
      fleetFramesRoutes(app, parts);
      const callerOf = (request: FastifyRequest) => callerIfAny(request, errorEndpoints.reportErrors);
      const errors = errorsService({ ...parts, callerOf });
      errorsRoutes(app, errors);
      await app.register(async (open) => {
        await parts.limitPublic(open);
        errorReportRoutes(open, errors);
      });
    },
    start() {
      sweep.startLater();
      packer.startLater();
    },
    async stop() {
      await Promise.all([sweep.stop(), packer.stop()]);
    },
  };
}
