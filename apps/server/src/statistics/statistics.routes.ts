import { Readable } from 'node:stream';
import { statisticsEndpoints } from '@chargehand/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { attachment, dayStamp } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { XLSX_TYPE } from '../platform/xlsx/xlsx.ts';
import { deviceFigures, keyFigures } from './figures/figures.service.ts';
import { deviceTraffic, siteStatuses, siteTraffic, siteTrafficDevices } from './statistics.service.ts';
import { statusSheetName, statusWorkbook, trafficSheetName, trafficWorkbook } from './statistics-export.ts';

export function statisticsRoutes(app: FastifyInstance, db: Kysely<Database>): void {
  serve(app, statisticsEndpoints.readKeyFigures, ({ caller, query }) => keyFigures(db, caller, query));
  serve(app, statisticsEndpoints.readDeviceFigures, ({ caller, row: device }) => deviceFigures(db, caller, device));
  serve(app, statisticsEndpoints.readSiteStatuses, ({ params, query }) => siteStatuses(db, params.id, query.step));
  serve(app, statisticsEndpoints.exportSiteStatuses, async ({ params, query, locale, reply }) => {
    const figures = await siteStatuses(db, params.id, query.step);
    return give(reply, statusSheetName(locale), statusWorkbook(figures, locale));
  });
  serve(app, statisticsEndpoints.readSiteTraffic, ({ params, query }) => siteTraffic(db, params.id, query.step));
  serve(app, statisticsEndpoints.listSiteTrafficDevices, ({ caller, params, query }) =>
    siteTrafficDevices(db, caller, params.id, query),
  );
  serve(app, statisticsEndpoints.exportSiteTraffic, async ({ params, query, locale, reply }) => {
    const figures = await siteTraffic(db, params.id, query.step);
    return give(reply, trafficSheetName(locale), trafficWorkbook(figures, locale));
  });
  serve(app, statisticsEndpoints.readDeviceTraffic, ({ caller, row: device, query }) =>
    deviceTraffic(db, caller, device, query.step),
  );
}

function give(reply: FastifyReply, name: string, workbook: AsyncIterable<Buffer>): null {
  attachment(reply, `${name} ${dayStamp(new Date())}.xlsx`, XLSX_TYPE);
  void reply.send(Readable.from(workbook));
  return null;
}
