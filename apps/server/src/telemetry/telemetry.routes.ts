import { telemetryEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { ReadingDays } from '../platform/config/config.ts';
import type { Database } from '../platform/database/schema.ts';
import { attachment, dayStamp } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { whilePermitted } from '../platform/http/serve/while-permitted.ts';
import { XLSX_TYPE } from '../platform/xlsx/xlsx.ts';
import type { DocumentFinder } from '../ports/document-finder.ts';
import type { Events } from '../ports/events.ts';
import { readReadingItems } from './charts/reading-items.service.ts';
import { readingsWorkbook } from './charts/readings-export.ts';
import { readSeries } from './charts/series.service.ts';
import { readMarks } from './rollups/marks.service.ts';
import { readConfiguration } from './runtime/configuration.service.ts';
import { readRuntime } from './runtime/runtime.service.ts';
import { closeTransaction } from './transactions/close-transaction.ts';
import { readTransactions } from './transactions/transactions.service.ts';

export function telemetryRoutes(
  app: FastifyInstance,
  parts: {
    db: Kysely<Database>;
    reads: Kysely<Database>;
    events: Events;
    documents: DocumentFinder;
    readingDays: ReadingDays;
  },
): void {
  const { db, reads, documents, readingDays: days } = parts;
  serve(app, telemetryEndpoints.readRuntime, ({ caller, row: device }) => readRuntime(db, documents, caller, device));
  serve(app, telemetryEndpoints.readConfiguration, ({ caller, row: device }) =>
    readConfiguration(db, documents, caller, device),
  );
  serve(app, telemetryEndpoints.listReadingItems, ({ caller, row: device }) => readReadingItems(db, caller, device));
  serve(app, telemetryEndpoints.readSeries, ({ caller, rows: devices, query }) =>
    readSeries(reads, days, caller, devices, query),
  );
  serve(app, telemetryEndpoints.exportReadings, async ({ caller, rows: devices, query, locale, request, reply }) => {
    const { name, content } = await readingsWorkbook(reads, days, caller, locale, devices, query);
    attachment(reply, `${name} ${dayStamp(new Date())}.xlsx`, XLSX_TYPE);
    void reply.send(whilePermitted(request, content));
    return null;
  });
  serve(app, telemetryEndpoints.listMarks, ({ caller, row: device, query }) => readMarks(reads, caller, device, query));
  serve(app, telemetryEndpoints.listTransactions, ({ caller, row: device, query }) =>
    readTransactions(db, caller, device, query),
  );
  serve(app, telemetryEndpoints.closeTransaction, async ({ caller, row: device, params, body }) => {
    const { transactionId } = params;
    await closeTransaction(parts, caller, device, { transactionId, comment: body.comment });
    return null;
  });
}
