import { secondFactorEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { UsersService } from '../users/users.service.ts';
import type { SecondFactorService } from './second-factor.service.ts';

/** Two-factor authentication of the own account, and its removal by an administrator. */
export function secondFactorRoutes(app: FastifyInstance, factor: SecondFactorService, users: UsersService): void {
  serve(app, secondFactorEndpoints.readSecondFactor, ({ caller }) => factor.read(caller));
  serve(app, secondFactorEndpoints.beginSecondFactor, async ({ caller, locale, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return await factor.begin(caller, locale, body);
  });
  serve(app, secondFactorEndpoints.confirmSecondFactor, async ({ caller, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return await factor.confirm(caller, body);
  });
  serve(app, secondFactorEndpoints.renewRecoveryCodes, async ({ caller, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return await factor.renewRecoveryCodes(caller, body);
  });
  serve(app, secondFactorEndpoints.disableSecondFactor, ({ caller, body }) => factor.disable(caller, body));
  serve(app, secondFactorEndpoints.resetSecondFactor, ({ caller, params }) =>
    users.resetSecondFactor(caller, params.id),
  );
}
