import type { documentEndpoints, Locale, ResultOf } from '@chargehand/contract';
import {
  archivePaths,
  type Binding,
  cleanContent,
  contentPurpose,
  type DocumentContent,
  EMPTY_CONTENT,
  formatSize,
  visit,
  withoutEnd,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { AttachmentsRoom } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { type ZipPart, zipStream } from '../../platform/zip/zip-stream.ts';
import { contentToMarkdown } from '../markdown/to-markdown.ts';
import { bindingsOfEach, listPages, type PageFilters, type PageRecord, type Reader } from '../pages/pages.store.ts';
import { withShownMentions } from '../texts/mentions.store.ts';
import { currentTexts, filesShownBy, placesShowing, type ShownPlace } from '../texts/texts.store.ts';
import { withFrontMatter } from './front-matter.ts';
import { FILE_BYTES, MOST_FILES } from './limits.ts';

/** Documents and files that are looked up at once. */
const BATCH = 100;
const FILE_BATCH = 1_000;
/** Documents whose texts are in memory at once: a text has up to 4 MB. */
const TEXT_BATCH = 10;
/** The most places in the answer of a check. */
const MOST_PLACES = 500;

type ExportFilters = Pick<PageFilters, 'categoryId' | 'ids'>;

/** What the export needs of attachments. */
type Files = Pick<AttachmentsRoom, 'downloads' | 'openContent'>;

/** The files of an archive, and the problems of those that the caller may not download. */
interface Plan {
  documentIds: readonly number[];
  paths: ReadonlyMap<number, string>;
  /** of the files together */
  bytes: number;
  problems: ReadonlyMap<number, Problem>;
}

/** A file that a document shows and the archive does not contain. */
interface LeftOut {
  /** the Markdown file */
  document: string;
  name: string;
  message: string;
}

/**
 * Documents as a zip archive: a Markdown file for each language, `<name>.<language>.md`, and the pictures, videos and
 * attachments that they show. `left-out.txt` lists files that the caller may not download. The limits are checked
 * before the first byte.
 * @throws {Problem} documentExportLarge
 */
export async function exportDocuments(
  db: Kysely<Database>,
  files: Files,
  caller: Caller,
  filters: ExportFilters,
): Promise<AsyncGenerator<Buffer>> {
  const plan = await planOf(db, files, caller, filters);
  return zipStream(partsOf(db, files, caller, filters, plan));
}

/**
 * What an export would contain, and the files that it would leave out with their reasons, before it is requested.
 * @throws {Problem} documentExportLarge
 */
export async function checkExport(
  db: Kysely<Database>,
  files: Files,
  caller: Caller,
  filters: ExportFilters,
): Promise<ResultOf<(typeof documentEndpoints)['checkDocumentExport']>> {
  const { documentIds, paths, bytes, problems } = await planOf(db, files, caller, filters);
  const answer = { documents: documentIds.length, files: paths.size, bytes, leftOutFiles: problems.size };
  if (problems.size === 0) return { ...answer, leftOut: [] };
  const places = await placesShowing(db, { documentIds, fileIds: [...problems.keys()] }, MOST_PLACES);
  const leftOut = ({ documentId, locale, title, fileId, name }: ShownPlace) => {
    const message = messageOf(problems.get(fileId), caller.locale);
    return { documentId, locale, title, name: name || `#${fileId}`, message };
  };
  return { ...answer, leftOut: places.map(leftOut) };
}

async function planOf(db: Kysely<Database>, files: Files, caller: Caller, filters: ExportFilters): Promise<Plan> {
  const ids = new Set<number>();
  const documentIds: number[] = [];
  for await (const pages of exportedPages(db, caller, filters)) {
    const documents = pages.map(({ id }) => id);
    documentIds.push(...documents);
    for (const id of await filesShownBy(db, documents)) ids.add(id);
    if (ids.size > MOST_FILES) throw tooLarge();
  }
  const names: { id: number; name: string }[] = [];
  const problems = new Map<number, Problem>();
  let bytes = 0;
  const left = [...ids];
  while (left.length > 0) {
    for (const [id, file] of await files.downloads(caller, left.splice(0, FILE_BATCH))) {
      if (file instanceof Problem) problems.set(id, file);
      else {
        names.push({ id, name: file.name });
        bytes += file.size;
      }
    }
    if (bytes > FILE_BYTES) throw tooLarge();
  }
  const paths = archivePaths(names.map(({ name }) => [contentPurpose(name) === 'image' ? 'images' : 'files', name]));
  return { documentIds, paths: new Map(names.map(({ id }, index) => [id, paths[index]!])), bytes, problems };
}

function tooLarge(): Problem {
  return new Problem('documentExportLarge', { values: { most: MOST_FILES, limit: formatSize(FILE_BYTES) } });
}

async function* exportedPages(
  db: Kysely<Database>,
  caller: Reader & Pick<Caller, 'locale'>,
  filters: ExportFilters,
): AsyncGenerator<PageRecord[]> {
  const order = { by: 'name', descending: false } as const;
  for (let offset = 0; ; offset += BATCH) {
    const { items } = await listPages(db, caller, filters, order, { limit: BATCH, offset });
    yield items;
    if (items.length < BATCH) return;
  }
}

/** The files of an archive, in the order in which they are written. A text that changes meanwhile has no further files. */
async function* partsOf(
  db: Kysely<Database>,
  files: Files,
  caller: Caller,
  filters: ExportFilters,
  { paths, problems }: Plan,
): AsyncGenerator<ZipPart> {
  const names = new Set<string>();
  const shown = new Set<number>();
  const leftOut: LeftOut[] = [];
  for await (const pages of exportedPages(db, caller, filters)) {
    const byId = new Map(pages.map((page) => [page.id, page]));
    const bindings = await bindingsOfEach(db, [...byId.keys()]);
    for (let start = 0; start < pages.length; start += TEXT_BATCH) {
      const batch = pages.slice(start, start + TEXT_BATCH).map(({ id }) => id);
      for (const text of inOrder(batch, await currentTexts(db, batch))) {
        const { locale } = text;
        const page = byId.get(text.documentId)!;
        const path = unusedName(names, page.name, locale);
        const [body = EMPTY_CONTENT] = await withShownMentions(db, caller, [cleanContent(text.body)]);
        visit(body, ({ attrs }) => {
          if (attrs?.file === undefined) return;
          const id = Number(attrs.file);
          if (paths.has(id)) shown.add(id);
          else
            leftOut.push({ document: path, name: nameOf(attrs), message: messageOf(problems.get(id), caller.locale) });
        });
        const markdown = contentToMarkdown(body, (id) => linkTo(paths.get(Number(id)), id));
        const properties = {
          ...propertiesOf(page, text, locale, bindings.get(page.id) ?? []),
          ...sizesOf(body, paths),
        };
        yield { path, content: [withFrontMatter(properties, markdown)] };
      }
    }
  }
  for (const id of shown) {
    try {
      const { stream } = await files.openContent(id);
      yield { path: paths.get(id)!, content: stream, packed: true };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      leftOut.push({ document: '', name: paths.get(id)!, message: messageOf(error, caller.locale) });
    }
  }
  if (leftOut.length > 0) yield { path: 'left-out.txt', content: [leftOutText(leftOut, caller.locale)] };
}

/** Texts in the order of their documents. */
function inOrder<T extends { documentId: number }>(ids: readonly number[], texts: readonly T[]): T[] {
  return ids.flatMap((id) => texts.filter(({ documentId }) => documentId === id));
}

/** The link to a file: relative, so that it works in the unpacked folder; without a file in the archive only its id. */
function linkTo(path: string | undefined, id: string): string {
  return path === undefined ? `files/${id}` : path.replace(/[%#]/g, (mark) => (mark === '%' ? '%25' : '%23'));
}

function nameOf({ name, alt, file }: Record<string, unknown>): string {
  return String(name || alt || file);
}

const UNKNOWN: Record<Locale, string> = {
  'en-US': 'The file was added during the export.',
  'zh-CN': '该文件是在导出过程中添加的。',
};

function messageOf(problem: Problem | undefined, locale: Locale): string {
  return problem ? problem.envelope(locale).message : UNKNOWN[locale];
}

const LEFT_OUT: Record<Locale, string> = {
  'en-US': 'These files are not in the archive:',
  'zh-CN': '以下文件未包含在压缩包中：',
};

function leftOutText(leftOut: readonly LeftOut[], locale: Locale): string {
  const lines = leftOut.map(({ document, name, message }) =>
    [...(document === '' ? [] : [document]), name, message].join(' · '),
  );
  return `${[LEFT_OUT[locale], '', ...lines].join('\n')}\n`;
}

/** The sizes of pictures, which Markdown does not know: without them a page moves while its pictures arrive. */
function sizesOf(body: DocumentContent, paths: ReadonlyMap<number, string>) {
  const sizes: Record<string, [width: unknown, height: unknown]> = {};
  visit(body, ({ type, attrs }) => {
    const path = type === 'image' ? paths.get(Number(attrs?.file)) : undefined;
    if (path !== undefined && attrs?.width !== undefined) sizes[path] = [attrs.width, attrs.height];
  });
  return Object.keys(sizes).length > 0 ? { sizes } : {};
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

/** A file name that every system accepts and that no other entry has, in any case. */
function unusedName(used: Set<string>, name: string, locale: Locale): string {
  const allowed = name.replace(/[^\p{L}\p{N}._ -]/gu, '_');
  const start = allowed.replace(/^\.+/, '_');
  const shown = withoutEnd(start, '. ');
  const plain = (shown === start ? shown : `${shown}_`) || 'document';
  for (let count = 1; ; count += 1) {
    const path = `${plain}${count > 1 ? ` (${count})` : ''}.${locale}.md`;
    if (used.has(path.toLowerCase())) continue;
    used.add(path.toLowerCase());
    return path;
  }
}
