import { type AnswerOf, type BodyOf, type documentEndpoints, LOCALES, type Locale } from '@chargehand/contract';
import {
  cleanContent,
  DOCUMENT_TYPE_NUMBERS,
  type DocumentContent,
  type DocumentType,
  mayWriteDocument,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import { incomingPrefixesOf } from '../../files/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { ObjectReader } from '../../platform/zip/object-reader.ts';
import { openZip, RefusedZip, type ZipReader } from '../../platform/zip/zip-reader.ts';
import { contentToMarkdown } from '../markdown/to-markdown.ts';
import { enteredOwner, requirePage, stored } from '../pages/page-values.ts';
import { lockPage, storeBindings } from '../pages/pages.store.ts';
import { publishText } from '../texts/publish.ts';
import { currentText } from '../texts/texts.store.ts';
import type { ArchiveTexts, ReadFile, Reference } from './archive-worker.ts';
import { documentNamed, type Files, importedFiles } from './imported-files.ts';
import { archiveLarge, FILE_BYTES, MOST_ENTRIES, TEXT_BYTES } from './limits.ts';
import { nodesOfFiles, type ShownFile } from './nodes-of-files.ts';

type Result = AnswerOf<(typeof documentEndpoints)['importDocuments']>;
type Body = BodyOf<(typeof documentEndpoints)['importDocuments']>;

/** The most files and problems in an answer. */
const MOST_PROBLEMS = 500;

/** A file of the archive that can be stored. */
interface ImportedText {
  path: string;
  name: string;
  locale: Locale;
  title: string;
  description: string;
  body: DocumentContent;
  references: readonly Reference[];
  type: DocumentType | null;
  keys: string[];
}

/**
 * Stores an archive: a document with the name of a file gets a new version if its text differs, and other names become
 * new documents in the category. A file that cannot be stored is reported and changes nothing; the others are stored
 * together, with the pictures and files that they show. What they cannot show is reported with its line. With `dryRun`,
 * only the result is computed.
 */
export async function importDocuments(parts: Files, caller: Caller, body: Body): Promise<Result> {
  const archive = await archiveOf(parts, caller, body);
  try {
    return await importArchive(parts, caller, archive, body);
  } finally {
    archive.close();
  }
}

async function importArchive(
  parts: Files,
  caller: Caller,
  archive: ZipReader,
  { categoryId, customerId, dryRun = false }: Body,
): Promise<Result> {
  const { db } = parts;
  const read = await inWorker<ArchiveTexts, ReadFile[]>(
    caller,
    new URL('./archive-worker.ts', import.meta.url),
    await textsOf(archive),
  );
  if (read.length === 0) throw new Problem('documentArchive', { field: 'content' });
  const result: Result = { created: 0, changed: 0, unchanged: 0, texts: [], problems: [], files: 0, leftOut: [] };
  const texts: ImportedText[] = [];
  for (const file of read) {
    const text = importedText(file);
    if (text) texts.push(text);
    else result.problems.push({ file: file.path, message: PROBLEMS[caller.locale] });
  }
  const owner = enteredOwner(caller, customerId);
  const files = importedFiles(parts, caller, owner, archive);
  for (const text of texts) result.leftOut.push(...(await files.prepare(text)));
  if (!dryRun) await files.upload();
  const undone = new Error('dry run');
  try {
    await db.transaction().execute(async (trx) => {
      for (const text of texts) {
        try {
          const show = (id: number) => files.show(trx, id, text).catch(stop);
          const { state, id } = await importOne(trx, caller, { customerId: owner, categoryId }, text, show);
          result[state] += 1;
          result.texts.push({ file: text.path, title: text.title, state, documentId: dryRun ? null : id });
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          result.problems.push({ file: text.path, message: error.envelope(caller.locale).message });
          result.leftOut = result.leftOut.filter(({ file }) => file !== text.path);
        }
      }
      result.files = files.added();
      if (dryRun) throw undone;
    });
  } catch (error) {
    if (error instanceof Stopped) throw error.problem;
    if (error !== undone) throw error;
  }
  if (!dryRun) files.finish();
  return {
    ...result,
    texts: result.texts.slice(0, MOST_PROBLEMS),
    problems: result.problems.slice(0, MOST_PROBLEMS),
    leftOut: result.leftOut.slice(0, MOST_PROBLEMS),
  };
}

/** A problem after which nothing is imported, such as a lack of space. */
class Stopped extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

function stop(error: unknown): never {
  throw error instanceof Problem ? new Stopped(error) : error;
}

/** The archive of a request. @throws {Problem} if it is none, or beyond the limits */
async function archiveOf({ store }: Files, caller: Caller, { content, key }: Body): Promise<ZipReader> {
  try {
    if (key === undefined) return await openZip(Buffer.from(content ?? '', 'base64'), MOST_ENTRIES);
    const place = { bucket: store.buckets.main, key };
    const isOwn = incomingPrefixesOf(caller.userId).some((prefix) => key.startsWith(prefix));
    const facts = isOwn ? await store.head(place) : null;
    if (!facts) throw new Problem('fileUnknown', { field: 'content' });
    if (facts.size > FILE_BYTES) throw archiveLarge();
    return await openZip({ reader: new ObjectReader(store, place, facts.size), size: facts.size }, MOST_ENTRIES);
  } catch (error) {
    if (!(error instanceof RefusedZip)) throw error;
    if (error.reason === 'many') throw archiveLarge();
    if (error.reason === 'outside') throw new Problem('documentArchiveOutside', { values: { path: error.path } });
    throw new Problem('documentArchive', { field: 'content' });
  }
}

/** The Markdown files of an archive. Files of macOS about other files are not among them. */
async function textsOf(archive: ZipReader): Promise<ArchiveTexts> {
  const entries = [...archive.entries.values()].filter(({ path }) => !path.startsWith('__MACOSX/'));
  const texts: { path: string; text: string }[] = [];
  let left = TEXT_BYTES;
  for (const { path, open } of entries.filter((entry) => /\.md$/i.test(entry.path) && !entry.isLink)) {
    const parts: Buffer[] = [];
    try {
      for await (const part of await open()) {
        left -= (part as Buffer).length;
        if (left < 0) throw archiveLarge();
        parts.push(part as Buffer);
      }
    } catch (error) {
      throw error instanceof Problem ? error : new Problem('documentFileDamaged', { values: { path } });
    }
    texts.push({ path, text: textOf(Buffer.concat(parts)) });
  }
  return { texts, paths: entries.map(({ path }) => path) };
}

/** The text of a file in UTF-8, or in GB 18030 as Chinese Windows writes it. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
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
    ...{ body: file.body, references: file.references },
    type,
    keys,
  };
}

async function importOne(
  trx: Kysely<Database>,
  caller: Caller,
  place: { customerId: number | null; categoryId: number },
  { name, locale, title, description, body: imported, references, type, keys }: ImportedText,
  /** the file of each reference, null without one */
  show: (id: number) => Promise<(ShownFile | null)[]>,
): Promise<{ id: number; state: 'created' | 'changed' | 'unchanged' }> {
  const existing = await documentNamed(trx, place.customerId, name);
  const id = existing ?? (await insertImported(trx, caller, place, { name, type, keys }));
  if (existing !== null) {
    const page = await lockPage(trx, caller, id);
    if (!page || !mayWriteDocument(caller, page)) throw new Problem('documentNameTaken', { field: 'name' });
  }
  const texts = await Promise.all(LOCALES.map((one) => currentText(trx, id, one)));
  const bodies = texts.flatMap((text) => (text ? [cleanContent(text.body)] : []));
  const body = cleanContent(nodesOfFiles(imported, { references, files: await show(id), texts: bodies }));
  const current = texts[LOCALES.indexOf(locale)] ?? null;
  const same = current && current.title === title && current.description === description;
  if (same && isSameText(cleanContent(current.body), body)) return { id, state: 'unchanged' };
  const version = (current?.version ?? 0) + 1;
  const follows = current?.follows ?? null;
  await publishText(trx, caller, { id, locale, version, follows, restored: null, title, description, body });
  await logAction(trx, caller, {
    ...{
      operation: existing === null ? 'new' : 'edit',
      objectType: 'document',
      objectId: String(id),
      objectName: name,
    },
    ...{ customerId: place.customerId, siteId: null, after: { locale, version, imported: true } },
  });
  return { id, state: existing === null ? 'created' : 'changed' };
}

