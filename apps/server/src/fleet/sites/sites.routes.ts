import { listEndpoints, placesEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { MATCHING_ROWS_READ, matchingRows } from '../../platform/http/serve/list-queries.ts';
import { serve, serveFixed } from '../../platform/http/serve/serve.ts';
import { serveBulk } from '../../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { Regions } from '../regions/regions.ts';
import type { ReceiversService } from './receivers.service.ts';
import { siteWorkbook } from './site-export.ts';
import { readStates, type SitesService, siteFilters } from './sites.service.ts';
import { selectSites } from './sites.store.ts';

export function sitesRoutes(
  app: FastifyInstance,
  parts: {
    db: Kysely<Database>;
    reads: Kysely<Database>;
    sites: SitesService;
    receivers: ReceiversService;
    regions: Regions;
  },
): void {
  const { db, sites, receivers, regions } = parts;
  serveFixed(app, placesEndpoints.listRegions, regions.all);
  serve(app, placesEndpoints.listSites, ({ caller, locale, query }) => sites.list(caller, locale, query));
  serve(app, placesEndpoints.selectSites, async ({ caller, query }) =>
    matchingRows(await selectSites(caller.scope, db, siteFilters(regions, query), MATCHING_ROWS_READ)),
  );
  serveWorkbook(app, placesEndpoints.exportSites, ({ caller, query, locale }) =>
    siteWorkbook({ ...parts, db: parts.reads }, caller, locale, query),
  );
  serve(app, placesEndpoints.listSitePositions, ({ caller, query }) => sites.positions(caller, query));
  serve(app, placesEndpoints.readSiteStates, ({ caller }) => readStates(db, caller));
  serve(app, placesEndpoints.readSite, ({ caller, locale, params }) => sites.read(caller, locale, params.id));
  serve(app, placesEndpoints.listSiteAdministrators, ({ caller, params, query }) =>
    sites.administrators(caller, params.id, query),
  );
  serve(app, placesEndpoints.createSite, ({ caller, body }) => sites.create(caller, body));
  serve(app, placesEndpoints.updateSite, ({ caller, params, body }) => sites.edit(caller, params.id, body));
  serve(app, placesEndpoints.enableSite, ({ caller, params }) => sites.enable(caller, params.id));
  serve(app, placesEndpoints.disableSite, ({ caller, params }) => sites.disable(caller, params.id));
  serve(app, placesEndpoints.deleteSite, ({ caller, params }) => sites.remove(caller, params.id));
  serveBulk(app, listEndpoints.enableSites, (caller, id) => sites.enable(caller, id));
  serveBulk(app, listEndpoints.disableSites, (caller, id) => sites.disable(caller, id));
  serve(app, placesEndpoints.listReceivers, ({ caller, params, query }) => receivers.list(caller, params.id, query));
  serve(app, placesEndpoints.listReceiverCandidates, ({ caller, params, query }) =>
    receivers.candidates(caller, params.id, query),
  );
  serve(app, placesEndpoints.addReceiver, ({ caller, params, body }) => receivers.add(caller, params.id, body.userId));
  serve(app, placesEndpoints.removeReceiver, ({ caller, params }) =>
    receivers.remove(caller, params.id, params.userId),
  );
}
