import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Cancel, Clock } from '../clock.ts';
import { listenTo } from '../database/connections/listen.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import { claimedWork } from '../work/claimed-work.ts';
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
import { CONNECTIONS, DeliveryError, type Transport } from './transport.ts';

/** Longer than sending a mail may take, so that no mail is sent twice at the same time. */
const LEASE_SECONDS = 120;
/** The maximum interval between checks of the outbox, in case the notification of a commit is lost. Milliseconds. */
const CHECK_INTERVAL_MS = 15_000;
/** The minimum interval between checks. Milliseconds. */
const REST_MS = 250;
/** How long mails are kept as a record. */
const RETENTION_DAYS = 90;

export interface DeliveryParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  /** null keeps the mails, and only removes expired links */
  transport: Transport | null;
}

/**
 * Sends the mails of the outbox, each at least once. It runs after the commit that added a mail, and at intervals for
 * failed ones. Mails whose secret link has expired lose their text.
 */
export function mailDelivery(parts: DeliveryParts): { stop(): Promise<void> } {
  const { db, pool, clock, log, transport } = parts;
  const ending = new AbortController();
  let wanted = false;
  let cancel: Cancel = () => undefined;

  const deliver = async (through: Transport, mail: ClaimedMail): Promise<void> => {
    let answer: string;
    try {
      answer = await through.send(mail);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const retry = retryAfter(mail.attempts, error);
      log.warn(
        { source: 'mail', mail: mail.id, attempts: mail.attempts, retry, reason: error.message },
        'a mail could not be sent',
      );
      await markFailed(db, mail, error.message.slice(0, 1_000), retry);
      return;
    }
    await markSent(db, mail, answer.slice(0, 1_000));
  };

  const sending =
    transport &&
    claimedWork({
      atOnce: CONNECTIONS,
      claim: (limit) => claimMails(db, limit, LEASE_SECONDS),
      work: (mail) =>
        deliver(transport, mail).catch((error: unknown) =>
          log.error({ err: error, mail: mail.id }, 'the result of sending a mail could not be stored'),
        ),
    });

  const round = async (): Promise<void> => {
    cancel();
    let next = CHECK_INTERVAL_MS;
    do {
      wanted = false;
      await clock.deleteOld('mailTexts', (now) => purgeSecrets(db, now));
      await clock.deleteOld('mails', (now) => forgetOldMails(db, RETENTION_DAYS, now));
      if (!sending) return;
      await sending.drain(ending.signal);
      next = (await nextMailInMs(db)) ?? CHECK_INTERVAL_MS;
    } while (wanted && !ending.signal.aborted);
    if (next < CHECK_INTERVAL_MS && !ending.signal.aborted) cancel = clock.after(Math.max(REST_MS, next), wake);
  };
  const job = clock.repeat(round, {
    ...{ job: 'mailDelivery', everyMs: CHECK_INTERVAL_MS, log },
    failed: 'the outbox could not be read; trying again shortly',
  });

  const wake = () => {
    wanted = true;
    sending?.wake();
    job.wake();
  };
  const notifications = transport ? listenTo(pool, 'outgoing_mails', { log, onNotification: wake }) : null;
  wake();
  return {
    async stop() {
      ending.abort();
      cancel();
      await notifications?.stop();
      await job.stop();
      transport?.close();
    },
  };
}
