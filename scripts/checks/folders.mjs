// Checks that no folder holds more files than one can take in at a glance. `node scripts/checks/folders.mjs` prints the
// folders that do and exits with 1.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** At most so many files directly in a folder. */
const LIMIT = 15;

/** Folders of one kind of file that grow with the product. */
const EXCEPTIONS = new Set([
  'apps/console/src/locales/en-US',
  'apps/console/src/locales/zh-CN',
  'apps/server/src/platform/database/migrations',
]);

const PROJECT = join(import.meta.dirname, '..', '..');
// What Git ignores, such as packages and builds, is nobody's to tidy.
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
const files = execFileSync('git', list, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
/** @type {Map<string, number>} */
const counts = new Map();
for (const file of new Set(files.split('\0').filter(Boolean))) {
  const folder = file.split('/').slice(0, -1).join('/') || '.';
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
const full = [...counts].filter(([folder, count]) => count > LIMIT && !EXCEPTIONS.has(folder));
if (full.length > 0) {
  const lines = full.map(([folder, count]) => `${folder} has ${count} files`);
  process.stderr.write(`${lines.join('\n')}\nA folder has at most ${LIMIT} files: split it by what users know.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${counts.size} folders, none with more than ${LIMIT} files.\n`);
}
