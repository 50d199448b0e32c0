import { alarmEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { listOrder } from '../platform/http/serve/list-queries.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { serveWorkbook } from '../platform/http/serve/serve-workbook.ts';
import type { CodeExplainer } from '../ports/document-finder.ts';
import { readAlarmCodes, removeAlarmCode, updateAlarmCode } from './alarm-codes.service.ts';
import { alarmWorkbook } from './alarm-export.ts';
import type { AlarmsService } from './alarms.service.ts';
import { readDeviceEvents } from './device-events.service.ts';
import { readIncidents } from './incidents/incidents.service.ts';
import { readAlarmSummary, readAlarmTrend, readRanking } from './statistics/statistics.service.ts';

export function alarmsRoutes(
  app: FastifyInstance,
  parts: { db: Kysely<Database>; reads: Kysely<Database>; alarms: AlarmsService; explain: CodeExplainer },
): void {
  const { db, reads, alarms, explain } = parts;
  serve(app, alarmEndpoints.listAlarms, ({ caller, query }) => alarms.list(caller, query));
  serve(app, alarmEndpoints.selectAlarms, ({ caller, query }) => alarms.select(caller, query));
  serveWorkbook(app, alarmEndpoints.exportAlarms, ({ caller, query, locale }) => {
    const { sort, ...filters } = query;
    return alarmWorkbook(reads, caller, locale, filters, listOrder(sort, '-raisedAt'));
  });
  serve(app, alarmEndpoints.summarizeAlarms, ({ caller, query }) => readAlarmSummary(db, caller, query));
  serve(app, alarmEndpoints.listIncidents, ({ caller, locale, query }) =>
    readIncidents({ db, explain }, caller, locale, query),
  );
  serve(app, alarmEndpoints.rankAlarms, ({ caller, query }) => readRanking(reads, caller, query));
  serve(app, alarmEndpoints.readAlarmTrend, ({ caller, query }) => readAlarmTrend(reads, caller, query));
  serve(app, alarmEndpoints.readAlarm, ({ caller, params }) => alarms.read(caller, params.id));
  serve(app, alarmEndpoints.acknowledgeAlarms, ({ caller, body }) => alarms.acknowledge(caller, body));
  serve(app, alarmEndpoints.commentAlarm, ({ caller, params, body }) => alarms.comment(caller, params.id, body));
  serve(app, alarmEndpoints.listDeviceEvents, ({ caller, query }) => readDeviceEvents(db, caller, query));
  serve(app, alarmEndpoints.listAlarmCodes, ({ params }) => readAlarmCodes(db, params.id));
  serve(app, alarmEndpoints.saveAlarmCode, ({ caller, params, body }) => updateAlarmCode(db, caller, params.id, body));
  serve(app, alarmEndpoints.deleteAlarmCode, ({ caller, params }) => removeAlarmCode(db, caller, params.id));
}
