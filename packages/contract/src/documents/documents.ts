import { CONTENT_BYTES, SEARCH_LENGTH } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { PictureKey } from '../fleet/files.ts';
import { MatchingRows } from '../lists.ts';
import {
  CommaList,
  Exact,
  FileContent,
  Id,
  IdList,
  IdParams,
  Page,
  Paging,
  Revision,
  SeenRevision,
  Words,
} from '../schemas.ts';
import {
  Bindings,
  CodeExplanation,
  CodeStatistics,
  DocumentDetail,
  DocumentHit,
  DocumentPage,
  DocumentRow,
  DocumentSummary,
  DocumentTitle,
  DocumentTypeNumber,
  DraftResult,
  EditedText,
  GivenFiles,
  LevelNumber,
  LocaleWord,
  NullableId,
  SavedDraft,
  SavedText,
  SaveResult,
  TRANSLATION_STATES,
  VersionRow,
  VersionText,
} from './schemas.ts';

export * from './schemas.ts';

const path = '/api/auth/sys/documents';

const READ = ['auth_docs_detail'] as const;
const ofDocument = { object: 'document', from: 'params.id' } as const;
/** Readers: the row decides about the read level. */
const reads = { route: { keys: READ }, row: ofDocument } as const;
/** Authors, of the owner or the platform vendor: they also need the write level of the document. */
const ofOwner = { ...ofDocument, owned: true } as const;
const edits = { route: { keys: ['auth_docs_edit'] }, row: ofOwner, level: { own: 'write' } } as const;
const writes = { route: { keys: ['auth_docs_content_edit'] }, row: ofOwner, level: { own: 'write' } } as const;

