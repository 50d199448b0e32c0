import { type AttachmentUse, type DocumentAccess, permits, type Scope } from '@chargehand/domain';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { ofSeenCustomers, withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { READS_DEVICES, READS_DOCUMENTS, READS_ISSUES } from '../attachment-rows.ts';

/**
 * The objects that use a file and that a user may read, also by their menus: documents by their title in the user's
 * language.
 */
export async function usersOf(
  db: Kysely<Database>,
  caller: Caller,
  id: number,
): Promise<{ kind: AttachmentUse; id: number; name: string }[]> {
  const { scope, locale } = caller;
  const { rows } = await sql<{ kind: AttachmentUse; id: number; name: string }>`
    select * from (
      select u.kind, d.id, coalesce((
               select t.title from document_texts t where t.document_id = d.id order by (t.locale = ${locale}) desc limit 1),
               d.name) as name
        from attachment_uses u join documents d on d.id = u.object_id
       where u.attachment_id = ${id} and u.kind = 'document' and u.ended_at is null and ${readableDocuments(caller)}
         and ${permits(caller, READS_DOCUMENTS)}
      union all
      select u.kind, d.id, d.name from attachment_uses u join devices d on d.id = u.object_id
       where u.attachment_id = ${id} and u.kind = 'device' and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
         and ${permits(caller, READS_DEVICES)}
      union all
      select u.kind, i.id, '#' || i.number || ' ' || i.title from attachment_uses u join issues i on i.id = u.object_id
       where u.attachment_id = ${id} and u.kind = 'issue' and u.ended_at is null and ${withinScope(scope, 'i.customer_id', 'i.site_id')}
         and ${permits(caller, READS_ISSUES)}
    ) used order by kind, ${naturally(sql`name`)} limit 200`.execute(db);
  return rows;
}

/** The condition for documents `d` that a user may read, like `documentRows`. */
function readableDocuments(caller: Caller) {
  const { levels, platformVendor, customerId } = caller;
  const edits = platformVendor ? sql`` : sql`and d.customer_id = ${customerId}`;
  return sql<SqlBool>`(d.read_level >= ${levels.wiki.read} and ${ofSeenCustomers(caller, 'd.customer_id')}
    and (d.enabled or (d.write_level >= ${levels.wiki.write} ${edits})))`;
}

/** What decides who may add files to a document; null when there is no such document. */
export async function documentOf(db: Kysely<Database>, id: number): Promise<DocumentAccess | null> {
  const { rows } = await sql<DocumentAccess>`
    select customer_id as "customerId", read_level as "readLevel", write_level as "writeLevel", enabled from documents where id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The place of a device in scope; null when there is none. */
export async function deviceOf(
  db: Kysely<Database>,
  scope: Scope,
  id: number,
): Promise<{ customerId: number; siteId: number } | null> {
  const { rows } = await sql<{ customerId: number; siteId: number }>`
    select d.customer_id as "customerId", d.site_id as "siteId" from devices d
     where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`.execute(db);
  return rows[0] ?? null;
}

/** The place of an issue in scope; null when there is none. */
export async function issueOf(
  db: Kysely<Database>,
  scope: Scope,
  id: number,
): Promise<{ id: number; customerId: number; siteId: number | null } | null> {
  const { rows } = await sql<{ id: number; customerId: number; siteId: number | null }>`
    select i.id, i.customer_id as "customerId", i.site_id as "siteId" from issues i
     where i.id = ${id} and ${withinScope(scope, 'i.customer_id', 'i.site_id')}`.execute(db);
  return rows[0] ?? null;
}