/** True for equal contents, and for those that are equal in Markdown, which has no underlines and merged cells. */
function isSameText(one: DocumentContent, other: DocumentContent): boolean {
  const markdown = (content: DocumentContent) => contentToMarkdown(content, (id) => `files/${id}`);
  return JSON.stringify(one) === JSON.stringify(other) || markdown(one) === markdown(other);
}

async function insertImported(
  trx: Kysely<Database>,
  caller: Caller,
  { customerId, categoryId }: { customerId: number | null; categoryId: number },
  { name, type, keys }: { name: string; type: DocumentType | null; keys: string[] },
): Promise<number> {
  const levels = { readLevel: 5, writeLevel: caller.levels.wiki.write } as const;
  const bindings = type === null ? [] : keys.map((key) => ({ key, deviceModelId: null }));
  await requirePage(trx, caller, null, { name, customerId, type, categoryId, bindings, ...levels });
  const row = trx.insertInto('documents').values({
    ...{ name, customer_id: customerId, type, category_id: categoryId, icon: null, shipped: null },
    ...{ read_level: levels.readLevel, write_level: levels.writeLevel },
    ...{ created_by: caller.userId, created_by_name: caller.userName, updated_by_name: caller.userName },
  });
  const { id } = await stored(row.returning('id').executeTakeFirstOrThrow());
  await stored(storeBindings(trx, { id, customerId, type }, bindings));
  return id;
}
