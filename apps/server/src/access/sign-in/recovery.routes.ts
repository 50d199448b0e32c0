import { recoveryEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { OwnEmailService } from '../account/own-email.service.ts';
import type { FirstPasswordService } from '../passwords/first-password.service.ts';
import { limitPublicCalls } from '../public-limit.ts';
import type { RecoveryService } from './recovery.service.ts';

export interface RecoveryRouteParts {
  recovery: RecoveryService;
  firstPassword: FirstPasswordService;
  ownEmail: OwnEmailService;
}

/** Forgotten and first passwords, and the user's own email address: everything with a link in a mail. */
export function recoveryRoutes(app: FastifyInstance, parts: RecoveryRouteParts): void {
  const { recovery, firstPassword, ownEmail } = parts;

  app.register(async (open) => {
    await limitPublicCalls(open);
    serve(open, recoveryEndpoints.sendPasswordLink, ({ body, request }) => recovery.sendLink(body, request.ip));
    serve(open, recoveryEndpoints.checkPasswordLink, async ({ body, reply }) => {
      reply.header('cache-control', 'no-store');
      return await recovery.check(body.token);
    });
    serve(open, recoveryEndpoints.usePasswordLink, ({ body, request }) =>
      recovery.choose(body.token, body.password, request.ip),
    );
    serve(open, recoveryEndpoints.confirmEmail, ({ body, request }) => ownEmail.confirm(body.token, request.ip));
  });

  serve(app, recoveryEndpoints.chooseFirstPassword, ({ caller, body }) => firstPassword.choose(caller, body.password));
  serve(app, recoveryEndpoints.readOwnEmail, ({ caller }) => ownEmail.read(caller));
  serve(app, recoveryEndpoints.changeOwnEmail, ({ caller, body }) => ownEmail.change(caller, body));
  serve(app, recoveryEndpoints.keepOwnEmail, ({ caller }) => ownEmail.keep(caller));
}
