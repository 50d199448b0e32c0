import { foldSearch } from '@chargehand/domain';

/** Length of an excerpt, and the text before the first hit in it. */
const LENGTH = 160;
const BEFORE = 40;

/** The text around the first hit, and where the searched texts are in it. */
export function excerptOf(text: string, terms: readonly { text: string }[]) {
  const line = text.replace(/\s+/g, ' ').trim();
  const folded = foldInPlace(line);
  const first = terms.map(({ text: term }) => folded.indexOf(term)).filter((at) => at >= 0);
  let start = Math.max(0, Math.min(...first, line.length) - BEFORE);
  if (first.length === 0) start = 0;
  // Not within a word.
  if (start > 0) start += /^[[\p{L}\p{N}]--\p{Script=Han}]{0,20}\s+/v.exec(line.slice(start))?.[0].length ?? 0;
  const cut = line.slice(start, start + LENGTH);
  const prefix = start > 0 ? '…' : '';
  const excerpt = `${prefix}${cut}${start + LENGTH < line.length ? '…' : ''}`;
  const window = folded.slice(start, start + LENGTH);
  const marks: { start: number; length: number }[] = [];
  for (const { text: term } of terms) {
    for (let at = window.indexOf(term); at >= 0; at = window.indexOf(term, at + term.length)) {
      marks.push({ start: at + prefix.length, length: term.length });
    }
  }
  return { excerpt, marks: apart(marks) };
}

/** Folds a text for comparison without moving its characters: those whose form has another length stay. */
function foldInPlace(text: string): string {
  const folded = foldSearch(text);
  if (folded.length === text.length) return folded;
  return [...text].map((one) => (foldSearch(one).length === one.length ? foldSearch(one) : one)).join('');
}

/** Sorted marks that do not overlap. */
function apart(marks: { start: number; length: number }[]) {
  const sorted = marks.toSorted((a, b) => a.start - b.start || b.length - a.length);
  let end = 0;
  return sorted.filter(({ start, length }) => {
    if (start < end) return false;
    end = start + length;
    return true;
  });
}
