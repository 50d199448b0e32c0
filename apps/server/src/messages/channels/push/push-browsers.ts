import type { BodyOf, channelEndpoints, ResultOf } from '@chargehand/contract';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { isAllowedUrl, type Outbound } from '../../../platform/http/outbound/outbound.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { PushKeys, PushReceiver } from './push-driver.ts';

type Endpoints = typeof channelEndpoints;
export type PushBrowsers = ReturnType<typeof pushBrowsers>;

/** The latest ones of a user are kept. */
const MOST_BROWSERS = 20;

interface BrowserRecord {
  id: number;
  userAgent: string;
  createdAt: Date;
  usedAt: Date | null;
}

/** The session of a browser (`p`) was ended by its user, another sign-in or an administrator. It did not only expire. */
export const PUSH_ENDED = sql<SqlBool>`exists (
  select from sessions s where s.id = p.session_id and s.ended_at is not null and s.end_reason <> 'networkTimeout')`;

/** Forgets the browsers that were signed out. */
export async function forgetSignedOut(db: Kysely<Database>): Promise<void> {
  await sql`delete from push_subscriptions p where ${PUSH_ENDED}`.execute(db);
}

const COLUMNS = sql`id, user_agent as "userAgent", created_at as "createdAt", used_at as "usedAt"`;

/** The browsers that users registered for pushes. */
export function pushBrowsers(parts: { db: Kysely<Database>; box: SecretBox; outbound: Outbound; keys: PushKeys }) {
  const { db, box, outbound, keys } = parts;
  return {
    key: async () => ({ publicKey: keys.publicKey }),

    async list({ userId }: Caller): Promise<ResultOf<Endpoints['listPushBrowsers']>> {
      const { rows } = await sql<BrowserRecord>`
        select ${COLUMNS} from push_subscriptions p where user_id = ${userId} and not ${PUSH_ENDED}
         order by id desc`.execute(db);
      return { items: rows };
    },

    async add(
      { userId, sessionId }: Caller,
      { pushUrl, p256dh, auth }: BodyOf<Endpoints['addPushBrowser']>,
      userAgent: string,
    ): Promise<ResultOf<Endpoints['addPushBrowser']>> {
      const url = URL.parse(pushUrl);
      if (!url || !isAllowedUrl(url, outbound.allowsPrivate)) throw new Problem('webhookUrl', { field: 'pushUrl' });
      if (await outbound.isPrivate(url)) throw new Problem('webhookPrivate', { field: 'pushUrl' });
      // Push services of browsers name the browser in the path, use the usual port and an uncompressed point of P-256.
      const isKnownForm = outbound.allowsPrivate || (url.port === '' && url.pathname.length > 1 && url.hash === '');
      if (!isKnownForm || !isPoint(p256dh))
        throw new Problem('fieldFormat', {
          field: isKnownForm ? 'p256dh' : 'pushUrl',
          values: { expected: isKnownForm ? 'P-256' : 'https://push.example.org/…' },
        });
      const sealed = box.close(JSON.stringify({ p256dh, auth }));
      return await db.transaction().execute(async (trx) => {
        // The latest user of a browser takes it over, so that it shows nobody the messages of another user.
        const { rows } = await sql<BrowserRecord>`
          insert into push_subscriptions (user_id, session_id, endpoint, keys, user_agent)
          values (${userId}, ${sessionId}, ${url.href}, ${sealed}, ${userAgent.slice(0, 300)})
          on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
            keys = excluded.keys, user_agent = excluded.user_agent
          returning ${COLUMNS}`.execute(trx);
        await sql`
          delete from push_subscriptions where user_id = ${userId} and id not in (
            select id from push_subscriptions where user_id = ${userId} order by id desc limit ${MOST_BROWSERS})
             and id <> ${rows[0]!.id}`.execute(trx);
        return rows[0]!;
      });
    },

    async remove({ userId }: Caller, id: number): Promise<null> {
      const { numAffectedRows } = await sql`
        delete from push_subscriptions where id = ${id} and user_id = ${userId}`.execute(db);
      if (numAffectedRows === 0n) throw notFound('pushBrowser');
      return null;
    },

    /** The receiver of a push to a user; null if the browser belongs to somebody else by now or was signed out. */
    async receiver(id: number, userId: number): Promise<PushReceiver | null> {
      const { rows } = await sql<{ endpoint: string; keys: string }>`
        select endpoint, keys from push_subscriptions p
         where id = ${id} and user_id = ${userId} and not ${PUSH_ENDED}`.execute(db);
      const [row] = rows;
      return row
        ? { endpoint: row.endpoint, ...(JSON.parse(box.open(row.keys)) as { p256dh: string; auth: string }) }
        : null;
    },

    async used(id: number, at: Date): Promise<void> {
      await sql`update push_subscriptions set used_at = ${at} where id = ${id}`.execute(db);
    },

    /** Forgets a browser that unsubscribed without saying so. */
    async forget(id: number): Promise<void> {
      await sql`delete from push_subscriptions where id = ${id}`.execute(db);
    },
  };
}

/** 65 bytes that begin with 4, as base64url. */
function isPoint(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url');
  return bytes.length === 65 && bytes[0] === 4;
}
