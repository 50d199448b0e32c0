import { type BodyOf, type documentEndpoints, LOCALES, type Locale, type ResultOf } from '@chargehand/contract';
import {
  cleanContent,
  DOCUMENT_TYPE_NUMBERS,
  type DocumentContent,
  type DocumentType,
  mayWriteDocument,
  storedContent,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import { incomingPrefixesOf } from '../../files/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { ObjectReader } from '../../platform/zip/object-reader.ts';
import { openZip, RefusedZip, type ZipReader } from '../../platform/zip/zip-reader.ts';
import { inTransaction } from '../../ports/events.ts';
import { publishDocuments } from '../document-changes.ts';
import { contentToMarkdown } from '../markdown/to-markdown.ts';
import { enteredOwner, requirePage } from '../pages/page-values.ts';
import { insertPage, lockPage, storeBindings } from '../pages/pages.store.ts';
import { EXPLANATIONS } from '../tables.ts';
import { publishText } from '../texts/publish.ts';
import { currentText } from '../texts/texts.store.ts';
import type { ArchiveTexts, DocumentLink, ReadFile, Reference } from './archive-worker.ts';
import { documentNamed, type Files, importedFiles } from './imported-files.ts';
import { withInnerArchives } from './inner-archives.ts';
import { archiveLarge, FILE_BYTES, MOST_ENTRIES, TEXT_BYTES } from './limits.ts';
import { withLinks } from './links-of-documents.ts';
import { nodesOfFiles, type ShownFile } from './nodes-of-files.ts';

type Result = ResultOf<(typeof documentEndpoints)['importDocuments']>;
type Body = BodyOf<(typeof documentEndpoints)['importDocuments']>;

/** The most files and problems in an answer. */
const MOST_PROBLEMS = 500;

/** A file of the archive that can be stored. */
interface ImportedText {
  path: string;
  name: string;
  locale: Locale;
  /** its file names no language */
  withoutLocale: boolean;
  title: string;
  description: string;
  body: DocumentContent;
  references: readonly Reference[];
  links: readonly DocumentLink[];
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
  const archive = await withInnerArchives(await archiveOf(parts, caller, body));
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
  { categoryId, customerId, locale, dryRun = false }: Body,
): Promise<Result> {
  const read = await inWorker<ArchiveTexts, ReadFile[]>(
    caller,
    new URL('./archive-worker.ts', import.meta.url),
    await textsOf(archive),
  );
  if (read.length === 0) throw new Problem('documentArchive', { field: 'content' });
  const result: Result = {
    created: 0,
    changed: 0,
    unchanged: 0,
    texts: [],
    problems: [],
    files: 0,
    leftOut: [],
    withoutLocale: 0,
    unused: [],
  };
  const texts: ImportedText[] = [];
  for (const file of read) {
    const text = importedText(file, locale);
    if (text?.withoutLocale) result.withoutLocale += 1;
    if (text?.locale) texts.push({ ...text, locale: text.locale });
    else result.problems.push({ file: file.path, message: (text ? NO_LANGUAGE : PROBLEMS)[caller.locale] });
  }
  nameApart(texts);
  result.unused = unusedOf(archive, read);
  const owner = enteredOwner(caller, customerId);
  const files = importedFiles(parts, caller, owner, archive);
  for (const text of texts) result.leftOut.push(...(await files.prepare(text)));
  if (!dryRun) await files.upload();
  const undone = new Error('dry run');
  try {
    await inTransaction(parts, async (trx, committed) => {
      const place = { customerId: owner, categoryId };
      // All documents exist before the first text is stored, because texts link to each other.
      const ids = new Map<string, number>();
      const added = new Set<number>();
      for (const text of texts) {
        try {
          ids.set(text.path, await documentOf(trx, caller, place, text, added));
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          result.problems.push({ file: text.path, message: error.envelope(caller.locale).message });
        }
      }
      for (const text of texts) {
        const id = ids.get(text.path);
        if (id === undefined) {
          result.leftOut = result.leftOut.filter(({ file }) => file !== text.path);
          continue;
        }
        try {
          for (const { url, line, path } of text.links) {
            if (path !== null && ids.has(path)) continue;
            const { message } = new Problem('documentFileMissing', { values: { path: url.slice(0, 200) } }).envelope(
              caller.locale,
            );
            result.leftOut.push({ file: text.path, line, message });
          }
          const linked = { ...text, body: withLinks(text.body, text.links, ids) };
          const show = () => files.show(trx, id, text).catch(stop);
          const state = await importOne(trx, caller, { customerId: owner, id, isNew: added.delete(id) }, linked, show);
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
      if (result.created + result.changed > 0) publishDocuments(committed);
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

/** What macOS and Windows add to an archive: files about other files and folders. */
const OF_SYSTEM = /(^|\/)(__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** The Markdown files of an archive. */
async function textsOf(archive: ZipReader): Promise<ArchiveTexts> {
  const entries = [...archive.entries.values()].filter(({ path }) => !OF_SYSTEM.test(path));
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
  'en-US': 'The file is longer than 2 million characters, is nested too deep, or has no name.',
  'zh-CN': '文件超过 200 万字符、嵌套过深，或没有名称。',
};
const NO_LANGUAGE: Record<Locale, string> = {
  'en-US': 'The file names no language. Choose the language of such files.',
  'zh-CN': '文件未注明语言，请选择此类文件的语言。',
};

/** Notion adds the id of a page to the names of its file and folder. */
const NOTION_ID = / [0-9a-f]{32}$/;

/** Files of an archive of another tool that have the same name in several folders are named with their folder. */
function nameApart(texts: ImportedText[]): void {
  const named = Map.groupBy(texts, ({ name, locale }) => `${locale} ${name.toLowerCase()}`);
  for (const text of [...named.values()].flatMap((same) => (same.length > 1 ? same : []))) {
    if (!text.withoutLocale) continue;
    const folder = text.path.split('/').at(-2)?.replace(NOTION_ID, '');
    if (folder) text.name = `${folder} ${text.name}`.slice(0, 100);
  }
}

/** The files of an archive that no document shows. Those that macOS and Windows add are not worth a word. */
function unusedOf(archive: ZipReader, read: readonly ReadFile[]): string[] {
  const used = new Set(
    read.flatMap((file) => [
      file.path,
      ...('problem' in file
        ? []
        : file.references.flatMap(({ target }) => (target.to === 'entry' ? [target.path] : []))),
    ]),
  );
  const paths = [...archive.entries.keys()].filter((path) => !used.has(path) && !OF_SYSTEM.test(path));
  return paths.slice(0, MOST_PROBLEMS);
}

/** A text with its language: its own, or the given one; without both, null. */
function importedText(
  file: ReadFile,
  fallback: Locale | undefined,
): (Omit<ImportedText, 'locale'> & { locale: Locale | null }) | null {
  if ('problem' in file) return null;
  const base = file.path.split(/[/\\]/).at(-1)!.replace(/\.md$/i, '');
  const named = /^(.*)\.(en-US|zh-CN)$/.exec(base);
  const text = (key: string, most: number) => {
    const value = file.values[key];
    return typeof value === 'string' ? value.trim().slice(0, most) : undefined;
  };
  const own = LOCALES.find((one) => one === (text('locale', 5) ?? named?.[2]));
  const name = text('name', 100) ?? (named?.[1] ?? base.replace(NOTION_ID, '')).slice(0, 100);
  const heading = file.body.content
    .find(({ type }) => type === 'heading')
    ?.content?.map((node) => node.text ?? '')
    .join('');
  const title = text('title', 200) || heading?.slice(0, 200) || name;
  if (!name) return null;
  const type = DOCUMENT_TYPE_NUMBERS.find((one) => one === file.values.type) ?? null;
  const codes = Array.isArray(file.values.codes) ? file.values.codes.filter((one) => typeof one === 'string') : [];
  // Codes of one device model name the model, which this system may not have.
  const keys = codes.filter((code) => !code.includes(': ')).slice(0, 200);
  return {
    path: file.path,
    name,
    locale: own ?? fallback ?? null,
    withoutLocale: own === undefined,
    title,
    description: text('description', 1_000) ?? '',
    ...{ body: file.body, references: file.references, links: file.links },
    type,
    keys,
  };
}

/** The document of a text, which is created if there is none with its name. @param added gets the ids of new ones */
async function documentOf(
  trx: Kysely<Database>,
  caller: Caller,
  place: { customerId: number | null; categoryId: number },
  text: ImportedText,
  added: Set<number>,
): Promise<number> {
  const existing = await documentNamed(trx, place.customerId, text.name);
  if (existing === null) {
    const id = await insertImported(trx, caller, place, text);
    added.add(id);
    return id;
  }
  const page = added.has(existing) ? null : await lockPage(trx, caller, existing);
  if (!added.has(existing) && (!page || !mayWriteDocument(caller, page)))
    throw new Problem('documentNameTaken', { field: 'name' });
  return existing;
}

async function importOne(
  trx: Kysely<Database>,
  caller: Caller,
  { customerId, id, isNew }: { customerId: number | null; id: number; isNew: boolean },
  { name, locale, title, description, body: imported, references }: ImportedText,
  /** the file of each reference, null without one */
  show: () => Promise<(ShownFile | null)[]>,
): Promise<'created' | 'changed' | 'unchanged'> {
  const texts = await Promise.all(LOCALES.map((one) => currentText(trx, id, one)));
  const bodies = texts.flatMap((text) => (text ? [cleanContent(text.body)] : []));
  const body = storedContent(nodesOfFiles(imported, { references, files: await show(), texts: bodies }));
  const current = texts[LOCALES.indexOf(locale)] ?? null;
  const same = current && current.title === title && current.description === description;
  if (same && isSameText(storedContent(current.body), body)) return 'unchanged';
  const version = (current?.version ?? 0) + 1;
  const follows = current?.follows ?? null;
  await publishText(trx, caller, { id, locale, version, follows, restored: null, title, description, body });
  await logAction(trx, caller, {
    ...{
      operation: isNew ? 'new' : 'edit',
      objectType: 'document',
      objectId: String(id),
      objectName: name,
    },
    ...{ customerId, siteId: null, after: { locale, version, imported: true } },
  });
  return isNew ? 'created' : 'changed';
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
  const row = insertPage(trx, {
    ...{ name, customer_id: customerId, type, category_id: categoryId, icon: null, shipped: null },
    ...{ read_level: levels.readLevel, write_level: levels.writeLevel },
    ...{ created_by: caller.userId, created_by_name: caller.userName, updated_by_name: caller.userName },
  });
  const id = await explained(row, EXPLANATIONS);
  await explained(storeBindings(trx, { id, customerId, type }, bindings), EXPLANATIONS);
  return id;
}
