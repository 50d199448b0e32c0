import {
  type BodyOf,
  type Locale,
  type MatchingRows,
  type MessageCounts,
  type MessageRow,
  type messageEndpoints,
  messageTitle,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import type { MessageSubject } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listOrder, MATCHING_ROWS_READ, matchingRows, pageOf } from '../../platform/http/serve/list-queries.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { shownAs } from '../incidents/about.ts';
import { type Current, currentOf } from '../incidents/current.ts';
import { othersOf, shownCause, sinceOfIncident } from '../incidents/message-texts.ts';
import { findNames, type Names, subjectOf } from '../incidents/names.store.ts';
import {
  countMessages,
  listMessages,
  type MessageRecord,
  markMessages,
  nameSeenDevices,
  selectMessages,
} from './inbox.store.ts';

type Endpoints = typeof messageEndpoints;
export type InboxService = ReturnType<typeof inboxService>;

/** The messages of the caller. Nobody reads or marks those of others. */
export function inboxService(parts: { db: Kysely<Database>; events: Events }) {
  const { db } = parts;
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listInbox']>): Promise<ResultOf<Endpoints['listInbox']>> {
      const { sort, page, pageSize, ...filters } = query;
      const { descending } = listOrder(sort, '-updatedAt');
      const shown = pageOf({ page, pageSize });
      const urgency = { newestFirst: descending, urgentFirst: sort === undefined };
      const { items, total } = await listMessages(caller.scope, db, caller.userId, filters, urgency, shown);
      const stored = items.map(({ incidentId, ...message }) => ({ ...message, id: incidentId, messageId: message.id }));
      const messages = (await currentOf(db, stored)).map((message) => shownAs(message, message.notified ?? undefined));
      const named = messages.flatMap(({ devices }) => devices.slice(0, NAMED_DEVICES));
      const [names, devices] = await Promise.all([
        findNames(
          db,
          messages.map((message) => ({ ...message, ...NO_PLACE })),
        ),
        nameSeenDevices(caller.scope, db, named),
      ]);
      return { items: messages.map((message) => rowOf(message, names, devices)), total };
    },

    /** All matching messages, for a selection. @throws {Problem} selectionTooLarge */
    async select(caller: Caller, locale: Locale, query: QueryOf<Endpoints['selectInbox']>): Promise<MatchingRows> {
      const found = await selectMessages(caller.scope, db, caller.userId, query, MATCHING_ROWS_READ);
      const nameOf = ({ siteName, type, data, nameEn, nameZh }: (typeof found)[number]) =>
        [messageTitle({ type, data, names: { nameEn, nameZh } }, locale), siteName]
          .filter((part) => part !== null)
          .join(' · ');
      return matchingRows(found.map((message) => ({ id: message.id, name: nameOf(message) })));
    },

    count: (caller: Caller): Promise<MessageCounts> => countMessages(caller.scope, db, caller.userId),

    async mark(
      caller: Caller,
      { ids, read, processed, until }: BodyOf<Endpoints['markInbox']>,
    ): Promise<ResultOf<Endpoints['markInbox']>> {
      const { userId } = caller;
      await inTransaction(parts, async (trx, committed) => {
        await markMessages(trx, userId, ids, { read, processed }, until);
        committed.publish('message.changed', { id: userId, payload: null }, { userId });
      });
      return await countMessages(caller.scope, db, userId);
    },
  };
}

/** The number of devices that a row names. */
const NAMED_DEVICES = 20;
/** The names of places are in the row. */
const NO_PLACE = { customerId: null, siteId: null, devices: [], types: {} };

type Shown = Current<Omit<MessageRecord, 'incidentId'> & { messageId: number }>;

function rowOf(message: Shown, names: Names, seen: readonly { id: number; name: string }[]): WithDates<MessageRow> {
  const { messageId, type, level, subjectKind, subjectId, data, causes, devices } = message;
  const subject = { subjectKind, subjectId, data };
  const { meaningEn = null, meaningZh = null, stepsEn = null, stepsZh = null } = names.explanationOf(subject) ?? {};
  const { nameEn = null, nameZh = null } = names.alarmOf(subject) ?? {};
  const connector = shownCause({ ...subject, causes })?.connector ?? null;
  const named = new Set(devices.slice(0, NAMED_DEVICES));
  return {
    ...{ id: messageId, type, level, data, nameEn, nameZh, ...names.endOf(subject) },
    ...{ meaningEn, meaningZh, stepsEn, stepsZh },
    ...{ customerName: message.customerName, siteId: message.siteId, siteName: message.siteName },
    ...{ events: message.events, open: message.open, alarmIds: message.alarmIds },
    acknowledgedBy: message.acknowledgedBy,
    deviceCount: devices.length,
    devices: seen.filter(({ id }) => named.has(id)),
    connector: devices.length > 1 || connector === 0 ? null : connector,
    others: othersOf({ ...subject, causes }).map((cause) => ({
      ...{ type: cause.type, level: cause.level, code: cause.code, open: cause.open, heldBack: cause.held },
      ...{ nameEn: null, nameZh: null, ...names.alarmOf(subjectOf(cause)) },
      since: new Date(cause.since),
    })),
    subject: { kind: subjectKind as MessageSubject, id: subjectId },
    since: new Date(sinceOfIncident({ ...subject, causes, openedAt: message.openedAt.getTime() })),
    openedAt: message.openedAt,
    lastAt: message.lastAt,
    recoveredAt: message.recoveredAt,
    updatedAt: message.updatedAt,
    readAt: message.readAt,
    processedAt: message.processedAt,
    escalatedAt: message.escalatedAt,
  };
}
