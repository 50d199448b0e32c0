import { errorEndpoints } from '@chargehand/contract';
import type { FastifyRequest } from 'fastify';
import type { Crash } from '../platform/config/run-record.ts';
import { watchErrors } from '../platform/log.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { actionLogRoutes } from './action-logs/action-logs.routes.ts';
import { errorOfCrash } from './errors/crashes.ts';
import { type ErrorRecorder, errorRecorder } from './errors/error-recorder.ts';
import { errorReportRoutes, errorsRoutes } from './errors/errors.routes.ts';
import { errorsService } from './errors/errors.service.ts';
import { storedRuns } from './errors/errors.store.ts';
import { errorOfLine } from './errors/logged-errors.ts';
import { errorsSeen } from './errors/metrics.ts';
import { fleetFramesRoutes } from './frames/fleet/fleet-frames.routes.ts';
import { framesRoutes } from './frames/frames.routes.ts';
import { framePacker } from './frames/packing/packer.ts';
import { loginLogRoutes } from './login-logs/login-logs.routes.ts';
import { deletePastEntries } from './past-entries.store.ts';
import './tables.ts';

export { findDevicePlace, logAction, logActions } from './action-logs/action-logs.store.ts';
export { errorsSeen, refusedErrorReports } from './errors/metrics.ts';
export { listFramesBefore } from './frames/frames.store.ts';
export { frameStatements } from './frames/new-frames.store.ts';
export { loadPastActions, loadPastLogins, type PastAction, type PastLogin } from './history.store.ts';
export { type LoginReason, latestSignIns, logLogins } from './login-logs/login-logs.store.ts';

const SWEEP_MS = 3_600_000;
/** Messages that wait longer show that the server is at its limit. */
const LATE_MS = 500;

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    errorRecorder: ErrorRecorder;
    /** Adds crashes of earlier runs to the error log. */
    storeCrashes: (crashes: readonly Crash[]) => Promise<void>;
  }
}

/** Records the errors in a log while the process runs. */
export const errorLog = declareRoom({
  name: 'error log',
  needs: ['db', 'events', 'clock', 'log', 'version'],
  provides: ['errorRecorder', 'storeCrashes'],
  open(parts) {
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
      errorRecorder: recorder,
      start: recorder.start,
      async storeCrashes(crashes) {
        // A start that ended before it forgot them stored them already.
        const startOf = (crash: Crash) => crash.startedAt.toISOString();
        const stored = await storedRuns(parts.db, crashes.map(startOf));
        for (const crash of crashes) if (!stored.has(startOf(crash))) recorder.record(errorOfCrash(crash));
        await recorder.store();
      },
      async stop() {
        unwatch();
        await recorder.stop();
      },
    };
  },
});

/** Sign-in log, action log, protocol log and error log. */
export const audit = declareRoom({
  name: 'audit',
  needs: [
    'db',
    'reads',
    'events',
    'clock',
    'log',
    'version',
    'config',
    'errorRecorder',
    'access',
    'secretsOfModel',
    'sink',
    'node',
  ],
  open({ errorRecorder: recorder, access, sink, node, config, ...rest }) {
    const parts = { ...rest, recorder };
    const { db, clock, log } = parts;
    const packer = framePacker({ db, clock, log, salt: node.epoch, isLate: () => sink.delayMs() > LATE_MS });
    const sweep = clock.repeat((signal) => deletePastEntries(db, config.logDays, clock, signal), {
      ...{ job: 'logCleanup', everyMs: SWEEP_MS, log, failed: 'past entries of logs wait for the next sweep' },
    });
    return {
      role: 'jobs',
      async routes(app) {
        actionLogRoutes(app, parts.reads);
        loginLogRoutes(app, parts.reads);
        framesRoutes(app, parts);
        fleetFramesRoutes(app, parts);
        const callerOf = (request: FastifyRequest) => access.callerIfAny(request, errorEndpoints.reportErrors);
        const errors = errorsService({ ...parts, callerOf });
        errorsRoutes(app, errors);
        await app.register(async (open) => {
          await access.limitPublic(open);
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
  },
});
