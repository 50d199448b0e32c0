/**
 * The folder, or the name of a file in it, from a client's path; null for everything else: paths outside or below the
 * folder, and names with invalid characters. `''` is the folder.
 */
export function nameIn(path: string): string | null {
  // Control characters would end a reply's line early, or a name in another program. A backslash separates names on
  // other systems.
  if (/[\p{Cc}\\]/u.test(path) || path.length > 255) return null;
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.length > 1 || steps[0] === '..') return null;
  return steps[0] ?? '';
}
