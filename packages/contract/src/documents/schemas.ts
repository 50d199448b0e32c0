import {
  DOCUMENT_TYPE_NUMBERS,
  type DocumentContent,
  type DocumentType,
  type Level,
  MAX_BINDINGS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES } from '../constants.ts';
import { Exact, Id, Lines, NullableText, NullableTime, Page, Revision, Time, Words } from '../schemas.ts';

export const LocaleWord = Words(LOCALES);
export const LevelNumber = Type.Unsafe<Level>({ type: 'integer', minimum: 0, maximum: 5 });
export const DocumentTypeNumber = Type.Unsafe<DocumentType>({ type: 'integer', enum: [...DOCUMENT_TYPE_NUMBERS] });
export const NullableId = Type.Union([Id, Type.Null()]);

/** The tree of an editor. The server cleans it (`cleanContent` of the domain) before it is stored and before it is read. */
export const Content = Type.Unsafe<DocumentContent>({
  type: 'object',
  additionalProperties: true,
  // Texts at any depth: code has several lines.
  properties: { text: Lines({ maxLength: 0 }) },
});

export const DocumentTitle = Type.String({ minLength: 1, maxLength: 200 });
export const DocumentSummary = Lines({ maxLength: 1_000 });

/** A code or key that a document explains: of one device model, or of all. */
export const BindingInput = Exact({ key: Type.String({ minLength: 1, maxLength: 100 }), deviceModelId: NullableId });
export const Bindings = Type.Array(BindingInput, { maxItems: MAX_BINDINGS });
const BindingRow = Exact({ ...BindingInput.properties, model: NullableText });

export const CategoryRow = Exact({
  id: Id,
  parentId: NullableId,
  nameEn: Type.String(),
  nameZh: Type.String(),
  /** documents in this category, without those of its subcategories, that the caller may read */
  documents: Type.Integer({ minimum: 0 }),
});
export type CategoryRow = Static<typeof CategoryRow>;

export const TRANSLATION_STATES = ['missing', 'outdated', 'current'] as const;

/** The state of one language of a document. */
const Translation = Exact({ locale: LocaleWord, state: Words(TRANSLATION_STATES), updatedAt: NullableTime });

export const DocumentRow = Exact({
  id: Id,
  /** the owner; null: the platform, for the users of all customers */
  customerId: NullableId,
  customer: NullableText,
  name: Type.String(),
  /** in the caller's language, or in the other one */
  title: NullableText,
  description: Type.String(),
  /** the language of the title; null when the document has no text yet */
  locale: Type.Union([LocaleWord, Type.Null()]),
  type: Type.Union([DocumentTypeNumber, Type.Null()]),
  categoryId: Id,
  icon: NullableText,
  readLevel: LevelNumber,
  writeLevel: LevelNumber,
  enabled: Type.Boolean(),
  updatedAt: Time,
  updatedBy: Type.String(),
  /** how often it was opened in the last 90 days; a reader counts once a day */
  reads: Type.Integer({ minimum: 0 }),
  translations: Type.Array(Translation),
});
export type DocumentRow = Static<typeof DocumentRow>;
export const DocumentPage = Page(DocumentRow);

const Person = Exact({ userId: Type.Integer(), userName: Type.String() });

/** A document as a reader sees it (spec §7, `article/detail`). */
export const DocumentDetail = Exact({
  ...DocumentRow.properties,
  body: Content,
  /** the version of the shown text */
  version: Type.Integer(),
  bindings: Type.Array(BindingRow),
  createdAt: Time,
  createdBy: Type.String(),
  /** of the editable properties */
  revision: Revision,
  votes: Exact({
    helped: Type.Integer(),
    notHelped: Type.Integer(),
    own: Type.Union([Type.Boolean(), Type.Null()]),
  }),
  may: Exact({ edit: Type.Boolean() }),
});
export type DocumentDetail = Static<typeof DocumentDetail>;

const DraftId = Type.String({ format: 'uuid' });
const NullableDraftId = Type.Union([DraftId, Type.Null()]);

/** Text of the caller that was saved and not published. */
const Draft = Exact({
  draftId: DraftId,
  /** the version that they started from */
  baseVersion: Type.Integer(),
  title: Type.String(),
  description: Type.String(),
  body: Content,
  savedAt: Time,
});

