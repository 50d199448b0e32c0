import type { MENTION_KINDS } from '@chargehand/domain';
import type { Editor, Range } from '@tiptap/core';
import { call } from '../../../api/client.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { Suggested } from './suggestions.ts';

type MentionKind = (typeof MENTION_KINDS)[number];

/** Maximum number of suggestions of each kind. */
const EACH = 5;
/** What may be an alarm code, such as `GroundFailure` or `E-101`. */
const CODE = /^[\w.-]{2,60}$/;

/**
 * Devices, models and documents that match a text, as far as the author may list them, and the text itself as a code.
 * A kind that cannot be searched is left out.
 */
export async function findMentions(query: string, signal: AbortSignal): Promise<Suggested[]> {
  const search = query.trim();
  if (search === '') return [];
  const options = { signal, quiet: true };
  const page = { page: 1, pageSize: 10 } as const;
  const found = await Promise.allSettled([
    call('search', { query: { search, limit: EACH } }, options).then(({ groups }) =>
      groups
        .filter(({ kind }) => kind === 'device')
        .flatMap(({ items }) => items.map(({ id, name, code }) => mention('device', String(id), name, code))),
    ),
    call('listDocuments', { query: { ...page, search } }, options).then(({ items }) =>
      items
        .slice(0, EACH)
        .map(({ id, title, name }) =>
          mention('document', String(id), title ?? name, i18n.t('editor:mention.document')),
        ),
    ),
    call('listDeviceModels', { query: { ...page, search } }, options).then(({ items }) =>
      items.slice(0, EACH).map(({ id, name }) => mention('model', String(id), name, i18n.t('editor:mention.model'))),
    ),
  ]);
  const rows = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return CODE.test(search) ? [...rows, mention('code', search, search, i18n.t('editor:mention.code'))] : rows;
}

/** An entry that inserts a mention. */
export function mention(kind: MentionKind, id: string, label: string, note: string): Suggested {
  return {
    label,
    note,
    run: (editor: Editor, range: Range) =>
      editor
        .chain()
        .focus()
        .insertContentAt(range, [
          { type: 'mention', attrs: { kind, id, label } },
          { type: 'text', text: ' ' },
        ])
        .run(),
  };
}
