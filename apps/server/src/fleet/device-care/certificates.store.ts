import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';
import type { SignedCertificate } from '../signing/authority.ts';

export interface CertificateRecord extends Omit<SignedCertificate, 'chain'> {
  id: number;
  issuedAt: Date;
  accepted: boolean | null;
  answeredAt: Date | null;
}

/** One page of the certificates of a device in scope, and the total number. */
export async function listCertificates(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  order: { descending: boolean },
  page: { limit: number; offset: number },
): Promise<{ items: CertificateRecord[]; total: number }> {
  const ofDevice = sql`device_id = ${deviceInScope(scope, deviceId)} and ${duringStayInScope(scope, deviceId, 'issued_at')}`;
  const direction = order.descending ? sql`desc` : sql`asc`;
  const [items, totals] = await Promise.all([
    sql<CertificateRecord>`
      select id, serial, fingerprint, subject, not_before as "notBefore", not_after as "notAfter",
             issued_at as "issuedAt", accepted, answered_at as "answeredAt"
        from device_certificates where ${ofDevice}
       order by id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from device_certificates where ${ofDevice}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The number of certificates that a device received after a time. */
export async function countCertificatesSince(db: Kysely<Database>, deviceId: number, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from device_certificates
     where device_id = ${deviceId} and issued_at > ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Stores a signed certificate of a device and returns its id. */
export async function insertCertificate(
  db: Kysely<Database>,
  deviceId: number,
  { serial, fingerprint, subject, notBefore, notAfter }: SignedCertificate,
  issuedAt: Date,
): Promise<number> {
  const row = {
    ...{ device_id: deviceId, serial, fingerprint, subject },
    ...{ not_before: notBefore, not_after: notAfter, issued_at: issuedAt },
    ...{ accepted: null, answered_at: null },
  };
  return (await db.insertInto('device_certificates').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Stores the device's answer about a certificate. Only the first answer counts. */
export async function answerCertificate(
  db: Kysely<Database>,
  { deviceId, certificateId, accepted, at }: { deviceId: number; certificateId: number; accepted: boolean; at: Date },
): Promise<void> {
  await db
    .updateTable('device_certificates')
    .set({ accepted, answered_at: at })
    .where('id', '=', certificateId)
    .where('device_id', '=', deviceId)
    .where('accepted', 'is', null)
    .execute();
}
