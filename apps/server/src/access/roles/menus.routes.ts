import { menusEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { MenusService } from './menus.service.ts';

/** Menus and their interfaces. */
export function menusRoutes(app: FastifyInstance, menus: MenusService): void {
  serve(app, menusEndpoints.listMenus, ({ caller }) => menus.list(caller));
  serve(app, menusEndpoints.createMenu, ({ caller, body }) => menus.create(caller, body));
  serve(app, menusEndpoints.updateMenu, ({ caller, params, body }) => menus.edit(caller, params.key, body));
  serve(app, menusEndpoints.moveMenu, ({ caller, params, body }) => menus.move(caller, params.key, body));
  serve(app, menusEndpoints.deleteMenu, ({ caller, params }) => menus.remove(caller, params.key));
  serve(app, menusEndpoints.setMenuInterfaces, ({ caller, params, body }) =>
    menus.setInterfaces(caller, params.key, body),
  );
  serve(app, menusEndpoints.listInterfaces, ({ caller }) => menus.interfaces(caller));
  serve(app, menusEndpoints.setInterfaceCommon, ({ caller, params, body }) =>
    menus.setCommon(caller, params.interfaceId, body.common),
  );
  serve(app, menusEndpoints.restoreInterface, ({ caller, params }) => menus.restore(caller, params.interfaceId));
}
