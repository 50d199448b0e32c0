import { endingOf, FILE_RULES } from '@chargehand/domain';

/** What a picture or a link in a Markdown file leads to. */
export type Target =
  | { to: 'entry'; path: string }
  /** a file that the archive does not contain */
  | { to: 'missing' }
  /** several entries whose names differ only in case */
  | { to: 'ambiguous' }
  /** another server, or data in the address itself */
  | { to: 'remote' }
  /** no file: another page or a heading */
  | { to: 'page' }
  /** another Markdown file of the archive; null when it is not in it */
  | { to: 'document'; path: string | null };

export type FindTarget = (document: string, url: string, isPicture: boolean) => Target;

/** Finds the entries of an archive that its Markdown files name: relative to each, or from the top. */
export function targetFinder(paths: readonly string[]): FindTarget {
  const exact = new Set(paths);
  const folded = new Map<string, string[]>();
  for (const path of paths) folded.set(path.toLowerCase(), [...(folded.get(path.toLowerCase()) ?? []), path]);

  return (document, url, isPicture) => {
    if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return { to: isPicture ? 'remote' : 'page' };
    if (!isPicture && /^[#/]/.test(url)) return { to: 'page' };
    const candidates = spellingsOf(url).flatMap((spelling) => resolved(document, spelling) ?? []);
    const isDocument = !isPicture && candidates.some((candidate) => endingOf(candidate) === 'md');
    if (!isPicture && !isDocument && !candidates.some(isFile)) return { to: 'page' };
    const path = candidates.find((candidate) => exact.has(candidate));
    if (isDocument) return { to: 'document', path: path ?? null };
    if (path !== undefined) return { to: 'entry', path };
    // Names from a computer that ignores case.
    const similar = new Set(candidates.flatMap((candidate) => folded.get(candidate.toLowerCase()) ?? []));
    if (similar.size > 1) return { to: 'ambiguous' };
    const [only] = similar;
    return only === undefined ? { to: 'missing' } : { to: 'entry', path: only };
  };
}

/** An address as it is, decoded, and without a query or a fragment. */
function spellingsOf(url: string): string[] {
  const plain = url.replace(/[?#].*$/s, '');
  return [...new Set([url, decoded(url), plain, decoded(plain)])];
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** The path of an address in the archive; null when it leads out of it. */
function resolved(document: string, url: string): string | null {
  const plain = url.replaceAll('\\', '/').normalize('NFC');
  const parts = plain.startsWith('/') ? [] : document.split('/').slice(0, -1);
  for (const part of plain.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.length > 0 ? parts.join('/') : null;
}

/** Is the target of a link a file, and not another document? Files of an export without their content have only an id. */
function isFile(path: string): boolean {
  const ending = endingOf(path);
  if (/(^|\/)files\/[0-9]{1,10}(-|$)/.test(path)) return true;
  return ending !== null && ending !== 'md' && (FILE_RULES.attachment.endings as readonly string[]).includes(ending);
}
