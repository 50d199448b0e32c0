import { accountEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { AccountService } from './account.service.ts';

/** The account of the caller. */
export function accountRoutes(app: FastifyInstance, account: AccountService): void {
  serve(app, accountEndpoints.readAccount, ({ caller }) => account.read(caller));
  serve(app, accountEndpoints.updateAccount, ({ caller, body }) => account.edit(caller, body));
  serve(app, accountEndpoints.changePassword, ({ caller, body }) => account.changePassword(caller, body));
  serve(app, accountEndpoints.setPreferences, ({ caller, body }) => account.prefer(caller, body));
  serve(app, accountEndpoints.listOwnSessions, ({ caller }) => account.sessions(caller));
  serve(app, accountEndpoints.endOwnSession, ({ caller, params }) => account.endSession(caller, params.id));
  serve(app, accountEndpoints.endOtherSessions, ({ caller }) => account.endOtherSessions(caller));
}