/** Lists with a fixed order. */
const { sort: _, ...pages } = Paging([]);
const Pages = Exact(pages);
const DocumentName = Type.String({ minLength: 1, maxLength: 100 });
const TextParams = Exact({ id: Id, locale: LocaleWord });
const VersionParams = Exact({
  ...TextParams.properties,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

const documentFilters = {
  search: Type.Optional(Type.String({ maxLength: 100 })),
  type: Type.Optional(DocumentTypeNumber),
  categoryId: Type.Optional(Id),
  /** documents of this customer */
  customerId: Type.Optional(Id),
  /** documents of the platform */
  platform: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
  deviceModelId: Type.Optional(Id),
  /** documents with a language in this state */
  translation: Type.Optional(Words(TRANSLATION_STATES)),
};
const LISTED = { route: { keys: ['auth_docs_list', 'auth_docs_home_list_all'] }, row: 'scope' } as const;

/** The customer of a document; null: the platform. */
const OWNER = { object: 'customer', from: 'body.customerId', optional: true, owned: true } as const;

const DocumentFields = {
  name: DocumentName,
  type: Type.Union([DocumentTypeNumber, Type.Null()]),
  categoryId: Id,
  readLevel: LevelNumber,
  writeLevel: LevelNumber,
  bindings: Bindings,
  icon: PictureKey,
  customerId: NullableId,
};

export const NewDocument = Exact({
  ...DocumentFields,
  icon: Type.Optional(PictureKey),
  bindings: Type.Optional(Bindings),
  /** the platform by default for users of the platform vendor, for others their customer */
  customerId: Type.Optional(NullableId),
  enabled: Type.Optional(Type.Boolean()),
  /** the first text, in this language */
  locale: LocaleWord,
  title: DocumentTitle,
  description: Type.Optional(DocumentSummary),
});
export type NewDocument = Static<typeof NewDocument>;

export const documentEndpoints = {
  readDocumentHome: endpoint({
    id: 'documents.home',
    method: 'GET',
    path: `${path}/home`,
    policy: { route: { keys: ['auth_docs_home_list_all'] }, row: 'scope' },
    effect: 'read',
    summary: 'Get the most read and recently changed documents, and those for open alarms',
    nameZh: '查看文档首页',
    answer: Exact({
      mostRead: Type.Array(DocumentRow),
      recent: Type.Array(DocumentRow),
      /** codes of open alarms with their number and their document */
      forAlarms: Type.Array(Exact({ code: Type.String(), open: Type.Integer(), document: CodeExplanation })),
    }),
  }),
  searchDocuments: endpoint({
    id: 'documents.search',
    method: 'GET',
    path: `${path}/search`,
    policy: { route: { keys: ['auth_docs_search'] }, row: 'scope' },
    effect: 'list',
    summary:
      'Search titles, headings, texts and names of attachments in both languages, Chinese also by pinyin. If nothing is found, typing errors are corrected, unless `exact` is true; otherwise those with most of the words are found',
    nameZh: '搜索文档',
    query: Exact({
      search: Type.String({ minLength: 1, maxLength: SEARCH_LENGTH }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
      exact: Type.Optional(Type.Boolean()),
    }),
    answer: Exact({
      items: Type.Array(DocumentHit),
      /** no section has all words: these have most of them */
      partial: Type.Boolean(),
      /** what was searched instead, without typing errors, because nothing was found for the search itself */
      corrected: Type.Union([Type.String(), Type.Null()]),
      /** a similar title or heading, when nothing was found */
      suggestion: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
  listDocuments: endpoint({
    id: 'documents.list',
    method: 'GET',
    path,
    policy: LISTED,
    effect: 'list',
    summary: 'List documents',
    nameZh: '查询文档列表',
    query: Exact({ ...Paging(['name', 'title', 'updatedAt', 'reads']), ...documentFilters }),
    answer: DocumentPage,
  }),
  selectDocuments: endpoint({
    id: 'documents.select',
    method: 'GET',
    path: `${path}/selection`,
    policy: LISTED,
    effect: 'list',
    summary: 'List the IDs and titles of all documents that match the filters, at most 10,000',
    nameZh: '按筛选条件选择文档',
    query: Exact(documentFilters),
    answer: MatchingRows,
  }),
  readDocument: endpoint({
    id: 'documents.read',
    method: 'GET',
    path: '/api/auth/sys/article/detail',
    policy: { route: { keys: READ }, row: 'scope' },
    effect: 'read',
    summary: 'Get a document by ID, by the code or key that it explains, or by its key if the product ships it',
    nameZh: '查看文档',
    query: Exact({
      id: Type.Optional(Id),
      type: Type.Optional(DocumentTypeNumber),
      code: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      deviceModelId: Type.Optional(Id),
      /** the key of a document that the product ships, such as a page of the manual */
      shipped: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      /** the language to show; the caller's by default */
      locale: Type.Optional(LocaleWord),
    }),
    answer: DocumentDetail,
  }),
  explainCodes: endpoint({
    id: 'documents.explain',
    method: 'GET',
    path: `${path}/explanations`,
    policy: { route: 'common', row: 'scope' },
    effect: 'list',
    summary: 'Get the short answers for codes or keys, where a document that the caller may read explains them',
    nameZh: '查询编码说明',
    query: Exact({
      type: DocumentTypeNumber,
      /** up to 200, separated by commas */
      codes: Type.String({ maxLength: 8_000 }),
      /** up to 100, separated by commas: documents about these models are returned too */
      deviceModelIds: Type.Optional(CommaList),
    }),
    answer: Exact({ items: Type.Array(CodeExplanation) }),
  }),
  listUnexplainedCodes: endpoint({
    id: 'documents.unexplained',
    method: 'GET',
    path: `${path}/unexplained`,
    policy: { route: { keys: ['auth_docs_add'] }, row: 'scope' },
    effect: 'list',
    summary: 'List alarm codes of the last 90 days without a document, most frequent first',
    nameZh: '查询缺少文档的告警码',
    query: Pages,
    answer: Page(Exact({ code: Type.String(), alarms: Type.Integer(), devices: Type.Integer() })),
  }),
  createDocument: endpoint({
    id: 'documents.create',
    method: 'POST',
    path,
    policy: { route: { keys: ['auth_docs_add'] }, row: OWNER, level: [{ area: 'wiki', verb: 'write', level: 4 }] },
    effect: 'create',
    summary: 'Add a document',
    nameZh: '新增文档',
    body: NewDocument,
    answer: Exact({ id: Id }),
  }),
  updateDocument: endpoint({
    id: 'documents.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: edits,
    effect: 'update',
    summary: 'Edit the properties of a document',
    nameZh: '编辑文档属性',
    params: IdParams,
    body: Exact({ ...Type.Partial(Exact(DocumentFields)).properties, revision: SeenRevision }),
    answer: Exact({ revision: Revision }),
  }),
  enableDocument: endpoint({
    id: 'documents.enable',
    method: 'POST',
    path: `${path}/:id/enable`,
    policy: edits,
    effect: 'update',
    summary: 'Enable a document',
    nameZh: '启用文档',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  disableDocument: endpoint({
    id: 'documents.disable',
    method: 'POST',
    path: `${path}/:id/disable`,
    policy: edits,
    effect: 'update',
    summary: 'Disable a document; only authors see it then',
    nameZh: '停用文档',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  deleteDocument: endpoint({
    id: 'documents.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: { ...edits, route: { keys: ['auth_docs_manage'] } },
    effect: 'delete',
    summary: 'Delete a document with all its versions',
    nameZh: '删除文档',
    params: IdParams,
    answer: Type.Null(),
  }),
  readText: endpoint({
    id: 'documents.text',
    method: 'GET',
    path: `${path}/:id/texts/:locale`,
    policy: writes,
    effect: 'read',
    summary: "Get one language of a document for editing, with the caller's draft",
    nameZh: '编辑文档正文',
    params: TextParams,
    answer: EditedText,
  }),
  saveText: endpoint({
    id: 'documents.saveText',
    method: 'PUT',
    path: `${path}/:id/texts/:locale`,
    policy: writes,
    effect: 'update',
    summary: 'Publish one language of a document; changes of others since are merged, or nothing is saved',
    nameZh: '发布文档正文',
    params: TextParams,
    body: Exact({
      ...SavedText.properties,
      /** the version of the other language that the author compared the text with: it is a translation of that one */
      translatedFrom: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      /** the caller's draft that this text includes, which is deleted; another one is kept */
      replaces: Type.Optional(SavedDraft.properties.replaces),
    }),
    bodyLimit: CONTENT_BYTES,
    answer: SaveResult,
  }),
  saveDraft: endpoint({
    id: 'documents.saveDraft',
    method: 'PUT',
    path: `${path}/:id/texts/:locale/draft`,
    policy: writes,
    effect: 'update',
    summary: "Save the caller's draft of one language, unless it was saved from another window since",
    nameZh: '保存文档草稿',
    params: TextParams,
    body: SavedDraft,
    bodyLimit: CONTENT_BYTES,
    answer: DraftResult,
  }),
  discardDraft: endpoint({
    id: 'documents.discardDraft',
    method: 'DELETE',
    path: `${path}/:id/texts/:locale/draft`,
    policy: writes,
    effect: 'update',
    summary: "Discard the caller's draft of one language",
    nameZh: '放弃文档草稿',
    params: TextParams,
    answer: Type.Null(),
  }),
  announceEditing: endpoint({
    id: 'documents.announceEditing',
    method: 'POST',
    path: `${path}/:id/texts/:locale/editing`,
    policy: writes,
    effect: 'update',
    summary: 'Tell other authors and windows that the caller has this language open; valid for 45 seconds',
    nameZh: '登记正在编辑',
    params: TextParams,
    body: Exact({ open: Type.Boolean(), windowId: Type.String({ format: 'uuid' }) }),
    answer: Exact({
      version: Type.Integer(),
      editors: EditedText.properties.editors,
    }),
  }),
  listVersions: endpoint({
    id: 'documents.versions',
    method: 'GET',
    path: `${path}/:id/texts/:locale/versions`,
    policy: writes,
    effect: 'list',
    summary: 'List the versions of one language, newest first',
    nameZh: '查询文档版本',
    params: TextParams,
    query: Pages,
    answer: Page(VersionRow),
  }),
  readVersion: endpoint({
    id: 'documents.version',
    method: 'GET',
    path: `${path}/:id/texts/:locale/versions/:version`,
    policy: writes,
    effect: 'read',
    summary: 'Get a version of one language',
    nameZh: '查看文档版本',
    params: VersionParams,
    answer: VersionText,
  }),
  restoreVersion: endpoint({
    id: 'documents.restoreVersion',
    method: 'POST',
    path: `${path}/:id/texts/:locale/versions/:version/restore`,
    policy: writes,
    effect: 'update',
    summary: 'Publish a former version of one language again, as a new version',
    nameZh: '恢复文档版本',
    params: VersionParams,
    body: Exact({}),
    answer: Exact({ version: Type.Integer(), files: GivenFiles }),
  }),
  voteDocument: endpoint({
    id: 'documents.vote',
    method: 'PUT',
    path: `${path}/:id/vote`,
    policy: reads,
    effect: 'update',
    summary: 'Say whether a document helped; null withdraws the vote',
    nameZh: '评价文档',
    params: IdParams,
    body: Exact({ helped: Type.Union([Type.Boolean(), Type.Null()]) }),
    answer: DocumentDetail.properties.votes,
  }),
  readCodeStatistics: endpoint({
    id: 'documents.statistics',
    method: 'GET',
    path: `${path}/:id/statistics`,
    policy: reads,
    effect: 'read',
    summary: "Get how often the document's alarm codes occurred in the caller's fleet, and what was done about them",
    nameZh: '查看告警码统计',
    params: IdParams,
    answer: CodeStatistics,
  }),
  exportDocuments: endpoint({
    id: 'documents.export',
    method: 'GET',
    path: `${path}/export`,
    policy: {
      route: { keys: ['auth_docs_manage'] },
      row: 'scope',
      level: [{ area: 'wiki', verb: 'download', level: 4 }],
    },
    effect: 'export',
    summary:
      'Export the documents that the caller may read as Markdown files in a zip archive, with the pictures and files in them that the caller may download',
    nameZh: '导出文档',
    query: Exact({ categoryId: Type.Optional(Id), ids: Type.Optional(IdList) }),
    answer: null,
  }),
  checkDocumentExport: endpoint({
    id: 'documents.checkExport',
    method: 'GET',
    path: `${path}/export/check`,
    policy: {
      route: { keys: ['auth_docs_manage'] },
      row: 'scope',
      level: [{ area: 'wiki', verb: 'download', level: 4 }],
    },
    effect: 'read',
    summary: 'Get what an export would contain, and which files it would leave out and why',
    nameZh: '检查文档导出',
    query: Exact({ categoryId: Type.Optional(Id), ids: Type.Optional(IdList) }),
    answer: Exact({
      documents: Type.Integer(),
      files: Type.Integer(),
      /** of the files together */
      bytes: Type.Integer(),
      leftOutFiles: Type.Integer(),
      /** where documents show the files that would be left out; at most 500 */
      leftOut: Type.Array(
        Exact({
          ...{ documentId: Type.Integer(), locale: LocaleWord, title: Type.String() },
          /** as the document calls the file, or its number */
          name: Type.String(),
          message: Type.String(),
        }),
      ),
    }),
  }),
  importDocuments: endpoint({
    id: 'documents.import',
    method: 'POST',
    path: `${path}/import`,
    policy: { route: { keys: ['auth_docs_manage'] }, row: OWNER, level: [{ area: 'wiki', verb: 'write', level: 4 }] },
    effect: 'create',
    summary:
      'Import Markdown files from a zip archive, as exported, with the pictures and files that they show; existing documents get a new version',
    nameZh: '导入文档',
    body: Exact({
      /** the archive; instead of `key`, for small ones */
      content: Type.Optional(FileContent),
      /** the archive as an upload of the caller in the incoming area (`storage.write`) */
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
      categoryId: Id,
      /** whose documents are changed and added; the platform by default for users of the platform vendor, for others their customer */
      customerId: Type.Optional(NullableId),
      /** the language of files that name none, such as those of other tools; without it, they are not imported */
      locale: Type.Optional(LocaleWord),
      dryRun: Type.Optional(Type.Boolean()),
    }),
    bodyLimit: 28 * 1024 * 1024,
    fileLimit: 20 * 1024 * 1024,
    answer: Exact({
      created: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      /** what happened to each file; at most 500 */
      texts: Type.Array(
        Exact({
          ...{ file: Type.String(), title: Type.String() },
          state: Type.Union([Type.Literal('created'), Type.Literal('changed'), Type.Literal('unchanged')]),
          /** null with `dryRun` */
          documentId: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
      /** files that are not imported, and what is wrong with them */
      problems: Type.Array(Exact({ file: Type.String(), message: Type.String() })),
      /** new pictures and other files */
      files: Type.Integer(),
      /** pictures and other files that the documents refer to and that were not imported, with the reason */
      leftOut: Type.Array(Exact({ file: Type.String(), line: Type.Integer(), message: Type.String() })),
      /** how many files name no language, neither in their name nor in their properties */
      withoutLocale: Type.Integer(),
      /** other files of the archive that no document shows, which are not imported; at most 500 */
      unused: Type.Array(Type.String()),
    }),
  }),
};
