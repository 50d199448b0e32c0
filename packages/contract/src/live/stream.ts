import { Type } from 'typebox';
import { MAX_CHART_DEVICES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { CommaList, Exact, Id } from '../schemas.ts';

/** An event named `events` carries an `EventsMessage`: the changes collected over a short time. */

/** An event named `ready`: events are sent from now on. */
export interface ReadyMessage {
  /** server time, ISO-8601 in UTC */
  at: string;
  /** the stream continues after `since`. False: the console fetches again what it fetched before */
  complete: boolean;
}

/** The ID of a message is the position up to which all events were sent: `since` of a stream that continues there. */

/**
 * An event named `alive` has no data and is sent every `STREAM_HEARTBEAT_MS`. A stream without events for longer is broken.
 */

/**
 * An event named `resync` has no data: events for a slow reader were dropped, so the reader fetches everything again.
 */

/** An event named `session`: the session ended with this code (20001-20004). The stream closes after it. */
export interface SessionMessage {
  code: number;
  message: string;
}

export const streamEndpoints = {
  stream: endpoint({
    id: 'stream.read',
    method: 'GET',
    path: '/api/auth/sys/stream',
    policy: {
      route: 'common',
      row: { object: 'device', from: ['query.deviceId', 'query.also'], most: MAX_CHART_DEVICES, optional: true },
    },
    effect: 'read',
    summary:
      'Subscribe to live changes as server-sent events: `ready`, then `events`, `resync`, `session` and `identity`; `alive` every 15 s shows that the connection is open',
    nameZh: '订阅实时变更',
    query: Exact({
      deviceId: Type.Optional(Id),
      /** further devices whose topics are all sent, such as `1,2` */
      also: Type.Optional(CommaList),
      /** also `fleet.frames` */
      frames: Type.Optional(Type.Boolean()),
      /** the position from which the stream continues, from the ID of a message or from `info` */
      since: Type.Optional(Type.String({ maxLength: 600 })),
    }),
    answer: null,
  }),
};
