import { type DocumentContent, type Mention, mentionsOf, withMentions } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Reader, readable } from '../pages/pages.store.ts';

/** What readers see instead of the name of an object that they may not read. */
const OTHERS = {
  device: { 'en-US': 'another device', 'zh-CN': '另一台设备' },
  document: { 'en-US': 'another document', 'zh-CN': '另一篇文档' },
} as const;

/**
 * Contents in which devices and documents that are mentioned have the names that they have now, for this reader. They
 * keep their IDs, so that someone who may not read an object and edits the text does not lose it.
 */
export async function withShownMentions<C extends DocumentContent | null>(
  db: Kysely<Database>,
  reader: Reader & Pick<Caller, 'locale'>,
  contents: readonly C[],
): Promise<C[]> {
  const mentions = contents.flatMap((content) => (content ? mentionsOf(content) : []));
  const idsOf = (kind: Mention['kind']) => [
    ...new Set(mentions.filter((one) => one.kind === kind && isId(one.id)).map(({ id }) => Number(id))),
  ];
  const [devices, documents] = [idsOf('device'), idsOf('document')];
  if (!mentions.some(({ kind }) => kind in OTHERS)) return [...contents];
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'device' as kind, d.id, d.name from devices d
     where d.id = any(${devices}::int[]) and ${withinScope(reader.scope, 'd.customer_id', 'd.site_id')}
    union all
    select 'document', d.id, coalesce(t.title, d.name)
      from documents d
      left join lateral (
        select title from document_texts t where t.document_id = d.id
         order by (t.locale = ${reader.locale}) desc limit 1) t on true
     where d.id = any(${documents}::int[]) and ${readable(reader)}`.execute(db);
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  const shown = (mention: Mention): Mention => {
    const { kind, id } = mention;
    if (kind !== 'device' && kind !== 'document') return mention;
    return { kind, id, label: names.get(`${kind} ${id}`) ?? OTHERS[kind][reader.locale] };
  };
  return contents.map((content) => (content ? (withMentions(content, shown) as C) : content));
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}
