import { tokenEndpoints as endpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { serveBulk } from '../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../platform/http/serve/serve-workbook.ts';
import type { DeviceListsService } from './device-lists/device-lists.service.ts';
import type { TokenImports } from './import/import.service.ts';
import { tokenWorkbook } from './list/token-export.ts';
import { filtersOf, type TokensService } from './list/tokens.service.ts';
import type { PoliciesService } from './policies/policies.service.ts';

/** Tokens, who may charge where, and the local lists of devices. */
export function tokensRoutes(
  app: FastifyInstance,
  parts: {
    db: Kysely<Database>;
    tokens: TokensService;
    policies: PoliciesService;
    imports: TokenImports;
    lists: DeviceListsService;
  },
): void {
  const { db, tokens, policies, imports, lists } = parts;
  serve(app, endpoints.listTokens, ({ caller, body }) => tokens.list(caller, body));
  serve(app, endpoints.readToken, ({ caller, params }) => tokens.read(caller, params.id));
  serve(app, endpoints.createToken, ({ caller, body }) => tokens.create(caller, body));
  serve(app, endpoints.updateToken, ({ caller, params, body }) => tokens.update(caller, params.id, body));
  serve(app, endpoints.deleteToken, ({ caller, params }) => tokens.remove(caller, params.id));
  serveBulk(app, endpoints.changeTokens, (caller, id, body) => tokens.changeOne(caller, id, body));
  serveWorkbook(app, endpoints.exportTokens, ({ caller, query, locale }) =>
    tokenWorkbook(db, caller, locale, filtersOf(query)),
  );

  serve(app, endpoints.importTokens, ({ caller, body }) => imports.begin(caller, body));
  serve(app, endpoints.listTokenImports, ({ caller, query }) => imports.list(caller, query));
  serveWorkbook(app, endpoints.exportTokenImport, ({ params, locale }) => imports.report(params.id, locale));

  serve(app, endpoints.readCustomerTokenPolicy, ({ caller, params }) => policies.read(caller, 'customer', params.id));
  serve(app, endpoints.readSiteTokenPolicy, ({ caller, params }) => policies.read(caller, 'site', params.id));
  serve(app, endpoints.readDeviceTokenPolicy, ({ caller, params }) => policies.read(caller, 'device', params.id));
  serve(app, endpoints.setCustomerTokenPolicy, ({ caller, params, body }) =>
    policies.set(caller, 'customer', params.id, body.tokenPolicy),
  );
  serve(app, endpoints.setSiteTokenPolicy, ({ caller, params, body }) =>
    policies.set(caller, 'site', params.id, body.tokenPolicy),
  );
  serve(app, endpoints.setDeviceTokenPolicy, ({ caller, params, body }) =>
    policies.set(caller, 'device', params.id, body.tokenPolicy),
  );

  serve(app, endpoints.listDeviceTokenLists, ({ caller, query }) => lists.list(caller, query));
  serve(app, endpoints.resendTokenList, ({ caller, params }) => lists.resend(caller, params.id));

  serve(app, endpoints.listUnknownTokens, ({ caller, query }) => tokens.unknown(caller, query));
  serve(app, endpoints.addUnknownToken, ({ caller, params, body }) => tokens.addUnknown(caller, params.id, body));
}
