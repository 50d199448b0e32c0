import type { Locale } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { inWorker } from '../../platform/work/workers.ts';
import { publishText } from '../texts/publish.ts';
import { type CurrentText, currentText, readVersion } from '../texts/texts.store.ts';
import { SHIPPED_CATEGORIES } from './catalog.ts';
import {
  addCategories,
  addCodes,
  addDocuments,
  followVersions,
  lockShipped,
  type ShippedText,
  shippedDocuments,
  shippedTexts,
  storeShippedTexts,
} from './shipped.store.ts';
import { readShippedFiles, type ShippedFile } from './shipped-files.ts';
import type { ParsedFile } from './shipped-worker.ts';

/** The author of the shipped documents. */
const MAKER = { userId: null, userName: 'Chargehand' };

/**
 * Adds the documents that the product ships, and updates those whose text changed with this release. Documents that
 * an operator deleted stay deleted. A text that an operator edited stays the current one; the new one becomes a version
 * before it, which can be compared and restored. Safe to run at every start.
 * @returns how many texts were added or changed
 */
export async function ensureShippedDocuments(
  db: Kysely<Database>,
  { files = readShippedFiles }: { files?: () => Promise<ShippedFile[]> } = {},
): Promise<number> {
  const shipped = await files();
  if (changedOf(shipped, await shippedTexts(db)).length === 0) return 0;
  const parsed = await inWorker<ShippedFile[], ParsedFile[]>(
    'product',
    new URL('./shipped-worker.ts', import.meta.url),
    shipped,
  );
  return await db.transaction().execute(async (trx) => {
    await lockShipped(trx);
    const stored = await shippedTexts(trx);
    const changed = changedOf(parsed, stored);
    const known = new Set(stored.map(({ key }) => key));
    const added = changed.filter(({ key }) => !known.has(key));
    if (added.length > 0) {
      const wanted = new Set(added.map(({ category }) => category));
      const categories = await addCategories(trx, withParents(wanted));
      await addDocuments(trx, MAKER.userName, categories, added);
    }
    const documents = await shippedDocuments(trx);
    for (const file of changed.filter(({ key }) => known.has(key))) {
      const id = documents.get(file.key);
      const before = stored.find(({ key, locale }) => key === file.key && locale === file.locale);
      await storeShippedTexts(trx, [
        { ...file, version: id === undefined ? 1 : await updateText(trx, id, file, before) },
      ]);
    }
    return changed.length;
  });
}

/** The files whose text is not the one that was stored last. */
function changedOf<F extends ShippedFile>(files: readonly F[], stored: readonly ShippedText[]): F[] {
  const hashes = new Map(stored.map(({ key, locale, hash }) => [`${locale} ${key}`, hash]));
  return files.filter(({ key, locale, hash }) => hashes.get(`${locale} ${key}`) !== hash);
}

/** These categories and those above them, parents first. */
function withParents(wanted: ReadonlySet<string>) {
  return SHIPPED_CATEGORIES.filter(({ key }) => [...wanted].some((one) => one === key || one.startsWith(`${key}/`)));
}

/** Stores a new text of a document. @returns the version of the shipped text */
async function updateText(
  trx: Kysely<Database>,
  id: number,
  { locale, title, description, body, type, codes }: ParsedFile,
  before: ShippedText | undefined,
): Promise<number> {
  await addCodes(trx, id, type, codes);
  const current = await currentText(trx, id, locale);
  const version = (current?.version ?? 0) + 1;
  const follows = current?.follows ?? null;
  const edited = current !== null && !(await isShipped(trx, id, locale, current, before?.version));
  await publishText(trx, MAKER, { id, locale, version, title, description, body, follows, restored: null });
  if (edited) {
    const { title, description, body, version: restored } = current;
    const author = { userId: null, userName: current.updatedByName };
    await publishText(trx, author, { id, locale, version: version + 1, title, description, body, follows, restored });
  }
  await followVersions(trx, id, locale, edited ? { from: current.version, to: version + 1 } : { to: version });
  return version;
}

/** True when the current text is the one that was shipped, even if an operator edited it in between. */
async function isShipped(
  trx: Kysely<Database>,
  id: number,
  locale: Locale,
  current: CurrentText,
  version: number | undefined,
): Promise<boolean> {
  if (version === undefined || version === current.version) return version !== undefined;
  const shipped = await readVersion(trx, id, locale, version);
  const words = (text: Pick<CurrentText, 'title' | 'description' | 'body'>) =>
    JSON.stringify([text.title, text.description, text.body]);
  return shipped !== null && words(shipped) === words(current);
}
