import { type AnswerOf, BELL_SOURCES, type Bell, type BellSource, type bellEndpoints } from '@chargehand/contract';
import { permits } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Events } from '../ports/events.ts';
import { findOpening, storeOpening } from './bell.store.ts';

/** What the bell counts of one source. The module that owns the rows provides it. */
export interface CountedSource {
  /** users with one of these keys may read it */
  keys: readonly string[];
  /** The number of rows that are new for a user. `since` is when they last opened the bell, or a week ago. */
  count(caller: Caller, since: Date): Promise<number>;
}
export type CountedSources = Readonly<Record<BellSource, CountedSource>>;

/** Older rows are not new, even for users who never open the bell. Milliseconds. */
const LONGEST_MS = 7 * 86_400_000;

export type BellService = ReturnType<typeof bellService>;

/** Counts what is new for users since they last opened the bell. */
export function bellService(parts: { db: Kysely<Database>; events: Events; sources: CountedSources }) {
  const { db, events, sources } = parts;

  const countOf = async (caller: Caller, source: BellSource, openedAt: Date | null): Promise<number | null> => {
    const { keys, count } = sources[source];
    if (!permits(caller, keys)) return null;
    const weekAgo = Date.now() - LONGEST_MS;
    return await count(caller, new Date(Math.max(weekAgo, openedAt?.getTime() ?? 0)));
  };

  return {
    async read(caller: Caller): Promise<Bell> {
      const openedAt = await findOpening(db, caller.userId);
      const counts = await Promise.all(
        BELL_SOURCES.map(async (source) => [source, await countOf(caller, source, openedAt)] as const),
      );
      return {
        counts: Object.fromEntries(counts) as Bell['counts'],
        openedAt: openedAt?.toISOString() ?? null,
      };
    },

    /** The count of one source, for events. */
    async count(caller: Caller, source: BellSource): Promise<number | null> {
      return await countOf(caller, source, await findOpening(db, caller.userId));
    },

    async open(caller: Caller): Promise<AnswerOf<(typeof bellEndpoints)['openBell']>> {
      const openedAt = await storeOpening(db, caller.userId);
      // Other browsers of the user count from the same time.
      events.publish('user.bell', { id: caller.userId }, { userId: caller.userId });
      return { openedAt: openedAt.toISOString() };
    },
  };
}
