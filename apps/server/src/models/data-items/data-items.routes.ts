import { dataItemEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { DataItemsService } from './data-items.service.ts';

/** The data model: items and their groups. */
export function dataItemsRoutes(app: FastifyInstance, items: DataItemsService): void {
  serve(app, dataItemEndpoints.listItemGroups, () => items.groups());
  serve(app, dataItemEndpoints.createItemGroup, ({ caller, body }) => items.addGroup(caller, body));
  serve(app, dataItemEndpoints.updateItemGroup, async ({ caller, params, body }) => {
    await items.editGroup(caller, params.id, body);
    return null;
  });
  serve(app, dataItemEndpoints.deleteItemGroup, async ({ caller, params }) => {
    await items.removeGroup(caller, params.id);
    return null;
  });
  serve(app, dataItemEndpoints.orderItemGroups, async ({ caller, body }) => {
    await items.orderGroups(caller, body);
    return null;
  });
  serve(app, dataItemEndpoints.listDataItems, () => items.items());
  serve(app, dataItemEndpoints.createDataItem, ({ caller, body }) => items.addItem(caller, body));
  serve(app, dataItemEndpoints.updateDataItem, async ({ caller, params, body }) => {
    await items.editItem(caller, params.id, body);
    return null;
  });
  serve(app, dataItemEndpoints.deleteDataItem, async ({ caller, params }) => {
    await items.removeItem(caller, params.id);
    return null;
  });
  serve(app, dataItemEndpoints.orderDataItems, async ({ caller, body }) => {
    await items.orderItems(caller, body);
    return null;
  });
}
