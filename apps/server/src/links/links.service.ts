import type { LinkRow, linkEndpoints, QueryOf, ResultOf, WithDates } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import { notFound } from '../platform/http/problem.ts';
import { findLink, type LinkRecord, listLinks } from './links.store.ts';
import { rowOf } from './requests/link-row.ts';

type Endpoints = typeof linkEndpoints;
export type LinksService = ReturnType<typeof linksService>;

/** The rights of a user who may request links now; null when they may not. */
export type LinkRights = (
  userId: number,
) => Promise<Pick<Caller, 'root' | 'readOnly' | 'remoteAccess' | 'scope' | 'levels'> | null>;

/** Links in one part of a list. */
const LINKS = 50;

/** Links to devices, as their users see them. */
export function linksService(parts: {
  db: Kysely<Database>;
  /** of an open link until now */
  traffic(linkId: number): { bytesIn: number; bytesOut: number } | null;
}) {
  const { db } = parts;

  /** A link with its traffic until now. */
  const rowNow = (caller: Caller, link: LinkRecord) => rowOf(caller, { ...link, ...parts.traffic(link.id) });

  return {
    rowNow,

    async read(caller: Caller, id: number): Promise<WithDates<LinkRow>> {
      const link = await findLink(db, id);
      if (!link) throw notFound('link');
      return rowNow(caller, link);
    },

    async list(caller: Caller, query: QueryOf<Endpoints['listLinks']>): Promise<ResultOf<Endpoints['listLinks']>> {
      const { ended = false, deviceId, siteId, issueId, before, kind, user, from, to, recorded } = query;
      const filters = { ended, deviceId, siteId, issueId, before, kind, user, from, to, recorded };
      const links = await listLinks(caller.scope, db, filters, LINKS);
      return {
        items: links.map((link) => rowNow(caller, link)),
        next: links.length === LINKS ? (links.at(-1)?.id ?? null) : null,
      };
    },
  };
}
