// Old and new processes run together while an installation is updated, so a migration must not take away what the version
// before uses. What does so (contracts) is a migration of a later version, whose first line names the one that prepared it:
// `-- contracts: 712_name`. Migrations before 800 are older than the first version with several processes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../run.mjs';

const FOLDER = join(PROJECT, 'apps', 'server', 'src', 'platform', 'database', 'migrations');
const FIRST = 800;
/** Statements after which the version before fails. */
const CONTRACTING = [
  /\bdrop\s+(table|column|view|function)\b/i,
  /\brename\s+(to|column)\b/i,
  /\balter\s+column\s+\w+\s+(type|set\s+data\s+type|set\s+not\s+null)\b/i,
];
/** A new column that the version before does not fill. */
const NEW_COLUMN = /\badd\s+column\b(?=[^,;]{0,300}\bnot\s+null\b)(?![^,;]{0,300}\b(default|generated)\b)/i;

const files = readdirSync(FOLDER).filter((name) => /^\d{3}_/.test(name));
const problems = files
  .filter((name) => Number(name.slice(0, 3)) >= FIRST)
  .flatMap((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const [, prepared] = /^-- contracts: (\w{1,100})$/m.exec(text.split('\n', 1)[0] ?? '') ?? [];
    const found = [...CONTRACTING, NEW_COLUMN].map((pattern) => pattern.exec(text)?.[0]).find(Boolean);
    if (prepared !== undefined)
      return files.includes(`${prepared}.sql`) ? [] : [`${name}: there is no ${prepared}.sql`];
    return found ? [`${name}: "${found}" needs a first line "-- contracts: NNN_name"`] : [];
  });
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
