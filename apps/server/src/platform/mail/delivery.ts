import type { Kysely } from 'kysely';
import type pg from 'pg';
import { listenTo } from '../database/connections/listen.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import { retryAfter } from './back-off.ts';
import {
  type ClaimedMail,
  claimMails,
  forgetOldMails,
  markFailed,
  markSent,
  nextMailInMs,
  purgeSecrets,
} from './outbox.store.ts';
import { DeliveryError, type Transport } from './transport.ts';

/** Mails handed over side by side. */
const AT_ONCE = 4;
/** Longer than a mail may take to be handed over, so that none is sent by two nodes at the same moment. */
const LEASE_SECONDS = 120;
/** The outbox is looked at this often at least, should a commit not be heard of. Milliseconds. */
const LOOK_EVERY_MS = 15_000;
/** And this seldom at most, whatever is due. Milliseconds. */
const REST_MS = 250;
/** The outbox is a record of what was said to whom for so long. */
const KEPT_DAYS = 90;

export interface DeliveryParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  log: Log;
  /** null keeps the mails: then only what has expired is taken out */
  transport: Transport | null;
}

/**
 * Sends what the outbox holds, at least once each: woken by the commit that wrote a mail, and by the clock for those that
 * failed. Any number of nodes may do it side by side. Mails whose secret link has ended lose their text.
 */
export function mailDelivery(parts: DeliveryParts): { stop(): Promise<void> } {
  const { db, pool, log, transport } = parts;
  let running: Promise<void> | null = null;
  let wanted = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<number> => {
    await purgeSecrets(db);
    await forgetOldMails(db, KEPT_DAYS);
    if (!transport) return LOOK_EVERY_MS;
    for (;;) {
      const mails = stopped ? [] : await claimMails(db, AT_ONCE, LEASE_SECONDS);
      if (mails.length === 0) {
        return Math.max(REST_MS, Math.min(LOOK_EVERY_MS, (await nextMailInMs(db)) ?? LOOK_EVERY_MS));
      }
      await Promise.all(mails.map((mail) => deliver(transport, mail)));
    }
  };

  const deliver = async (through: Transport, mail: ClaimedMail): Promise<void> => {
    try {
      await through.send(mail);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const retry = retryAfter(mail.attempts, error);
      log.warn({ mail: mail.id, attempts: mail.attempts, retry, reason: error.message }, 'a mail could not be sent');
      await markFailed(db, mail, error.message.slice(0, 1_000), retry);
      return;
    }
    await markSent(db, mail);
  };

  const wake = () => {
    if (stopped) return;
    wanted = true;
    running ??= work();
  };
  const work = async () => {
    clearTimeout(timer);
    let sleep = LOOK_EVERY_MS;
    while (wanted && !stopped) {
      wanted = false;
      try {
        sleep = await round();
      } catch (error) {
        log.warn({ err: error }, 'the outbox could not be looked at; trying again shortly');
      }
    }
    running = null;
    if (!stopped) timer = setTimeout(wake, sleep);
  };
  const news = transport ? listenTo(pool, 'outgoing_mails', { log, onNews: wake }) : null;
  wake();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await news?.stop();
      await running;
    },
  };
}
