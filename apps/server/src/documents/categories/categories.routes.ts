import { categoryEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { CategoriesService } from './categories.service.ts';

/** Categories of documents. */
export function categoriesRoutes(app: FastifyInstance, categories: CategoriesService): void {
  serve(app, categoryEndpoints.listCategories, ({ caller }) => categories.list(caller));
  serve(app, categoryEndpoints.createCategory, ({ caller, body }) => categories.create(caller, body));
  serve(app, categoryEndpoints.updateCategory, ({ caller, params, body }) =>
    categories.rename(caller, params.id, body),
  );
  serve(app, categoryEndpoints.moveCategory, ({ caller, params, body }) => categories.move(caller, params.id, body));
  serve(app, categoryEndpoints.deleteCategory, ({ caller, params }) => categories.remove(caller, params.id));
}
