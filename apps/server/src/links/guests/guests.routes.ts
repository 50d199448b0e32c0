import { linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { GuestsService } from './guests.service.ts';
import type { PageGuestsService } from './page-guests.service.ts';

/** Watching terminals, and guests in them and in web pages. */
export function guestsRoutes(app: FastifyInstance, guests: GuestsService, pageGuests: PageGuestsService): void {
  serve(app, linkEndpoints.listTerminals, async ({ params }) => guests.list(params.id));
  serve(app, linkEndpoints.watchTerminal, ({ caller, params, request }) =>
    guests.watch(caller, request.cookies[TOKEN_COOKIE] ?? '', params.id, params.terminalId),
  );
  serve(app, linkEndpoints.endTerminal, ({ caller, params }) => guests.end(caller, params.id, params.terminalId));
  serve(app, linkEndpoints.inviteGuest, ({ caller, params, body }) =>
    guests.invite(caller, params.id, params.terminalId, body),
  );
  serve(app, linkEndpoints.listPageGuests, async ({ params }) => pageGuests.list(params.id));
  serve(app, linkEndpoints.invitePageGuest, ({ caller, params, body, request }) =>
    pageGuests.invite(caller, new URL(`${request.protocol}://${request.host}`), params.id, body),
  );
  serve(app, linkEndpoints.changeGuest, ({ caller, params, body }) =>
    guests.change(caller, params.id, params.guestId, body.interactive),
  );
  serve(app, linkEndpoints.removeGuest, ({ caller, params }) => guests.remove(caller, params.id, params.guestId));
}
