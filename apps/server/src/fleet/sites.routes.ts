import { listEndpoints, placesEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve.ts';
import { serveBulk } from '../platform/http/serve-bulk.ts';
import { serveWorkbook } from '../platform/http/serve-workbook.ts';
import { siteWorkbook } from './site-export.ts';
import type { SitesService } from './sites.service.ts';

export function sitesRoutes(app: FastifyInstance, parts: { db: Kysely<Database>; sites: SitesService }): void {
  const { db, sites } = parts;
  serve(app, placesEndpoints.listSites, ({ caller, query }) => sites.list(caller, query));
  serveWorkbook(app, placesEndpoints.exportSites, ({ caller, query, locale }) =>
    siteWorkbook(db, caller, locale, query),
  );
  serve(app, placesEndpoints.readSite, ({ caller, params }) => sites.read(caller, params.id));
  serve(app, placesEndpoints.listSiteAdministrators, ({ caller, params, query }) =>
    sites.administrators(caller, params.id, query),
  );
  serve(app, placesEndpoints.createSite, ({ caller, body }) => sites.create(caller, body));
  serve(app, placesEndpoints.updateSite, async ({ caller, params, body }) => {
    await sites.edit(caller, params.id, body);
    return null;
  });
  serve(app, placesEndpoints.enableSite, async ({ caller, params }) => {
    await sites.enable(caller, params.id);
    return null;
  });
  serve(app, placesEndpoints.disableSite, async ({ caller, params }) => {
    await sites.disable(caller, params.id);
    return null;
  });
  serve(app, placesEndpoints.deleteSite, async ({ caller, params }) => {
    await sites.remove(caller, params.id);
    return null;
  });
  serveBulk(app, listEndpoints.enableSites, (caller, id) => sites.enable(caller, id));
  serveBulk(app, listEndpoints.disableSites, (caller, id) => sites.disable(caller, id));
}
