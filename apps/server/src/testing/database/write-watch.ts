import type { Pool } from 'pg';

/** Records the writes to a test's database. */
export interface WriteWatch {
  /** The tables that were written to since the last call, each with the operation: `update devices`. */
  take(): Promise<string[]>;
}

/** Partitions are recorded with the name of their table. */
const TABLES = `
  select c.relname as name from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/**
 * Records every row of any table that is added, changed or removed from now on. An update without a difference does not
 * count. The tables in `except` are not watched; tables of later migrations are. A row that is changed and changed back
 * counts, which a comparison of table contents would not detect.
 */
export async function watchWrites(pool: Pool, except: readonly string[] = []): Promise<WriteWatch> {
  const { rows } = await pool.query<{ name: string }>(TABLES);
  const names = rows.map(({ name }) => name);
  const unknown = except.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`There is no table ${unknown.join(', ')}.`);
  const triggers = names
    .filter((name) => !except.includes(name))
    .map(
      (name) => `
        create trigger watch_rows after insert or delete on "${name}" for each row execute function note_write();
        create trigger watch_changes after update on "${name}" for each row
          when (old.* is distinct from new.*) execute function note_write();
        create trigger watch_truncate after truncate on "${name}" execute function note_write();`,
    );
  await pool.query(`
    create unlogged table noted_writes (what text not null);
    create function note_write() returns trigger language plpgsql as $$
    begin
      insert into noted_writes values (lower(tg_op) || ' ' || tg_table_name);
      return null;
    end $$;
    ${triggers.join('')}`);
  return {
    async take() {
      const taken = await pool.query<{ what: string }>('delete from noted_writes returning what');
      return [...new Set(taken.rows.map(({ what }) => what))].sort();
    },
  };
}
