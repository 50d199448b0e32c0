import { type AnswerOf, type BodyOf, type documentEndpoints, LOCALES, type Locale } from '@chargehand/contract';
import {
  type Binding,
  cleanContent,
  DOCUMENT_TYPE_NUMBERS,
  type DocumentContent,
  type DocumentType,
  mayWriteDocument,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { zipArchive } from '../../platform/xlsx/zip-writer.ts';
import { contentToMarkdown } from '../markdown/to-markdown.ts';
import { requirePage, stored } from '../pages/page-values.ts';
import { bindingsOf, listPages, lockPage, type PageRecord, storeBindings } from '../pages/pages.store.ts';
import { publishText } from '../texts/publish.ts';
import { currentText } from '../texts/texts.store.ts';
import type { ReadFile } from './archive-worker.ts';
import { withFrontMatter } from './front-matter.ts';
import { withKnownFiles } from './known-files.ts';

type Result = AnswerOf<(typeof documentEndpoints)['importDocuments']>;

/** Documents that are read at once during an export. */
const BATCH = 100;

/** Documents as Markdown files in a zip archive: one for each language, `<name>.<language>.md`. */
export async function* exportDocuments(
  db: Kysely<Database>,
  caller: Pick<Caller, 'levels' | 'locale'>,
  filters: { categoryId?: number | undefined; ids?: readonly number[] | undefined },
): AsyncGenerator<Buffer> {
  const archive = zipArchive();
  const names = new Set<string>();
  for (let offset = 0; ; offset += BATCH) {
    const order = { by: 'name', descending: false } as const;
    const { items } = await listPages(db, caller, filters, order, { limit: BATCH, offset });
    for (const page of items) {
      if (filters.ids && !filters.ids.includes(page.id)) continue;
      const bindings = await bindingsOf(db, page.id);
      for (const { locale } of page.texts) {
        const text = await currentText(db, page.id, locale);
        if (!text) continue;
        const markdown = contentToMarkdown(cleanContent(text.body), fileName);
        yield* archive.add(`${unusedName(names, page.name, locale)}`, [
          withFrontMatter(propertiesOf(page, text, locale, bindings), markdown),
        ]);
      }
    }
    if (items.length < BATCH) break;
  }
  yield archive.end();
}

function propertiesOf(
  { name, type, readLevel, writeLevel, enabled }: PageRecord,
  { title, description }: { title: string; description: string },
  locale: Locale,
  bindings: readonly (Binding & { model: string | null })[],
) {
  const codes = bindings.map(({ key, model }) => (model === null ? key : `${model}: ${key}`));
  return { name, locale, title, description, type, readLevel, writeLevel, enabled, codes };
}

/** The path of a file; images have no name, only an alternative text. */
function fileName(id: string, name: string): string {
  return name === '' ? `files/${id}` : `files/${id}-${name}`;
}

/** A file name that every system accepts and that no other entry has, in any case. */
function unusedName(used: Set<string>, name: string, locale: Locale): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+|[. ]+$/g, '_') || 'document';
  for (let count = 1; ; count += 1) {
    const path = `${plain}${count > 1 ? ` (${count})` : ''}.${locale}.md`;
    if (used.has(path.toLowerCase())) continue;
    used.add(path.toLowerCase());
    return path;
  }
}

/** A file of the archive that can be stored. */
interface ImportedText {
  path: string;
  name: string;
  locale: Locale;
  title: string;
  description: string;
  body: DocumentContent;
  type: DocumentType | null;
  keys: string[];
}

/**
 * Stores an archive: a document with the name of a file gets a new version if its text differs, and other names become
 * new documents in the category. A file that cannot be stored is reported and changes nothing; the others are stored
 * together. With `dryRun`, only the result is computed.
 */
