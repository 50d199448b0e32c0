import type { linkEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { dayStamp } from '../../platform/http/serve/attachment.ts';
import { findLink } from '../links.store.ts';
import { deviceOf, record } from '../requests/link-row.ts';
import { listActivity } from './activity.store.ts';
import { activityFile } from './activity-file.ts';

type Endpoints = typeof linkEndpoints;
export type ActivityService = ReturnType<typeof activityService>;

/** Activities in one part of a list. */
const ACTIVITIES = 100;

/** What happened in links: commands, transfers and requests to web pages. */
export function activityService(db: Kysely<Database>) {
  return {
    async list(
      linkId: number,
      { before, kind, search }: QueryOf<Endpoints['listLinkActivity']>,
    ): Promise<ResultOf<Endpoints['listLinkActivity']>> {
      const records = await listActivity(db, linkId, { before, kind, search }, ACTIVITIES);
      return {
        items: records,
        next: records.length === ACTIVITIES ? (records.at(-1)?.number ?? null) : null,
      };
    },

    /** All activity of a link that the filters leave, oldest first, as a file. */
    async file(
      caller: Caller,
      linkId: number,
      { format, kind, search }: QueryOf<Endpoints['exportLinkActivity']>,
    ): Promise<{ name: string; type: string; parts: AsyncIterable<string> }> {
      const link = await findLink(db, linkId);
      if (!link) throw notFound('link');
      await db.transaction().execute(async (trx) => {
        await record(trx, caller, deviceOf(link), { link: link.kind, recording: 'activity' });
      });
      const name = `${link.deviceSn} ${dayStamp(link.requestedAt)} activity.${format}`;
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
      return { name, type, parts: activityFile(db, linkId, format, { kind, search }) };
    },
  };
}
