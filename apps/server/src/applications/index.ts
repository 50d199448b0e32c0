import { OPEN_OPERATIONS } from '@chargehand/contract';
import { boundUserRights } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { secretBox } from '../platform/secret-box.ts';
import type { Pictures } from '../ports/pictures.ts';
import { applicationsRoutes } from './applications.routes.ts';
import { applicationsService } from './applications.service.ts';
import { openRoutes } from './open/open.routes.ts';
import { calling } from './requests/calling.ts';
import { applicationUsage } from './requests/usage.ts';
import './tables.ts';

export interface ApplicationsParts {
  database: DatabaseConnection;
  clock: Clock;
  log: Log;
  pictures: Pictures;
  /** encrypts secrets: 32 bytes in base64 */
  key: string;
  version: string;
}

/** Applications: other software that acts with the permissions of a user, and the open API that it calls. */
export function applicationsRoom({ database, clock, log, pictures, key, version }: ApplicationsParts): Room {
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
  return {
    name: 'applications',
    async routes(app) {
      applicationsRoutes(app, applications);
      await openRoutes(app, { db, calls: calling({ db, pool, clock, box }), usage, version });
    },
    start: usage.start,
    stop: usage.stop,
  };
}
