import { peopleEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { RolesService } from './roles.service.ts';

/** Roles. */
export function rolesRoutes(app: FastifyInstance, roles: RolesService): void {
  serve(app, peopleEndpoints.listRoles, ({ caller, query }) => roles.list(caller, query));
  serveWorkbook(app, peopleEndpoints.exportRoles, ({ query, locale }) => roles.workbook(query, locale));
  serve(app, peopleEndpoints.listRoleChoices, ({ caller }) => roles.choices(caller));
  serve(app, peopleEndpoints.readRole, ({ caller, params }) => roles.read(caller, params.id));
  serve(app, peopleEndpoints.createRole, ({ caller, body }) => roles.create(caller, body));
  serve(app, peopleEndpoints.renameRole, async ({ caller, params, body }) => {
    await roles.rename(caller, params.id, body);
    return null;
  });
  serve(app, peopleEndpoints.setRoleData, async ({ caller, params, body }) => {
    await roles.setData(caller, params.id, body);
    return null;
  });
  serve(app, peopleEndpoints.setRoleMenus, async ({ caller, params, body }) => {
    await roles.setMenus(caller, params.id, body);
    return null;
  });
  serve(app, peopleEndpoints.deleteRole, async ({ caller, params }) => {
    await roles.remove(caller, params.id);
    return null;
  });
}
