import type {
  BodyOf,
  ERROR_LOG_FILES,
  ErrorDetail,
  ErrorRow,
  errorEndpoints,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import { maskText, mayChangeState } from '@chargehand/domain';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { csvHead, csvLine, jsonLine } from '../../platform/csv.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { logAction } from '../action-logs/action-logs.store.ts';
import { timesOf } from '../log-times.ts';
import type { ErrorRecorder } from './error-recorder.ts';
import {
  type ErrorFilter,
  errorsAfter,
  findError,
  hoursOfError,
  listErrors,
  lockError,
  occurrencesOf,
  writeErrorState,
} from './errors.store.ts';
import { refusedErrorReports } from './metrics.ts';
import { reportLimits } from './report-limits.ts';

type Endpoints = typeof errorEndpoints;
export type ErrorsService = ReturnType<typeof errorsService>;

const SHOWN_OCCURRENCES = 50;
const BATCH = 1_000;
const COLUMNS = [
  ...['id', 'source', 'name', 'message', 'state', 'stateAt', 'stateBy', 'solvedIn', 'returnedAt', 'firstAt'],
  ...['lastAt', 'count', 'firstVersion', 'lastVersion'],
] as (keyof ErrorRow)[];

interface ErrorsParts {
  db: Kysely<Database>;
  clock: Clock;
  events: Events;
  recorder: ErrorRecorder;
  version: string;
  /** the user of the session of a request; null without an open session */
  callerOf(request: FastifyRequest): Promise<Caller | null>;
}

/** The error log. */
export function errorsService(parts: ErrorsParts) {
  const { db, clock, recorder, version, callerOf } = parts;
  const limits = reportLimits();
  return {
    /** Records what a browser reports. Reports beyond the limits are counted and dropped. @throws {Problem} tooManyRequests */
    async report(request: FastifyRequest, body: BodyOf<Endpoints['reportErrors']>): Promise<null> {
      const caller = await callerOf(request);
      const from = caller ? { sessionId: caller.sessionId } : { address: request.ip };
      const { accepted, limit } = limits.accept(from, body.reports.length, clock.now().getTime());
      const refused = body.reports.length - accepted;
      if (refused > 0) refusedErrorReports.inc({ limit }, refused);
      for (const report of body.reports.slice(0, accepted)) {
        const { id, kind, name, message, stack, path, count, ago = 0, session } = report;
        // The browser may have kept it while another user used it.
        const own = session === undefined || session === caller?.sessionId;
        recorder.record({
          ...{ source: 'browser', name, message, stack, version: body.version, count, anonymous: caller === null },
          at: new Date(clock.now().getTime() - ago * 1_000),
          occurrence: {
            requestId: id.toLowerCase(),
            userName: own ? ((caller?.viewer ?? caller)?.userName ?? null) : null,
            deviceId: null,
            // A link of a share has its secret in the query. Our pages send none, but anybody can report.
            path: maskText(path.split(/[?#]/, 1)[0] ?? ''),
            userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
            address: request.ip,
            details: { kind },
          },
        });
      }
      if (accepted === 0) throw new Problem('tooManyRequests', { status: 429, values: { seconds: 60 } });
      return null;
    },

    async list(query: QueryOf<Endpoints['listErrors']>): Promise<ResultOf<Endpoints['listErrors']>> {
      return await listErrors(db, filterOf(query), listOrder(query.sort, '-lastAt'), pageOf(query));
    },

    /** @throws {Problem} notFound */
    async read(id: number): Promise<WithDates<ErrorDetail>> {
      const [error, hours, occurrences] = await Promise.all([
        findError(db, id),
        hoursOfError(db, id, clock.now()),
        occurrencesOf(db, id, SHOWN_OCCURRENCES),
      ]);
      if (!error) throw notFound('error');
      return {
        ...error,
        stack: error.stack,
        hours: hours.map(({ at, count }) => ({ at, count })),
        occurrences,
      };
    },

    /** @throws {Problem} notFound, errorStateUnchanged */
    async setState(caller: Caller, id: number, body: BodyOf<Endpoints['setErrorState']>): Promise<null> {
      const solvedIn = body.state === 'solved' ? (body.solvedIn ?? 'now') : null;
      await inTransaction(parts, async (trx, committed) => {
        const error = await lockError(trx, id);
        if (!error) throw notFound('error');
        if (!mayChangeState(error, { state: body.state, solvedIn })) throw new Problem('errorStateUnchanged');
        const solvedVersion = body.state === 'solved' ? version : null;
        const change = { state: body.state, solvedIn, solvedVersion, by: caller.userName, at: clock.now() };
        await writeErrorState(trx, id, change);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType: 'error', objectId: String(id) },
          objectName: `${error.name}: ${error.message}`.slice(0, 200),
          ...{ customerId: null, siteId: null },
          before: { state: error.state, solvedIn: error.solvedIn },
          after: { state: body.state, solvedIn },
        });
        committed.publish('errors.changed', { id: 0 });
      });
      return null;
    },

    /** The filtered errors as CSV or JSON lines. */
    file({ format, ...query }: QueryOf<Endpoints['exportErrors']>): AsyncIterable<string> {
      return errorFile(db, format, filterOf(query));
    },
  };
}

async function* errorFile(
  db: Kysely<Database>,
  format: (typeof ERROR_LOG_FILES)[number],
  filter: ErrorFilter,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(COLUMNS);
  let after = 0;
  for (;;) {
    const records = await errorsAfter(db, filter, after, BATCH);
    const lines = records.map((record) =>
      format === 'csv'
        ? csvLine(COLUMNS.map((column) => record[column]))
        : jsonLine({ ...record, stack: record.stack }),
    );
    if (lines.length > 0) yield lines.join('');
    if (records.length < BATCH) return;
    after = records.at(-1)!.id;
  }
}

function filterOf(query: Omit<QueryOf<Endpoints['exportErrors']>, 'format'>): ErrorFilter {
  const { state, source } = query;
  return { state, source, search: searchOf(query.search), ...timesOf(query) };
}
