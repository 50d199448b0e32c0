import { errorEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, dayStamp } from '../../platform/http/serve/attachment.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { TEXT_TYPES } from '../../platform/http/serve/serve-workbook.ts';
import { whilePermitted } from '../../platform/http/serve/while-permitted.ts';
import type { ErrorsService } from './errors.service.ts';

/** The reports of browsers, also of pages without a session. */
export function errorReportRoutes(open: FastifyInstance, errors: ErrorsService): void {
  serve(open, errorEndpoints.reportErrors, ({ request, body }) => errors.report(request, body));
}

/** The error log. */
export function errorsRoutes(app: FastifyInstance, errors: ErrorsService): void {
  serve(app, errorEndpoints.listErrors, ({ query }) => errors.list(query));
  serve(app, errorEndpoints.readError, ({ params }) => errors.read(params.id));
  serve(app, errorEndpoints.setErrorState, ({ caller, params, body }) => errors.setState(caller, params.id, body));
  serve(app, errorEndpoints.exportErrors, async ({ query, request, reply }) => {
    attachment(reply, `errors ${dayStamp(new Date())}.${query.format}`, TEXT_TYPES[query.format]);
    void reply.send(whilePermitted(request, errors.file(query)));
    return null;
  });
}
