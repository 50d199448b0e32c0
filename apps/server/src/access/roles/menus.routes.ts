import { menusEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { MenusService } from './menus.service.ts';

/** Menus and their interfaces. */
export function menusRoutes(app: FastifyInstance, menus: MenusService): void {
  serve(app, menusEndpoints.listMenus, ({ caller }) => menus.list(caller));
  serve(app, menusEndpoints.createMenu, ({ caller, body }) => menus.create(caller, body));
  serve(app, menusEndpoints.updateMenu, async ({ caller, params, body }) => {
    await menus.edit(caller, params.key, body);
    return null;
  });
  serve(app, menusEndpoints.moveMenu, async ({ caller, params, body }) => {
    await menus.move(caller, params.key, body);
    return null;
  });
  serve(app, menusEndpoints.deleteMenu, async ({ caller, params }) => {
    await menus.remove(caller, params.key);
    return null;
  });
  serve(app, menusEndpoints.setMenuInterfaces, async ({ caller, params, body }) => {
    await menus.setInterfaces(caller, params.key, body);
    return null;
  });
  serve(app, menusEndpoints.listInterfaces, ({ caller }) => menus.interfaces(caller));
  serve(app, menusEndpoints.setInterfaceCommon, async ({ caller, params, body }) => {
    await menus.setCommon(caller, params.interfaceId, body.common);
    return null;
  });
  serve(app, menusEndpoints.restoreInterface, async ({ caller, params }) => {
    await menus.restore(caller, params.interfaceId);
    return null;
  });
}
