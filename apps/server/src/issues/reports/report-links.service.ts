import type { ResultOf, reportLinkEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { findLinked, type ReportLinkRecord, readLink, replaceLink } from './report-places.store.ts';

type Link = ResultOf<(typeof reportLinkEndpoints)['readSiteReportLink']>;
type LinkOf = { deviceId: number } | { siteId: number };

export type ReportLinksService = ReturnType<typeof reportLinksService>;

/** The links behind QR codes for reports: users of a site or device see them, and can replace them. */
export function reportLinksService(parts: { db: Kysely<Database>; mailer: Pick<Mailer, 'urlOf'>; box: SecretBox }) {
  const { db, mailer, box } = parts;
  const shown = (of: LinkOf, link: ReportLinkRecord | null): Link => {
    if (!link) throw notFound('deviceId' in of ? 'device' : 'site');
    return { url: mailer.urlOf(`/share/issue?s=${link.token}`), createdAt: link.createdAt };
  };
  return {
    read: async (of: LinkOf): Promise<Link> => shown(of, await readLink(db, box, of)),

    async renew(caller: Caller, of: LinkOf): Promise<Link> {
      return await db.transaction().execute(async (trx) => {
        const linked = await findLinked(trx, of);
        const link = await replaceLink(trx, box, of);
        const answer = shown(of, link);
        const [objectType, id] = 'deviceId' in of ? (['device', of.deviceId] as const) : (['site', of.siteId] as const);
        await logAction(trx, caller, {
          ...{ operation: 'edit', objectType, objectId: String(id), objectName: linked?.name ?? '' },
          ...{ customerId: linked?.customerId ?? null, siteId: linked?.siteId ?? null },
          after: { reportLink: 'renewed' },
        });
        return answer;
      });
    },
  };
}
