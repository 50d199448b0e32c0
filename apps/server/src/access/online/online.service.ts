import type { BodyOf, Locale, onlineEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { announceAccount } from '../account/account-notices.ts';
import type { SessionsService } from '../sign-in/sessions.service.ts';
import { kickOf } from '../sign-in/sessions.store.ts';
import { editableUser, logUser } from '../users/user-rules.ts';
import { findHolder, listOnline, listOnlineAfter, type OnlineFilters } from './online.store.ts';
import { onlineSheet } from './online-export.ts';

type Endpoints = typeof onlineEndpoints;
export type OnlineService = ReturnType<typeof onlineService>;

/** The open sessions of the users in the caller's scope. */
export function onlineService({ db, sessions }: { db: Kysely<Database>; sessions: SessionsService }) {
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listOnline']>): Promise<ResultOf<Endpoints['listOnline']>> {
      const order = listOrder(query.sort, '-since');
      return await listOnline(caller.scope, db, filtersOf(query), order, pageOf(query));
    },

    /** The whole filtered list. */
    workbook(caller: Caller, locale: Locale, query: QueryOf<Endpoints['exportOnline']>): Workbook {
      const order = listOrder(query.sort, '-since');
      return onlineSheet(locale, (after, limit) =>
        listOnlineAfter(caller.scope, db, filtersOf(query), order, after, limit),
      );
    },

    /**
     * Ends a session and notifies its user. A session that has just ended is no error.
     * @throws {Problem} notFound, ownAccount, noPermission, userExceeds
     */
    async kick(
      caller: Caller,
      id: number,
      { cause, note }: BodyOf<Endpoints['kickSession']>,
    ): Promise<{ ended: number }> {
      const why = kickOf(cause, note);
      const ended = await db.transaction().execute(async (trx) => {
        const userId = await findHolder(caller.scope, trx, id);
        if (userId === null) throw notFound('session');
        if (userId === caller.userId) throw new Problem('ownAccount', { field: 'id' });
        const user = await editableUser(trx, caller, userId);
        const done = await sessions.endAll(trx, userId, { reason: 'replaced', ...why }, { only: id });
        if (done.count > 0) {
          await logUser(trx, caller, 'edit', user, undefined, { signedOut: done.count, ...why });
          await announceAccount(trx, userId, 'signedOut');
        }
        return done;
      });
      ended.announce();
      return { ended: ended.count };
    },
  };
}

function filtersOf(query: { search?: string; customerId?: number }): OnlineFilters {
  return { search: searchOf(query.search), customerId: query.customerId };
}
