/** Characters of the prefix of issue keys: 2 to 4. */
export const ISSUE_PREFIX_LENGTH = 4;

/** True for the prefix of a customer's issues: a capital letter, then one to three capital letters or digits. */
export function isIssuePrefix(text: string): boolean {
  return /^[A-Z][A-Z0-9]{1,3}$/.test(text);
}

/** The key of an issue as people say and write it, such as `HVC-5`. */
export function issueKey(prefix: string, number: number): string {
  return `${prefix}-${number}`;
}

/** An issue that a search names. Without a prefix, issues of every customer have the number. */
export interface NamedIssue {
  prefix: string | null;
  number: number;
}

/**
 * The issues that a search text may name: `HVC-5`, `hvc5`, `#5` or `5`. Several if the prefix may end with a digit:
 * `ab12` is AB-12 or AB1-2. Empty for other texts, and for those longer than a key.
 */
export function issuesNamed(search: string): NamedIssue[] {
  const text = search.trim().toUpperCase();
  if (text.length > 16) return [];
  const bare = /^#?([0-9]{1,9})$/.exec(text)?.[1];
  if (bare !== undefined) return [{ prefix: null, number: Number(bare) }];
  const [, separate, after] = /^([A-Z][A-Z0-9]{1,3})[-\s#]{1,2}([0-9]{1,9})$/.exec(text) ?? [];
  if (separate !== undefined) return [{ prefix: separate, number: Number(after) }];
  if (!/^[A-Z][A-Z0-9]+$/.test(text)) return [];
  const named: NamedIssue[] = [];
  for (let length = 2; length <= ISSUE_PREFIX_LENGTH; length++) {
    const number = text.slice(length);
    if (/^[1-9][0-9]{0,8}$/.test(number)) named.push({ prefix: text.slice(0, length), number: Number(number) });
  }
  return named;
}

/**
 * The prefix that is proposed for a customer: the initials of its name (Harbour View Charging: HVC), the first three
 * letters of a name with one word, or the same of its code if the name has no Latin letters. The database proposes in
 * the same way (`propose_issue_prefix`) and also keeps the prefix unique.
 */
export function proposedIssuePrefix(name: string, code: string): string {
  for (const text of [name, code]) {
    const plain = text
      .slice(0, 100)
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toUpperCase();
    const words = plain.split(/[^A-Z0-9]+/).filter((word) => /^[A-Z]/.test(word));
    const [first = ''] = words;
    if (words.length > 1)
      return words
        .map((word) => word[0])
        .join('')
        .slice(0, ISSUE_PREFIX_LENGTH);
    if (first.length > 1) return first.slice(0, 3);
  }
  return 'CU';
}
