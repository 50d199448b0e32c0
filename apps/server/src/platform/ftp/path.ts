/**
 * The folder, or the name of a file in it, from a client's path; null for everything else: paths outside or below the
 * folder, and names with invalid characters. `''` is the folder.
 */
export function nameIn(path: string): string | null {
  // Control characters would end a reply's line early, or a name in another program. A backslash separates names on
  // other systems.
  if (/[\p{Cc}\\]/u.test(path) || path.length > 255) return null;
  const steps = stepsIn(path);
  if (steps.length > 1 || steps[0] === '..') return null;
  return steps[0] ?? '';
}

/**
 * The name of a file to upload. Some clients create folders, such as one for each day. Folders are accepted and ignored,
 * because each folder of a transfer takes one file; paths that leave the folder are not.
 */
export function uploadNameIn(path: string, depth: number): string | null {
  const name = stepsIn(path).at(-1);
  return name === undefined || depthAfter(path, depth) === null || name === '..' ? null : nameIn(name);
}

/** How many folders below the top a client is after changing to a path; null when that is above the top. */
export function depthAfter(path: string, depth: number): number | null {
  if (/[\p{Cc}\\]/u.test(path) || path.length > 255) return null;
  let at = path.startsWith('/') ? 0 : depth;
  for (const step of stepsIn(path)) {
    at += step === '..' ? -1 : 1;
    if (at < 0) return null;
  }
  return at;
}

function stepsIn(path: string): string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.');
}
