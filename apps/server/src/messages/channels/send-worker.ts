import { retrySend, type SendAnswer } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import { claimedWork } from '../../platform/work/claimed-work.ts';
import { forgetSignedOut } from './push/push-browsers.ts';
import {
  type ClaimedSend,
  claimSends,
  endAttempt,
  forgetSends,
  nextSendAt,
  restReceiver,
  type SendContent,
  storeContent,
} from './sends.store.ts';

/** The receivers of a channel to which the server sends at the same time. */
const AT_ONCE = 16;
/** Longer than an attempt may take, so that no message is sent twice at the same time. */
const LEASE_SECONDS = 60;
/** The interval of checks, in case a notification was lost. Milliseconds. */
const CHECK_MS = 15_000;
/** The pause before the next claim, as messages can be due that another node is about to send. Milliseconds. */
const REST_MS = 250;
const RETENTION_DAYS = 90;

/** A channel whose messages are sent from the send log. */
export interface SendChannel {
  channel: 'webhook' | 'push';
  /**
   * Finds the receiver with the rights and settings of now, and the content of a first attempt. Null: it may not or does
   * not want to receive the message any more.
   */
  prepare(
    send: ClaimedSend,
  ): Promise<{ content: SendContent; deliver(content: SendContent): Promise<SendAnswer> } | null>;
  /** The receiver does not exist any more. */
  onGone(send: ClaimedSend): Promise<void>;
}

export interface SendWorkerParts {
  db: Kysely<Database>;
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  channels: readonly SendChannel[];
}

/**
 * Sends the messages of the send log, each at least once and always with the same ID. After a killed process, the lease
 * expires and another attempt follows.
 */
export function sendWorker(parts: SendWorkerParts): { start(): void; stop(): Promise<void> } {
  const jobs = parts.channels.map((channel) => channelJob(parts, channel));
  let listening: ReturnType<typeof listenTo> | undefined;
  return {
    start() {
      for (const { job } of jobs) job.startLater();
      listening = listenTo(parts.pool, 'message_sends', {
        log: parts.log,
        onNotification() {
          for (const { wake } of jobs) wake();
        },
      });
    },
    async stop() {
      await listening?.stop();
      await Promise.all(jobs.map(({ stop }) => stop()));
    },
  };
}

function channelJob({ db, clock, log }: SendWorkerParts, { channel, prepare, onGone }: SendChannel) {
  let cancel = () => undefined as unknown;

  /** Builds and sends a message. Null: the receiver must not get it any more. */
  async function deliver(send: ClaimedSend): Promise<SendAnswer | null> {
    const prepared = await prepare(send);
    if (!prepared) return null;
    if (!send.content) await storeContent(db, send.id, prepared.content);
    return await prepared.deliver(prepared.content);
  }

  async function attempt(send: ClaimedSend): Promise<void> {
    const end = (result: Omit<Parameters<typeof endAttempt>[2], 'at'>) =>
      endAttempt(db, send, { at: clock.now(), ...result });
    const answer = await deliver(send).catch((error: unknown): SendAnswer => {
      // The send log shows it, and the next attempts wait longer and longer, as after a refusal.
      log.error({ err: error, channel, send: send.id }, 'a message could not be built');
      return { status: null, text: error instanceof Error ? error.message : String(error), accepted: false };
    });
    if (!answer) {
      await end({ state: 'dropped', retryAt: null, status: null, answer: '' });
      return;
    }
    const { status, text } = answer;
    if (answer.accepted) {
      await end({ state: 'sent', retryAt: null, status, answer: text });
      return;
    }
    const seconds = retrySend(send.tries, answer);
    const retryAt = seconds === null ? null : new Date(clock.now().getTime() + seconds * 1_000);
    log.warn(
      { source: 'webhook', channel, send: send.id, attempt: send.attempts, status, reason: text, retryAt },
      'a message was not sent',
    );
    await end({ state: retryAt === null ? 'failed' : 'waiting', retryAt, status, answer: text });
    if (answer.gone) await onGone(send);
    else if (retryAt !== null) await restReceiver(db, send, retryAt);
  }

  const sending = claimedWork({
    atOnce: AT_ONCE,
    claim: (limit) => claimSends(db, channel, clock.now(), limit, LEASE_SECONDS),
    work: (send) =>
      attempt(send).catch((error: unknown) =>
        log.error({ err: error, channel, send: send.id }, 'a message could not be sent'),
      ),
  });

  const job = clock.repeat(
    async (signal) => {
      await sending.drain(signal);
      if (channel === 'webhook') await clock.deleteOld('messageSends', (now) => forgetSends(db, RETENTION_DAYS, now));
      else await forgetSignedOut(db);
      cancel();
      const next = await nextSendAt(db, channel, clock.now());
      const wait = next === null ? CHECK_MS : next.getTime() - clock.now().getTime();
      if (wait < CHECK_MS) cancel = clock.after(Math.max(REST_MS, wait), job.wake);
    },
    {
      job: 'messageDelivery',
      everyMs: CHECK_MS,
      log,
      failed: 'messages could not be sent; trying again',
      again: 'messages are sent again',
    },
  );
  return {
    job,
    wake() {
      sending.wake();
      job.wake();
    },
    async stop() {
      cancel();
      await job.stop();
    },
  };
}
