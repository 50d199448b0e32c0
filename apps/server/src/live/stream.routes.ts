import { MAX_CHART_DEVICES, streamEndpoints } from '@chargehand/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { deviceIds } from '../platform/http/serve/device-ids.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { requireDevice } from '../platform/http/serve/visible-device.ts';
import type { Caller } from '../ports/caller.ts';
import { eventConnection } from './event-connection.ts';
import type { StreamSessions } from './stream-sessions.ts';

export function streamRoutes(
  app: FastifyInstance,
  parts: {
    db: Kysely<Database>;
    sessions: StreamSessions;
    /** who makes a request, asked again without counting as one */
    watch: (request: FastifyRequest) => Promise<Caller>;
  },
): void {
  const { db, sessions, watch } = parts;
  serve(app, streamEndpoints.stream, async ({ caller, query, request, reply }) => {
    const devices = new Set([
      ...(query.deviceId === undefined ? [] : [query.deviceId]),
      ...deviceIds(query.also, 'also'),
    ]);
    if (devices.size > MAX_CHART_DEVICES) {
      throw new Problem('fieldItems', { field: 'also', values: { min: 0, max: MAX_CHART_DEVICES - 1 } });
    }
    for (const id of devices) await requireDevice(db, caller, id);
    sessions.requireRoom(caller.sessionId);
    reply.hijack();
    const connection = eventConnection(reply.raw, reply.getHeaders());
    const leave = sessions.join({ caller, devices, locale: request.locale, connection, recheck: () => watch(request) });
    // Its reader may have left while it was being let in: then `close` is over already and would never be heard.
    if (reply.raw.destroyed) leave();
    else reply.raw.on('close', leave);
    connection.send('ready', { at: new Date().toISOString() });
    return null;
  });
}
