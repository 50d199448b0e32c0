/** A line that contains the search text. */
export interface FoundLine {
  /** from 1 */
  number: number;
  text: string;
}

/**
 * The lines of a text that contain a search text, upper and lower case alike.
 * @param limit how many lines are returned; `total` counts all of them
 */
export function findLines(text: string, search: string, limit: number): { lines: FoundLine[]; total: number } {
  const wanted = search.toLowerCase();
  const lines: FoundLine[] = [];
  let total = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.toLowerCase().includes(wanted)) continue;
    total += 1;
    if (lines.length < limit) lines.push({ number: index + 1, text: line });
  }
  return { lines, total };
}

/** A text split at the search text; every second piece is a match. */
export function splitMatches(text: string, search: string): string[] {
  const pattern = search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.split(new RegExp(`(${pattern})`, 'gi'));
}
