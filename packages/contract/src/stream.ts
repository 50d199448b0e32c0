import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { CommaList, Exact, Id } from './schemas.ts';

/** What of a device changed; each topic names the queries that a console fetches again. */
export const CHANGE_TOPICS = [
  'state',
  'readings',
  'alarms',
  'events',
  'frames',
  'executions',
  'parameters',
  'transfers',
  'details',
] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** Topics told to everybody who may see the device; the rest only to who asked for that device. */
export const FLEET_TOPICS: readonly ChangeTopic[] = ['state', 'alarms', 'events', 'executions', 'details', 'transfers'];

/** An event named `change`: the devices that changed, gathered over a moment. */
export interface ChangeMessage {
  changes: { deviceId: number; topics: ChangeTopic[] }[];
}

/** An event named `ready`: changes from now on are told; what is shown was fetched before and is fetched again. */
export interface ReadyMessage {
  /** the server's time, ISO-8601 in UTC */
  at: string;
}

/** An event named `alive` has no data: it comes every `STREAM_BEAT_MS`. A line that is silent for longer is dead. */

/** An event named `sessions` has no data: somebody the listener may see, or they themselves, signed in or out. */

/** An event named `resync` has no data: changes were lost on the way to a slow reader, so all that is shown is fetched again. */

/** An event named `session`: the session ended with this code (20001-20004); the stream closes after it. */
export interface SessionMessage {
  code: number;
  message: string;
}

export const streamEndpoints = {
  stream: endpoint({
    id: 'stream.read',
    method: 'GET',
    path: '/api/auth/sys/stream',
    access: 'common',
    effect: 'read',
    summary:
      'Server-sent events: `ready`, then `change`, `sessions`, `resync` and `session`; `alive` every 15 s shows that the line is there',
    query: Exact({
      deviceId: Type.Optional(Id),
      /** further devices of which every topic is told, as `1,2` */
      also: Type.Optional(CommaList),
    }),
    answer: null,
  }),
};
