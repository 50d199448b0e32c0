import type { DatabaseConnection } from '../../platform/database/connect.ts';

/** The number of rows of each table and a hash of all of them; without the results of backups. */
export async function contentOf(pool: DatabaseConnection['pool']): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const content: Record<string, string> = {};
  for (const { name } of rows) {
    if (name === 'backups') continue;
    const found = await pool.query<{ content: string }>(
      `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as content from "${name}" t`,
    );
    content[name] = found.rows[0]!.content;
  }
  return content;
}
