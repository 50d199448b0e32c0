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
  serve(app, peopleEndpoints.renameRole, ({ caller, params, body }) => roles.rename(caller, params.id, body));
  serve(app, peopleEndpoints.setRoleData, ({ caller, params, body }) => roles.setData(caller, params.id, body));
  serve(app, peopleEndpoints.setRoleMenus, ({ caller, params, body }) => roles.setMenus(caller, params.id, body));
  serve(app, peopleEndpoints.deleteRole, ({ caller, params }) => roles.remove(caller, params.id));
}
