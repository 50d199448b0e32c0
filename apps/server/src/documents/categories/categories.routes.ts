import { categoryEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { Events } from '../../ports/events.ts';
import type { CategoriesService } from './categories.service.ts';

/** Categories of documents. */
export function categoriesRoutes(app: FastifyInstance, categories: CategoriesService, events: Events): void {
  const changed = () => events.publish('documents.changed', { id: 0 }, { documents: 'any' });
  serve(app, categoryEndpoints.listCategories, ({ caller }) => categories.list(caller));
  serve(app, categoryEndpoints.createCategory, async ({ caller, body }) => {
    const created = await categories.create(caller, body);
    changed();
    return created;
  });
  serve(app, categoryEndpoints.updateCategory, async ({ caller, params, body }) => {
    await categories.rename(caller, params.id, body);
    changed();
    return null;
  });
  serve(app, categoryEndpoints.moveCategory, async ({ caller, params, body }) => {
    await categories.move(caller, params.id, body);
    changed();
    return null;
  });
  serve(app, categoryEndpoints.deleteCategory, async ({ caller, params }) => {
    await categories.remove(caller, params.id);
    changed();
    return null;
  });
}
