import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tokenHash } from '../../platform/token-hash.ts';
import { renewToken, reportTokens } from './report-tokens.store.ts';

/** Where a report is about. */
export interface ReportPlaceRecord {
  customerId: number;
  siteId: number | null;
  siteName: string | null;
  deviceId: number | null;
  deviceName: string | null;
}

const OF_DEVICE = sql`
  d.customer_id as "customerId", d.site_id as "siteId", s.name as "siteName", d.id as "deviceId",
  d.name as "deviceName" from devices d join sites s on s.id = d.site_id`;
const OF_SITE = sql`
  s.customer_id as "customerId", s.id as "siteId", s.name as "siteName", null::int as "deviceId",
  null as "deviceName" from sites s`;

/** The device or site of a report link; null for a link that does not exist or was renewed. */
export async function findLinkPlace(db: Kysely<Database>, token: string): Promise<ReportPlaceRecord | null> {
  const hash = tokenHash(token);
  const { rows } = await sql<ReportPlaceRecord>`
    select ${OF_DEVICE} join report_links l on l.device_id = d.id where l.token_hash = ${hash}
    union all
    select ${OF_SITE} join report_links l on l.site_id = s.id where l.token_hash = ${hash}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The place that someone means who has no link: the device with this SN, or the only site with this code or name.
 * Otherwise the platform vendor, who finds out.
 */
export async function findEnteredPlace(
  db: Kysely<Database>,
  { sn, place }: { sn: string; place: string },
): Promise<ReportPlaceRecord> {
  if (sn !== '') {
    const { rows } = await sql<ReportPlaceRecord>`select ${OF_DEVICE} where d.sn = ${sn}`.execute(db);
    if (rows[0]) return rows[0];
  }
  if (place !== '') {
    const { rows } = await sql<ReportPlaceRecord>`
      select ${OF_SITE} where lower(s.code) = lower(${place}) or lower(s.name) = lower(${place}) limit 2`.execute(db);
    if (rows.length === 1 && rows[0]) return rows[0];
  }
  const { rows } = await sql<{ id: number }>`
    select id from customers where platform_vendor order by id limit 1`.execute(db);
  return { customerId: rows[0]!.id, siteId: null, siteName: null, deviceId: null, deviceName: null };
}

/** The report link of a device or a site. */
export interface ReportLinkRecord {
  token: string;
  createdAt: Date;
}

type LinkOf = { deviceId: number } | { siteId: number };

const ofObject = (of: LinkOf) =>
  'deviceId' in of ? sql<boolean>`device_id = ${of.deviceId}` : sql<boolean>`site_id = ${of.siteId}`;

export async function readLink(db: Kysely<Database>, box: SecretBox, of: LinkOf): Promise<ReportLinkRecord | null> {
  const [column, id] = 'deviceId' in of ? (['device_id', of.deviceId] as const) : (['site_id', of.siteId] as const);
  const token = (await reportTokens(db, box, column, [id])).get(id);
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from report_links where ${ofObject(of)}`.execute(db);
  return token === undefined || !rows[0] ? null : { token, ...rows[0] };
}

/** Gives a device or site another link. The former one no longer exists. */
export async function replaceLink(trx: Kysely<Database>, box: SecretBox, of: LinkOf): Promise<ReportLinkRecord | null> {
  await renewToken(
    trx,
    box,
    'deviceId' in of ? { of: 'device_id', id: of.deviceId } : { of: 'site_id', id: of.siteId },
  );
  return await readLink(trx, box, of);
}

/** The names of what a link is of, for the log. */
export async function findLinked(
  db: Kysely<Database>,
  of: LinkOf,
): Promise<{ name: string; customerId: number; siteId: number } | null> {
  const { rows } = await sql<{ name: string; customerId: number; siteId: number }>`
    ${
      'deviceId' in of
        ? sql`select name, customer_id as "customerId", site_id as "siteId" from devices where id = ${of.deviceId}`
        : sql`select name, customer_id as "customerId", id as "siteId" from sites where id = ${of.siteId}`
    }`.execute(db);
  return rows[0] ?? null;
}
