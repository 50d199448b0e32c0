import { CALLOUT_KINDS } from '@chargehand/domain';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Longer texts stay as they are: their conversion would block the page. Characters. */
const MOST = 200_000;

const HEADING = /^#{1,6} +\S/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const TASK = /^[ \t]*[-*+] \[[ xX]\] \S/m;
const TABLE_ROW = /^[:| \t]*-[-:| \t]*$/;
const ALERT = /^> \[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$/m;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)]) \S/;
const LINK = /\[[^[\]\n]+\]\([^()\s]+\)/;
const STRONG = /\*\*\S(?:[^*\n]*\S)?\*\*/;
const QUOTE = /^> \S/m;

/**
 * Is a text most likely Markdown? A table, a block of code, a task or a callout decides; other signs are also frequent in
 * logs and configuration files, so two of them are needed.
 */
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > MOST || !text.trim().includes('\n')) return false;
  const plain = text.replaceAll('\r\n', '\n');
  const all = plain.split('\n');
  if ([TASK, ALERT].some((sign) => sign.test(plain)) || hasFence(all) || hasTable(all)) return true;
  const lines = all.filter((line) => line.trim() !== '');
  const items = lines.filter((line) => ITEM.test(line)).length;
  const isList = items >= 2 && items * 2 >= lines.length;
  const signs = [LINK, STRONG, QUOTE].filter((sign) => sign.test(plain)).length + (hasHeading(all) ? 1 : 0);
  return isList || signs + Math.min(1, items) >= 2;
}

/** Blank lines around it: a comment of a shell script is no heading. */
function hasHeading(lines: readonly string[]): boolean {
  const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';
  return lines.some((line, at) => HEADING.test(line) && isBlank(lines[at - 1]) && isBlank(lines[at + 1]));
}

function hasFence(lines: readonly string[]): boolean {
  const open = new Set<string>();
  for (const line of lines) {
    if (!FENCE.test(line)) continue;
    const fence = line.trim();
    if (open.has(fence)) return true;
    open.add(fence.slice(0, 3));
  }
  return false;
}

/** A row with columns, and below it the line under its heading. */
function hasTable(lines: readonly string[]): boolean {
  return lines.some((line, at) => at > 0 && TABLE_ROW.test(line) && lines[at - 1]!.includes('|'));
}

/** The kinds of callout, as in the import of documents. */
const [NOTE, TIP, WARNING, CAUTION] = CALLOUT_KINDS;
const CALLOUTS: Record<string, string> = { NOTE, IMPORTANT: NOTE, TIP, WARNING, CAUTION };

/** Markdown as HTML that the editor reads. HTML in it stays text, and dangerous addresses are left out. */
export function htmlOfMarkdown(markdown: string): string {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const box of page.querySelectorAll<HTMLInputElement>(
    'li > input[type=checkbox], li > p > input[type=checkbox]',
  )) {
    const item = box.closest('li')!;
    item.dataset.type = 'taskItem';
    item.dataset.checked = String(box.hasAttribute('checked'));
    item.parentElement!.dataset.type = 'taskList';
    box.remove();
  }
  for (const quote of page.querySelectorAll('blockquote')) {
    const first = quote.querySelector(':scope > p:first-child')?.firstChild;
    const [mark, word] = /^\[!([A-Z]+)\]\s*/.exec(first?.textContent ?? '') ?? [];
    const kind = CALLOUTS[word ?? ''];
    if (!first || mark === undefined || kind === undefined) continue;
    first.textContent = (first.textContent ?? '').slice(mark.length);
    const callout = page.createElement('div');
    callout.dataset.kind = kind;
    callout.append(...quote.childNodes);
    quote.replaceWith(callout);
  }
  return page.body.innerHTML;
}
