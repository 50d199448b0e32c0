import type { NoticeType, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { About } from '../incidents/receivers.ts';

/** The incident of a message of a user, as far as its receivers depend on it; null when there is none. */
export async function findAbout(
  db: Kysely<Database>,
  userId: number,
  messageId: number,
): Promise<(Omit<About, 'type'> & { type: NoticeType }) | null> {
  const { rows } = await sql<Omit<About, 'type'> & { type: NoticeType }>`
    select coalesce(r.type, i.type) as type, i.customer_id as "customerId", i.site_id as "siteId", i.devices, i.actor_id as "actorId",
           i.user_ids as "userIds", i.escalated_at is not null as escalated
      from messages m join incidents i on i.id = m.incident_id
      left join incident_receivers r on r.incident_id = m.incident_id and r.user_id = m.user_id
     where m.id = ${messageId} and m.user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** The place of a device or site in scope; null when there is none. */
export async function findPlace(
  scope: Scope,
  db: Kysely<Database>,
  { kind, id }: { kind: 'device' | 'site'; id: number },
): Promise<{ customerId: number; siteId: number } | null> {
  const places =
    kind === 'device'
      ? sql`select customer_id, site_id from devices where id = ${id}`
      : sql`select customer_id, id as site_id from sites where id = ${id}`;
  const { rows } = await sql<{ customerId: number; siteId: number }>`
    select customer_id as "customerId", site_id as "siteId" from (${places}) place
     where ${withinScope(scope, 'customer_id', 'site_id')}`.execute(db);
  return rows[0] ?? null;
}
