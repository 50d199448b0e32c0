import { searchEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { SearchService } from './search.service.ts';

export function searchRoutes(app: FastifyInstance, search: SearchService): void {
  serve(app, searchEndpoints.search, ({ caller, query, request }) =>
    search.find(caller, query, () => request.raw.socket.destroyed),
  );
}
