// The import graph of a folder, from the texts of its files.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const SOURCE = /\.tsx?$/;
const IMPORT = /\b(?:from|import) '(\.\.?\/[^'\n]+)'/;
const OF_TYPES = /^(?:import|export) type\b/;

/**
 * The files of a folder that each file is imported by.
 * Imports of types, and those that load on demand, such as routes, do not count.
 * @param {string} folder an absolute path
 * @returns {Map<string, string[]>} paths relative to the folder, with slashes
 */
export function importersIn(folder) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const entry of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (!SOURCE.test(entry)) continue;
    const file = entry.replaceAll('\\', '/');
    for (const statement of readFileSync(join(folder, entry), 'utf8').split(';\n')) {
      const path = OF_TYPES.test(statement.trimStart()) ? undefined : IMPORT.exec(statement)?.[1];
      if (path === undefined) continue;
      const imported = posix.join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/**
 * A file and all files that import it, directly or through others.
 * @param {Map<string, string[]>} importers
 * @param {string} file
 * @returns {Set<string>}
 */
export function usersOf(importers, file) {
  const users = new Set([file]);
  // The loop also visits what it adds.
  for (const user of users) for (const one of importers.get(user) ?? []) users.add(one);
  return users;
}
