import { accountEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { AccountService } from './account.service.ts';

/** The account of the caller. */
export function accountRoutes(app: FastifyInstance, account: AccountService): void {
  serve(app, accountEndpoints.readAccount, ({ caller }) => account.read(caller));
  serve(app, accountEndpoints.updateAccount, async ({ caller, body }) => {
    await account.edit(caller, body);
    return null;
  });
  serve(app, accountEndpoints.changePassword, ({ caller, body }) => account.changePassword(caller, body));
  serve(app, accountEndpoints.setPreferences, async ({ caller, body }) => {
    await account.prefer(caller, body);
    return null;
  });
  serve(app, accountEndpoints.listOwnSessions, ({ caller }) => account.sessions(caller));
  serve(app, accountEndpoints.endOwnSession, async ({ caller, params }) => {
    await account.endSession(caller, params.id);
    return null;
  });
  serve(app, accountEndpoints.endOtherSessions, ({ caller }) => account.endOtherSessions(caller));
}
