import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tokenHash } from '../../platform/token-hash.ts';

/** Short enough for a small QR code. */
const TOKEN_BYTES = 16;
/** Rows that are encrypted at once. */
const AT_ONCE = 1_000;

interface LinkRow {
  id: number;
  of: number;
  sealed: string | null;
}

/** The column of what links are of. */
type LinksOf = 'device_id' | 'site_id';

/** The secrets of the report links of devices or sites, by their ids. A link gets its secret when it is first read. */
export async function reportTokens(
  db: Kysely<Database>,
  box: SecretBox,
  of: LinksOf,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const read = async () => {
    const { rows } = await sql<LinkRow>`
      select id, ${sql.ref(of)} as of, sealed_token as sealed from report_links
       where ${sql.ref(of)} = any(${[...ids]}::int[])`.execute(db);
    return rows;
  };
  let rows = await read();
  const missing = rows.filter(({ sealed }) => sealed === null);
  if (missing.length > 0) {
    await store(
      db,
      box,
      missing.map(({ id }) => ({ id, token: newToken() })),
    );
    // Another request may have stored other secrets meanwhile.
    rows = await read();
  }
  return new Map(rows.map((row) => [row.of, box.open(row.sealed!)]));
}

/** Gives the link of a device or site another secret. The former one no longer exists. */
export async function renewToken(
  trx: Kysely<Database>,
  box: SecretBox,
  { of, id }: { of: LinksOf; id: number },
): Promise<void> {
  const token = newToken();
  await sql`
    update report_links set sealed_token = ${box.close(token)}, token_hash = ${tokenHash(token)}, created_at = now()
     where ${sql.ref(of)} = ${id}`.execute(trx);
}

/** Encrypts the links that an earlier version stored as plain text. */
export async function sealPlainReportLinks(db: Kysely<Database>, box: SecretBox): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: number; token: string }>`
      select id, sealed_token as token from report_links
       where token_hash is null and sealed_token is not null limit ${AT_ONCE}`.execute(db);
    if (rows.length === 0) return;
    await store(db, box, rows);
  }
}

/** Stores secrets of links that have none or a plain one. */
async function store(
  db: Kysely<Database>,
  box: SecretBox,
  links: readonly { id: number; token: string }[],
): Promise<void> {
  const ids = links.map(({ id }) => id);
  const sealed = links.map(({ token }) => box.close(token));
  const hashes = links.map(({ token }) => tokenHash(token).toString('hex'));
  await sql`
    update report_links l set sealed_token = n.sealed, token_hash = decode(n.hash, 'hex')
      from unnest(${ids}::int[], ${sealed}::text[], ${hashes}::text[]) as n (id, sealed, hash)
     where l.id = n.id and l.token_hash is null`.execute(db);
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}
