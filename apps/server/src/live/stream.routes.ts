import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
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
    /** the user of a request, checked again without counting as activity */
    watch: (request: FastifyRequest) => Promise<Caller>;
  },
): void {
  const { sessions, clock, watch } = parts;
  serve(app, streamEndpoints.stream, async ({ caller, rows: visible, query, request, reply }) => {
    const devices = new Set(visible.map(({ id }) => id));
    sessions.requireRoom(caller.sessionId);
    reply.hijack();
    const connection = eventConnection(reply.raw, reply.getHeaders(), clock);
    const since = query.since !== undefined && sessions.covers(query.since) ? query.since : undefined;
    connection.send('ready', { at: clock.now().toISOString(), complete: since !== undefined });
    const leave = sessions.join({
      ...{ caller, devices, gathered: query.frames ? ['fleet.frames'] : [], locale: request.locale, connection, since },
      recheck: () => watch(request),
    });
    // The reader may have closed the connection during admission: then `close` was emitted already.
    if (isClosed(reply.raw)) leave();
    else reply.raw.on('close', leave);
    return null;
  });
}

function isClosed(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response ? response.stream.destroyed : response.destroyed;
}
