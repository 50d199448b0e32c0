/**
 * The one folder as clients may name it, or the name of a file in it; null for everything else: what leads out of it, or
 * below it, or holds a character that no name has. `''` is the folder.
 */
export function nameIn(path: string): string | null {
  // Control characters would end a reply's line early, or a name in another program; a backslash parts names elsewhere.
  if (/[\p{Cc}\\]/u.test(path) || path.length > 255) return null;
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.length > 1 || steps[0] === '..') return null;
  return steps[0] ?? '';
}
