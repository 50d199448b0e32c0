import { dataItemEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { DataItemsService } from './data-items.service.ts';

/** The data model: items and their groups. */
export function dataItemsRoutes(app: FastifyInstance, items: DataItemsService): void {
  serve(app, dataItemEndpoints.listItemGroups, () => items.groups());
  serve(app, dataItemEndpoints.createItemGroup, ({ caller, body }) => items.addGroup(caller, body));
  serve(app, dataItemEndpoints.updateItemGroup, ({ caller, params, body }) => items.editGroup(caller, params.id, body));
  serve(app, dataItemEndpoints.deleteItemGroup, ({ caller, params }) => items.removeGroup(caller, params.id));
  serve(app, dataItemEndpoints.orderItemGroups, ({ caller, body }) => items.orderGroups(caller, body));
  serve(app, dataItemEndpoints.listDataItems, () => items.items());
  serve(app, dataItemEndpoints.createDataItem, ({ caller, body }) => items.addItem(caller, body));
  serve(app, dataItemEndpoints.updateDataItem, ({ caller, params, body }) => items.editItem(caller, params.id, body));
  serve(app, dataItemEndpoints.deleteDataItem, ({ caller, params }) => items.removeItem(caller, params.id));
  serve(app, dataItemEndpoints.orderDataItems, ({ caller, body }) => items.orderItems(caller, body));
}