export async function importDocuments(
  db: Kysely<Database>,
  caller: Caller,
  { content, categoryId, dryRun = false }: BodyOf<(typeof documentEndpoints)['importDocuments']>,
): Promise<Result> {
  const files = await inWorker<string, ReadFile[] | null>(new URL('./archive-worker.ts', import.meta.url), content);
  if (!files || files.length === 0) throw new Problem('documentArchive', { field: 'content' });
  const result: Result = { created: 0, changed: 0, unchanged: 0, problems: [] };
  const undone = new Error('dry run');
  try {
    await db.transaction().execute(async (trx) => {
      for (const file of files) {
        const text = importedText(file);
        if (!text) {
          result.problems.push({ file: file.path, message: PROBLEMS[caller.locale] });
          continue;
        }
        try {
          result[await importOne(trx, caller, categoryId, text)] += 1;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          result.problems.push({ file: file.path, message: error.envelope(caller.locale).message });
        }
      }
      if (dryRun) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return result;
}

const PROBLEMS: Record<Locale, string> = {
  'en-US': 'The file is longer than 2 million characters, has no title, or is not named <name>.<language>.md.',
  'zh-CN': '文件超过 200 万字符、缺少标题，或文件名不是“名称.语言.md”的格式。',
};

function importedText(file: ReadFile): ImportedText | null {
  if ('problem' in file) return null;
  const base = file.path.split(/[/\\]/).at(-1)!.replace(/\.md$/i, '');
  const named = /^(.*)\.(en-US|zh-CN)$/.exec(base);
  const text = (key: string, most: number) => {
    const value = file.values[key];
    return typeof value === 'string' ? value.trim().slice(0, most) : undefined;
  };
  const locale = LOCALES.find((one) => one === (text('locale', 5) ?? named?.[2]));
  const name = text('name', 100) ?? (named?.[1] ?? base).slice(0, 100);
  const heading = file.body.content
    .find(({ type }) => type === 'heading')
    ?.content?.map((node) => node.text ?? '')
    .join('');
  const title = text('title', 200) || heading?.slice(0, 200) || name;
  if (!locale || !name) return null;
  const type = DOCUMENT_TYPE_NUMBERS.find((one) => one === file.values.type) ?? null;
  const codes = Array.isArray(file.values.codes) ? file.values.codes.filter((one) => typeof one === 'string') : [];
  // Codes of one device model name the model, which this system may not have.
  const keys = codes.filter((code) => !code.includes(': ')).slice(0, 200);
  return {
    path: file.path,
    name,
    locale,
    title,
    description: text('description', 1_000) ?? '',
    body: file.body,
    type,
    keys,
  };
}

async function importOne(
  trx: Kysely<Database>,
  caller: Caller,
  categoryId: number,
  { name, locale, title, description, body: imported, type, keys }: ImportedText,
): Promise<'created' | 'changed' | 'unchanged'> {
  const known = trx
    .selectFrom('documents')
    .select('id')
    .where(({ fn, eb }) => eb(fn('lower', ['name']), '=', name.toLowerCase()));
  const existing = await known.executeTakeFirst();
  const id = existing?.id ?? (await insertImported(trx, caller, categoryId, { name, type, keys }));
  if (existing) {
    const page = await lockPage(trx, caller.levels, id);
    if (!page || !mayWriteDocument(caller.levels, page)) throw new Problem('documentNameTaken', { field: 'name' });
  }
  const texts = await Promise.all(LOCALES.map((one) => currentText(trx, id, one)));
  const bodies = texts.flatMap((text) => (text ? [cleanContent(text.body)] : []));
  const body = cleanContent(withKnownFiles(imported, bodies));
  const current = texts[LOCALES.indexOf(locale)] ?? null;
  const same = current && current.title === title && current.description === description;
  if (same && JSON.stringify(cleanContent(current.body)) === JSON.stringify(body)) return 'unchanged';
  const version = (current?.version ?? 0) + 1;
  const follows = current?.follows ?? null;
  await publishText(trx, caller, { id, locale, version, follows, restored: null, title, description, body });
  await logAction(trx, caller, {
    ...{ operation: existing ? 'edit' : 'new', objectType: 'document', objectId: String(id), objectName: name },
    ...{ customerId: null, siteId: null, after: { locale, version, imported: true } },
  });
  return existing ? 'changed' : 'created';
}

async function insertImported(
  trx: Kysely<Database>,
  caller: Caller,
  categoryId: number,
  { name, type, keys }: { name: string; type: DocumentType | null; keys: string[] },
): Promise<number> {
  const levels = { readLevel: 5, writeLevel: caller.levels.wiki.write } as const;
  const bindings = type === null ? [] : keys.map((key) => ({ key, deviceModelId: null }));
  await requirePage(trx, caller, null, { name, type, categoryId, bindings, ...levels });
  const row = trx.insertInto('documents').values({
    ...{ name, type, category_id: categoryId, icon: null, shipped: null },
    ...{ read_level: levels.readLevel, write_level: levels.writeLevel },
    ...{ created_by: caller.userId, created_by_name: caller.userName, updated_by_name: caller.userName },
  });
  const { id } = await stored(row.returning('id').executeTakeFirstOrThrow());
  await stored(storeBindings(trx, id, type, bindings));
  return id;
}