/** One language of a document in the editor. */
export const EditedText = Exact({
  documentId: Id,
  locale: LocaleWord,
  /** 0: this language has no text yet */
  version: Type.Integer({ minimum: 0 }),
  title: Type.String(),
  description: Type.String(),
  body: Content,
  updatedAt: NullableTime,
  updatedBy: NullableText,
  draft: Type.Union([Draft, Type.Null()]),
  /** the other language: its current version, and the one that this text was translated from */
  other: Exact({ version: Type.Integer(), follows: Type.Union([Type.Integer(), Type.Null()]) }),
  /** others who have this language open in an editor */
  editors: Type.Array(Person),
});
export type EditedText = Static<typeof EditedText>;

/** What an author saves: the text, and the version that they started from. */
export const SavedText = Exact({
  title: DocumentTitle,
  description: DocumentSummary,
  body: Content,
  baseVersion: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
});
export type SavedText = Static<typeof SavedText>;

/** A draft with the one that it replaces, so that a window never overwrites what another one of the author saved. */
export const SavedDraft = Exact({
  ...SavedText.properties,
  title: Type.String({ maxLength: 200 }),
  /** the new ID of this text, chosen by the caller, who recognizes it when an answer was lost */
  draftId: DraftId,
  /** the draft on the server that the caller knows; null: none */
  replaces: NullableDraftId,
});

/** `conflict`: the server has another draft of the caller than the one to replace, and nothing was saved. */
export const DraftResult = Type.Union([
  Exact({ state: Words(['saved'] as const), savedAt: Time }),
  Exact({ state: Words(['conflict'] as const), draft: Draft }),
]);
export type DraftResult = Static<typeof DraftResult>;

/** What a change of a text did to the files in it. Only its author gives files, and only those that they may give. */
export const GivenFiles = Exact({
  /** the files that the readers of the document can open from now on, by name */
  opened: Type.Array(Type.String()),
  /** the number of files that the text names and that the author may not give: its readers do not see them */
  withheld: Type.Integer({ minimum: 0 }),
  /** the number of files that the readers can no longer open, because no text shows them */
  ended: Type.Integer({ minimum: 0 }),
});
export type GivenFiles = Static<typeof GivenFiles>;

/**
 * The result of saving. `merged`: another author's change was combined with this one. `conflict`: both changed the same
 * part, so nothing was saved; the answer has the other text, so that the author can compare them.
 */
export const SaveResult = Type.Union([
  Exact({
    state: Words(['saved', 'merged'] as const),
    version: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    body: Content,
    files: GivenFiles,
  }),
  Exact({
    state: Words(['conflict'] as const),
    version: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    body: Content,
    updatedBy: Type.String(),
    updatedAt: Time,
  }),
]);
export type SaveResult = Static<typeof SaveResult>;

export const VersionRow = Exact({
  version: Type.Integer(),
  title: Type.String(),
  author: Type.String(),
  createdAt: Time,
  /** the version that it restored */
  restored: Type.Union([Type.Integer(), Type.Null()]),
});
export const VersionText = Exact({
  ...VersionRow.properties,
  description: Type.String(),
  body: Content,
});

export const DocumentHit = Exact({
  documentId: Id,
  locale: LocaleWord,
  title: Type.String(),
  /** the heading of the section, and its place in the page; null above the first heading */
  heading: NullableText,
  anchor: NullableText,
  /** text around the hit; `start` and `length` of what was found in it */
  excerpt: Type.String(),
  marks: Type.Array(Exact({ start: Type.Integer(), length: Type.Integer() })),
});
export type DocumentHit = Static<typeof DocumentHit>;

/** The short answer about a code or key: what it means and what to do first. */
export const CodeExplanation = Exact({
  key: Type.String(),
  /** the device model that the document is about; null: all models */
  deviceModelId: NullableId,
  documentId: Id,
  title: Type.String(),
  description: Type.String(),
  locale: LocaleWord,
});
export type CodeExplanation = Static<typeof CodeExplanation>;

const Counted = Exact({ name: Type.String(), count: Type.Integer() });

/** How often a code occurred in the caller's fleet in the last 90 days, and what was done about it. */
export const CodeStatistics = Exact({
  days: Type.Integer(),
  alarms: Type.Integer(),
  open: Type.Integer(),
  devices: Type.Integer(),
  lastAt: NullableTime,
  models: Type.Array(Counted),
  firmware: Type.Array(Counted),
  /** commands within an hour after an alarm, and the alarms that did not return within a day after them */
  commands: Type.Array(Exact({ kind: Type.String(), count: Type.Integer(), resolved: Type.Integer() })),
});
export type CodeStatistics = Static<typeof CodeStatistics>;
