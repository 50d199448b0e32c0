import { filesEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { AvatarService } from './avatar.service.ts';
import type { CredentialsService } from './credentials.service.ts';

export function filesRoutes(
  app: FastifyInstance,
  parts: { credentials: CredentialsService; avatar: AvatarService },
): void {
  const { credentials, avatar } = parts;
  serve(app, filesEndpoints.readCredentials, ({ caller, query, reply }) => {
    void reply.header('cache-control', 'no-store');
    return credentials.read(caller, query.customerId);
  });
  serve(app, filesEndpoints.writeCredentials, ({ caller, reply }) => {
    void reply.header('cache-control', 'no-store');
    return credentials.write(caller);
  });
  serve(app, filesEndpoints.readCredentialsAnonymous, ({ reply }) => {
    void reply.header('cache-control', 'no-store');
    return credentials.readAnonymous();
  });
  serve(app, filesEndpoints.writeCredentialsAnonymous, ({ request, reply }) => {
    void reply.header('cache-control', 'no-store');
    return credentials.writeAnonymous(request.ip);
  });
  serve(app, filesEndpoints.setOwnAvatar, ({ caller, body }) => avatar.setOwn(caller, body.avatar));
}
