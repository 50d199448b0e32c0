import type { GivenFiles, Locale } from '@chargehand/contract';
import { cleanContent, type DocumentContent, filesOf } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { giveFiles } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { storeSections } from '../search/sections.ts';
import { textBodies } from './texts.store.ts';

/** The user who publishes a text, whose files its readers may read; without an id it is a part of the product. */
type Author =
  | Pick<Caller, 'userId' | 'userName' | 'scope' | 'customerId' | 'levels'>
  | { userId: null; userName: string };

/** A version of one language that becomes the current one. */
export interface PublishedText {
  id: number;
  locale: Locale;
  version: number;
  title: string;
  description: string;
  body: DocumentContent;
  follows: number | null;
  restored: number | null;
  /** the text that the author started from: files in it are not their addition */
  base?: DocumentContent | null;
}

const NO_FILES: GivenFiles = { opened: [], withheld: 0, ended: 0 };

/**
 * Stores a version, makes it the current text and replaces its rows in the search index. The caller holds the lock of
 * the document. Files that the author added become readable with the document; a restored version gives again what
 * readers could open before. In both cases only what the author may give.
 */
export async function publishText(trx: Kysely<Database>, author: Author, text: PublishedText): Promise<GivenFiles> {
  const before = author.userId === null ? [] : await textBodies(trx, text.id);
  const { id, locale, version, title, description, body, follows, restored } = text;
  const json = JSON.stringify(body);
  await sql`
    with kept as (
      insert into document_versions
        (document_id, locale, version, title, description, body, restored, created_by, created_by_name)
      values (${id}, ${locale}, ${version}, ${title}, ${description}, ${json}::jsonb, ${restored}::int,
              ${author.userId}::int, ${author.userName})),
    current as (
      insert into document_texts (document_id, locale, version, title, description, body, follows, updated_by_name)
      values (${id}, ${locale}, ${version}, ${title}, ${description}, ${json}::jsonb, ${follows}::int, ${author.userName})
      on conflict (document_id, locale) do update
         set version = excluded.version, title = excluded.title, description = excluded.description,
             body = excluded.body, follows = excluded.follows, updated_at = now(),
             updated_by_name = excluded.updated_by_name)
    update documents set updated_at = now(), updated_by_name = ${author.userName} where id = ${id}`.execute(trx);
  await storeSections(trx, [text]);
  if (author.userId === null) return NO_FILES;
  const known = new Set([...before, ...(text.base ? [text.base] : [])].flatMap((one) => filesOf(cleanContent(one))));
  const named = filesOf(body);
  const added = restored === null ? named.filter((file) => !known.has(file)) : named;
  const shown = (await textBodies(trx, id)).flatMap((one) => filesOf(cleanContent(one)));
  return await giveFiles(trx, author, ['document', id], { added, again: restored !== null, shown });
}
