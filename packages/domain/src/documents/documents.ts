import { type Level, type Levels, levelSuffices } from '../access/levels.ts';
import type { Scope } from '../access/scope.ts';
import { seesWholeCustomer } from '../devices/places.ts';

/** What a document explains, by the numbers of spec §3: an alarm code, a parameter, or a reading item. */
export const DOCUMENT_TYPES = { alarm: 100, config: 101, runInfo: 102 } as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[keyof typeof DOCUMENT_TYPES];
export const DOCUMENT_TYPE_NUMBERS: readonly DocumentType[] = Object.values(DOCUMENT_TYPES);

/** How long the editor keeps unsaved text in the browser, and how often it saves a draft (spec §9). */
export const DRAFT_SAVE_MS = 30_000;
export const DRAFT_KEPT_MS = 120_000;

/** Maximum number of images that can be inserted in one step (spec §9). */
export const EDITOR_FILES = 5;

/** Maximum number of codes or keys that one document explains, and of votes and versions that a page lists. */
export const MAX_BINDINGS = 200;

/** Maximum number of codes or keys that one request explains. */
export const MAX_EXPLAINED = 200;

/** Maximum number of device models of one request that explains codes. */
export const MAX_EXPLAINED_MODELS = 100;

/** Maximum depth of the category tree. */
export const CATEGORY_DEPTH = 4;

/** Who owns a document, its levels, and whether readers may see it. */
export interface DocumentAccess {
  /** null: of the platform, for the users of all customers */
  customerId: number | null;
  readLevel: Level;
  writeLevel: Level;
  enabled: boolean;
}

/** A user, as far as it decides which documents they may change. */
export interface DocumentEditor {
  customerId: number;
  platformVendor: boolean;
  levels: Levels;
}

/**
 * True when a user may change a document of a customer that they see, or of the platform: users of the platform vendor
 * change all, others those of their own customer. Nobody changes what they cannot read.
 */
export function mayWriteDocument(
  { customerId, platformVendor, levels }: DocumentEditor,
  document: DocumentAccess,
): boolean {
  return (
    (platformVendor || document.customerId === customerId) &&
    levelSuffices(levels.wiki.write, document.writeLevel) &&
    levelSuffices(levels.wiki.read, document.readLevel)
  );
}

/**
 * True when a user may read a document, as far as it can be said without its sites: of the platform, of their own
 * customer, or of a customer that they see as a whole. A disabled one is read only by those who may change it.
 */
export function mayReadDocument(user: DocumentEditor & { scope: Scope }, document: DocumentAccess): boolean {
  const { customerId, readLevel, enabled } = document;
  const sees = customerId === null || customerId === user.customerId || seesWholeCustomer(user.scope, customerId);
  return sees && levelSuffices(user.levels.wiki.read, readLevel) && (enabled || mayWriteDocument(user, document));
}

/**
 * True when a user may give a document these levels: only levels that they hold, so that nobody makes a document that
 * they cannot read or change themselves.
 */
export function mayGrantDocumentLevels(
  levels: Levels,
  { readLevel, writeLevel }: Pick<DocumentAccess, 'readLevel' | 'writeLevel'>,
) {
  return levelSuffices(levels.wiki.read, readLevel) && levelSuffices(levels.wiki.write, writeLevel);
}

/** A language version of a document as lists need it: its own version, and the one of the original that it follows. */
export interface TextState {
  updatedAt: Date | string;
  /** the version of the other language that this text was last compared with; null when it is the original */
  follows: number | null;
  version: number;
}

/** The state of a translation: `missing`, `outdated` when the other language changed since, or `current`. */
export type TranslationState = 'missing' | 'outdated' | 'current';

/** The state of one language of a document, given the text in the other language. */
export function translationState(text: TextState | null, other: TextState | null): TranslationState {
  if (!text) return 'missing';
  return other && text.follows !== null && text.follows < other.version ? 'outdated' : 'current';
}

/**
 * The language in which a reader sees a document: their own if it exists, otherwise another one.
 * @returns null when the document has no text
 */
export function shownLocale<L extends string>(wanted: L, existing: readonly L[]): L | null {
  return existing.includes(wanted) ? wanted : (existing[0] ?? null);
}

/** A code or key that a document explains: of one device model, or of every model. */
export interface Binding {
  key: string;
  deviceModelId: number | null;
}
