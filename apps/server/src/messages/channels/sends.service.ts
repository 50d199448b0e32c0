import type { channelEndpoints, QueryOf, ResultOf, SendRow, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { listSends, lockSend, restartSend, type SendRecord } from './sends.store.ts';

type Endpoints = typeof channelEndpoints;
export type SendsService = ReturnType<typeof sendsService>;

/** The send log. */
export function sendsService(parts: { db: Kysely<Database>; clock: Clock; mailer: Mailer }) {
  const { db, clock, mailer } = parts;
  return {
    async list({ scope }: Caller, query: QueryOf<Endpoints['listSends']>): Promise<ResultOf<Endpoints['listSends']>> {
      const { before, channel, type, sendState: state, limit } = query;
      const search = searchOf(query.search);
      const filters = {
        ...(before === undefined ? {} : { before }),
        ...(channel === undefined ? {} : { channel }),
        ...(type === undefined ? {} : { type }),
        ...(state === undefined ? {} : { state }),
        ...(search === undefined ? {} : { search }),
      };
      const found = await listSends(scope, db, filters, limit + 1);
      const items = found.slice(0, limit);
      return { items: items.map(rowOf), next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
    },

    /** @throws {Problem} sendUnreachable when the receiver does not exist any more */
    async again(caller: Caller, id: number): Promise<null> {
      await db.transaction().execute(async (trx) => {
        const send = await lockSend(trx, id);
        if (!send) throw notFound('messageSend');
        const { channel, receiver, mailId, customerId } = send;
        if (!send.reachable) throw new Problem('sendUnreachable');
        if (mailId === null) await restartSend(trx, id, clock.now());
        else if (!(await mailer.sendAgain(trx, mailId))) throw new Problem('sendUnreachable');
        await logAction(trx, caller, {
          operation: 'control',
          objectType: 'messageSend',
          objectId: String(id),
          objectName: `${channel}: ${receiver}`,
          customerId,
          siteId: null,
          after: { sent: 'again' },
        });
      });
      return null;
    },
  };
}

function rowOf({
  log,
  mailId: _,
  mailError,
  mailAnswer,
  createdAt,
  sentAt,
  nextAttemptAt,
  ...send
}: SendRecord): WithDates<SendRow> {
  const answer = mailError ?? mailAnswer;
  const status = answer === null ? null : replyCodeOf(answer);
  const attempts = answer === null ? log : [{ at: sentAt ?? createdAt, status, answer }];
  return {
    ...{ ...send, attempts },
    createdAt,
    sentAt,
    nextAttemptAt,
  };
}

/** The SMTP reply code at the start of an answer, as in `250 2.0.0 OK`; null without one. */
function replyCodeOf(answer: string): number | null {
  const [, code] = /^(\d{3})[ -]/.exec(answer) ?? [];
  return code === undefined ? null : Number(code);
}
