import { onCallEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { OnCallService } from './on-call.service.ts';

/** The on-call schedule of customers. */
export function onCallRoutes(app: FastifyInstance, onCall: OnCallService): void {
  serve(app, onCallEndpoints.listOnCall, ({ caller, query }) => onCall.list(caller, query));
  serve(app, onCallEndpoints.readOnCallSettings, ({ caller, params, query }) =>
    onCall.settings(caller, params.id, query.siteId),
  );
  serve(app, onCallEndpoints.saveOnCallSettings, ({ caller, params, body }) =>
    onCall.saveSettings(caller, params.id, body),
  );
  serve(app, onCallEndpoints.createOnCall, ({ caller, params, body }) => onCall.create(caller, params.id, body));
  serve(app, onCallEndpoints.updateOnCall, ({ caller, params, body }) =>
    onCall.update(caller, params.id, params.shiftId, body),
  );
  serve(app, onCallEndpoints.deleteOnCall, ({ caller, params }) => onCall.remove(caller, params.id, params.shiftId));
  serve(app, onCallEndpoints.copyOnCallWeek, ({ caller, params, body }) => onCall.copyWeek(caller, params.id, body));
}
