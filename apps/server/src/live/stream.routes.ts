import { streamEndpoints } from '@chargehand/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Caller } from '../platform/http/caller.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { eventConnection } from './event-connection.ts';
import type { StreamSessions } from './stream-sessions.ts';

export function streamRoutes(
  app: FastifyInstance,
  parts: {
    sessions: StreamSessions;
    clock: Clock;
    /** who makes a request, asked again without counting as one */
    watch: (request: FastifyRequest) => Promise<Caller>;
  },
): void {
  const { sessions, clock, watch } = parts;
  serve(app, streamEndpoints.stream, async ({ caller, rows: visible, request, reply }) => {
    const devices = new Set(visible.map(({ id }) => id));
    sessions.requireRoom(caller.sessionId);
    reply.hijack();
    const connection = eventConnection(reply.raw, reply.getHeaders(), clock);
    const leave = sessions.join({ caller, devices, locale: request.locale, connection, recheck: () => watch(request) });
    // Its reader may have left while it was being let in: then `close` is over already and would never be heard.
    if (reply.raw.destroyed) leave();
    else reply.raw.on('close', leave);
    connection.send('ready', { at: clock.now().toISOString() });
    return null;
  });
}
