import { listEndpoints, peopleEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveBulk } from '../../platform/http/serve/serve-bulk.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { UsersService } from './users.service.ts';

/** Users, and the customers and sites assigned to them. */
export function usersRoutes(app: FastifyInstance, users: UsersService): void {
  serve(app, peopleEndpoints.listUsers, ({ caller, query }) => users.list(caller, query));
  serve(app, peopleEndpoints.selectUsers, ({ caller, query }) => users.select(caller, query));
  serveWorkbook(app, peopleEndpoints.exportUsers, ({ caller, query, locale }) => users.workbook(caller, query, locale));
  serve(app, peopleEndpoints.readUser, ({ caller, params }) => users.read(caller, params.id));
  serve(app, peopleEndpoints.createUser, ({ caller, body }) => users.create(caller, body));
  serve(app, peopleEndpoints.updateUser, ({ caller, params, body }) => users.edit(caller, params.id, body));
  serve(app, peopleEndpoints.enableUser, ({ caller, params }) => users.enable(caller, params.id));
  serve(app, peopleEndpoints.disableUser, ({ caller, params }) => users.disable(caller, params.id));
  serve(app, peopleEndpoints.resetPassword, async ({ caller, params, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return await users.resetPassword(caller, params.id, body.answerKey);
  });
  serve(app, peopleEndpoints.inviteUser, ({ caller, params }) => users.invite(caller, params.id));
  serve(app, peopleEndpoints.signOutUser, ({ caller, params, body }) => users.signOut(caller, params.id, body));
  serve(app, peopleEndpoints.deleteUser, ({ caller, params }) => users.remove(caller, params.id));
  serve(app, peopleEndpoints.readAssignments, ({ caller, params }) => users.assignments(caller, params.id));
  serve(app, peopleEndpoints.listAssignable, ({ caller, params, query }) =>
    users.assignable(caller, params.id, query.search),
  );
  serve(app, peopleEndpoints.setAssignments, ({ caller, params, body }) => users.assign(caller, params.id, body));
  serveBulk(app, listEndpoints.enableUsers, (caller, id) => users.enable(caller, id));
  serveBulk(app, listEndpoints.disableUsers, (caller, id) => users.disable(caller, id));
  serveBulk(app, listEndpoints.signOutUsers, (caller, id) => users.signOut(caller, id, {}));
}
