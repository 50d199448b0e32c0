import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..', '..', '..');

/** Where a name decides an order that no user sees as a list. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['backup/dump.ts', 'migrations have numbers of equal length'],
  ['platform/database/migrate.ts', 'migrations have numbers of equal length'],
  ['platform/search/search-text.ts', 'the best matches come first; of names with equal length the order is natural'],
  ['fleet/waiting-devices/waiting-devices.store.ts', 'rows are locked in the order of the unique index'],
  ['fleet/device-import/device-import.store.ts', 'one suggestion'],
  ['ingest/partitions/partitions.store.ts', 'names of partitions end with their day'],
  ['access/secrets.store.ts', 'the first of equal secrets'],
  ['access/users/site-limits.ts', 'one example in a message'],
]);

/** The clauses in a source that sort by a name, SN or title, except those in natural order. */
function sortedPlainly(source: string): string[] {
  const rest = source.replace(/naturally\((?:sql`[^`]*`|[^()]*(?:\([^()]*\))?)\)/g, '');
  const clauses = rest.match(/order by [^`\n]*|orderBy\([^\n]*/gi) ?? [];
  return clauses.filter((clause) => /\b(user_name|nick_name|name|sn|title|label|vendor)\b/.test(clause));
}

test('clauses that sort by a name are found', () => {
  expect(sortedPlainly('select * from sites order by lower(name), id')).toHaveLength(1);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source code
  expect(sortedPlainly('select * from sites order by ${naturally(sql`name`)}, id')).toEqual([]);
});

test('every list that is sorted by names, SNs or titles is in natural order', () => {
  const plain = globSync('**/*.ts', { cwd: SOURCES })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(test|full)\.ts$|^testing\//.test(file))
    .filter((file) => sortedPlainly(readFileSync(join(SOURCES, file), 'utf8')).length > 0);
  expect(plain.sort()).toEqual([...EXCEPTIONS.keys()].sort());
});
