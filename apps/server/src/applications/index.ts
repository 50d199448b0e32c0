import { OPEN_OPERATIONS } from '@chargehand/contract';
import { boundUserRights } from '../access/index.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { secretBox } from '../platform/secret-box.ts';
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

/**
 * Applications: other software that acts with the permissions of a user, the open API that it calls, and the events that
 * it receives by streams and webhooks.
 */
export const applications = declareRoom({
  name: 'applications',
  needs: ['db', 'pool', 'clock', 'log', 'pictures', 'secret', 'version', 'outbound', 'access'],
  async open({ db, pool, clock, log, pictures, secret, version, outbound, access }) {
    const box = secretBox(await secret('application-key'));
    const usage = applicationUsage({ db, clock, log });
    const service = applicationsService({
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
    return {
      async routes(app) {
        applicationsRoutes(app, service, applicationExplanations({ db, pool, clock, explain: access.explain }));
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
    };
  },
});

/** Numbers the events of applications and delivers them to webhooks. */
export const applicationEvents = declareRoom({
  name: 'events of applications',
  needs: ['db', 'pool', 'clock', 'log', 'secret', 'outbound'],
  async open({ secret, outbound, ...parts }) {
    const box = secretBox(await secret('application-key'));
    const numbering = eventNumbering(parts);
    const delivering = webhookDelivering({ ...parts, outbound, box });
    return {
      role: 'jobs',
      start() {
        numbering.start();
        delivering.start();
      },
      async stop() {
        await numbering.stop();
        await delivering.stop();
      },
    };
  },
});
