import { placesEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { Regions } from '../regions/regions.ts';
import { customerWorkbook } from './customer-export.ts';
import type { CustomersService } from './customers.service.ts';

export function customersRoutes(
  app: FastifyInstance,
  parts: { db: Kysely<Database>; reads: Kysely<Database>; customers: CustomersService; regions: Regions },
): void {
  const { customers } = parts;
  serve(app, placesEndpoints.listCustomers, ({ caller, locale, query }) => customers.list(caller, locale, query));
  serveWorkbook(app, placesEndpoints.exportCustomers, ({ caller, query, locale }) =>
    customerWorkbook({ ...parts, db: parts.reads }, caller, locale, query),
  );
  serve(app, placesEndpoints.readCustomer, ({ caller, locale, params }) => customers.read(caller, locale, params.id));
  serve(app, placesEndpoints.listCustomerUsers, ({ caller, params, query }) =>
    customers.users(caller, params.id, query),
  );
  serve(app, placesEndpoints.createCustomer, ({ caller, body }) => customers.create(caller, body));
  serve(app, placesEndpoints.updateCustomer, ({ caller, params, body }) => customers.edit(caller, params.id, body));
  serve(app, placesEndpoints.enableCustomer, ({ caller, params }) => customers.enable(caller, params.id));
  serve(app, placesEndpoints.disableCustomer, ({ caller, params }) => customers.disable(caller, params.id));
  serve(app, placesEndpoints.deleteCustomer, ({ caller, params }) => customers.remove(caller, params.id));
}
