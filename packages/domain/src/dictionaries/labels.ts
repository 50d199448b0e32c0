import { issueLabels } from '../issues/issues.ts';

/** An entry of the dictionary of labels. */
interface LabelEntry {
  code: string;
  nameEn: string;
  nameZh: string;
}

/**
 * How labels of an issue name the entries of the dictionary of labels. An issue stores the code of an entry, or a text that
 * somebody typed. A text that is the name of an entry in either language means this entry.
 */
export function issueLabelNames(entries: Iterable<LabelEntry>) {
  const codes = new Map<string, string>();
  const known = new Map<string, LabelEntry>();
  for (const entry of entries) {
    known.set(entry.code, entry);
    for (const name of [entry.nameEn, entry.nameZh]) {
      // If two entries have the same name in different languages, the first one has it.
      if (!codes.has(normal(name))) codes.set(normal(name), entry.code);
    }
  }

  /** The code of the entry that a label means; without one, the label itself. */
  const codeOf = (label: string) => (known.has(label) ? label : (codes.get(normal(label)) ?? label));

  return {
    codeOf,
    /** The name of a label in both languages. */
    nameOf(label: string): { en: string; zh: string } {
      const entry = known.get(codeOf(label));
      return entry ? { en: entry.nameEn, zh: entry.nameZh } : { en: label, zh: label };
    },
    /** Entered labels as an issue stores them. */
    stored: (entered: readonly string[]) => issueLabels(issueLabels(entered).map(codeOf)),
    /** All labels with the same meaning as one, with which issues may be stored. */
    spellings(label: string): string[] {
      const entry = known.get(codeOf(label));
      return entry ? [...new Set([entry.code, entry.nameEn, entry.nameZh])] : [label];
    },
  };
}

function normal(label: string): string {
  return (issueLabels([label])[0] ?? '').toLowerCase();
}
