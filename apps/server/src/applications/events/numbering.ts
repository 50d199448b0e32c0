import type { OpenEventType } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { findWebhookReceivers, insertDeliveries } from '../webhooks/deliveries.store.ts';
import { forgetEvents, newEventTypes, numberEvents, openEventOf } from './events.store.ts';
import { type EventRights, eventRights, mayReceive } from './receivers.ts';

/** The interval of checks, in case a notification was lost. Milliseconds. */
const CHECK_MS = 5_000;
const FORGET_MS = 60_000;
const AT_ONCE = 500;

/**
 * Numbers new events, and adds a delivery for each webhook that receives them, in the same transaction: an event is
 * delivered if, and only if, it was numbered.
 */
export function eventNumbering(parts: { db: Kysely<Database>; pool: Pool; clock: Clock; log: Log }) {
  const { db, pool, clock, log } = parts;

  async function numberAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const types = await newEventTypes(db, AT_ONCE);
      if (types.length === 0) return;
      await numberSome(types);
    }
  }

  async function numberSome(types: readonly OpenEventType[]): Promise<void> {
    // Before the transaction, because rights are read with other connections. Each delivery checks them again. Only
    // those for the types of new events are read: all of them would take most of the CPU time.
    const now = clock.now();
    const receivers: { id: number; events: OpenEventType[]; rights: EventRights }[] = [];
    for (const { webhooks, ...application } of await findWebhookReceivers(db)) {
      const chosen = types.filter((type) => webhooks.some(({ events }) => events.includes(type)));
      const rights = chosen.length > 0 ? await eventRights(pool, application, now, chosen) : null;
      if (rights) receivers.push(...webhooks.map((webhook) => ({ ...webhook, rights })));
    }
    await db.transaction().execute(async (trx) => {
      const events = await numberEvents(trx, types, AT_ONCE);
      await insertDeliveries(
        trx,
        events.flatMap((event) => {
          const content = JSON.stringify({ type: event.type, timestamp: event.at, data: openEventOf(event) });
          const place = { customerId: event.customerId, siteId: event.siteId };
          return receivers
            .filter(({ events: chosen, rights }) => chosen.includes(event.type) && mayReceive(rights, event))
            .map(({ id }) => ({ webhookId: id, content, type: event.type, ...place }));
        }),
        now,
      );
    });
  }

  const numbering = clock.repeat(numberAll, {
    ...{
      job: 'eventNumbering',
      everyMs: CHECK_MS,
      log,
      failed: 'events for applications could not be numbered; trying again',
    },
  });
  const forgetting = clock.repeat(() => clock.deleteOld('applicationEvents', (now) => forgetEvents(db, now)), {
    ...{ job: 'eventCleanup', everyMs: FORGET_MS, log, failed: 'old events for applications could not be removed' },
  });
  let listening: ReturnType<typeof listenTo> | undefined;
  return {
    start() {
      numbering.startLater();
      forgetting.startLater();
      listening = listenTo(pool, 'open_events', { log, onNotification: () => numbering.wake() });
    },
    async stop() {
      await listening?.stop();
      await Promise.all([numbering.stop(), forgetting.stop()]);
    },
  };
}
