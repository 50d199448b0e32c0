import { OPEN_OPERATIONS } from '@chargehand/contract';
import { type AccessRoom, boundUserRights } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Outbound } from '../platform/http/outbound/outbound.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { secretBox } from '../platform/secret-box.ts';
import type { Pictures } from '../ports/pictures.ts';
import { applicationsRoutes } from './applications.routes.ts';
import { applicationsService } from './applications.service.ts';
import { eventStreams } from './events/event-streams.ts';
import { eventNumbering } from './events/numbering.ts';
import { applicationExplanations } from './explanations.service.ts';
import { openRoutes } from './open/open.routes.ts';
import { calling } from './requests/calling.ts';
import { applicationUsage } from './requests/usage.ts';
import { webhookDelivering } from './webhooks/delivering.ts';
import { webhooksRoutes } from './webhooks/webhooks.routes.ts';
import { applicationWebhooks } from './webhooks/webhooks.service.ts';
import './tables.ts';

export { dropDeliveries } from './webhooks/deliveries.store.ts';

export interface ApplicationsParts {
  database: DatabaseConnection;
  clock: Clock;
  log: Log;
  pictures: Pictures;
  /** encrypts secrets: 32 bytes in base64 */
  key: string;
  version: string;
  /** requests to webhooks */
  outbound: Outbound;
  explain: AccessRoom['explain'];
}

/**
 * Applications: other software that acts with the permissions of a user, the open API that it calls, and the events that
 * it receives by streams and webhooks.
 */
export function applicationRooms({
  database,
  clock,
  log,
  pictures,
  key,
  version,
  outbound,
  explain,
}: ApplicationsParts): readonly Room[] {
  const { db, pool } = database;
  const box = secretBox(key);
  const usage = applicationUsage({ db, clock, log });
  const applications = applicationsService({
    ...{ db, clock, box, pictures },
    async unreachable(userId, operations) {
      const results = await Promise.all(
        operations.map(async (id) => {
          const operation = OPEN_OPERATIONS[id];
          const rights = operation ? await boundUserRights(pool, userId, operation.like) : 'unusable';
          return typeof rights === 'string' ? id : null;
        }),
      );
      return results.filter((id) => id !== null);
    },
  });
  const streams = eventStreams({ db, pool, clock, log });
  const numbering = eventNumbering({ db, pool, clock, log });
  const delivering = webhookDelivering({ db, pool, clock, log, outbound, box });
  return [
    {
      name: 'applications',
      async routes(app) {
        applicationsRoutes(app, applications, applicationExplanations({ db, pool, clock, explain }));
        webhooksRoutes(app, applicationWebhooks({ db, pool, clock, outbound, box }));
        // The port waits for open connections when it closes.
        app.addHook('preClose', streams.stop);
        const calls = calling({ db, pool, clock, box, onRefused: usage.countRefused });
        await openRoutes(app, { db, calls, usage, version, streams });
      },
      start: usage.start,
      async stop() {
        await streams.stop();
        await usage.stop();
      },
    },
    {
      name: 'events of applications',
      role: 'jobs',
      start() {
        numbering.start();
        delivering.start();
      },
      async stop() {
        await numbering.stop();
        await delivering.stop();
      },
    },
  ];
}
