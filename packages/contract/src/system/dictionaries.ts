import {
  DICTIONARY_CODE_LENGTH,
  DICTIONARY_IMPORT_BYTES,
  DICTIONARY_MAX_POSITION,
  DICTIONARY_NAME_LENGTH,
  REGION_LEVELS,
} from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, FileContent, Id, IdParams, NullableText, NullableTime, Page, Paging, Time, Words } from '../schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: DICTIONARY_NAME_LENGTH });
const Position = Type.Integer({ minimum: 0, maximum: DICTIONARY_MAX_POSITION });
const Value = Exact({
  ...{ nameEn: Type.String(), nameZh: Type.String(), enabled: Type.Boolean(), position: Position },
  /** of regions: the code of the region that it is part of; countries have none */
  parent: Type.Optional(Type.String()),
});
const NullableValue = Type.Union([Value, Type.Null()]);
const Code = Type.String({ minLength: 1, maxLength: DICTIONARY_CODE_LENGTH });
/** The last recorded change of an entry as the editor saw it; 0: none. */
const SeenChange = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

export const DictionaryRow = Exact({
  code: Type.String(),
  ...Value.properties,
  /** the shipped value; null: the installation added the entry */
  byDefault: NullableValue,
  /** the installation added or changed it */
  changed: Type.Boolean(),
  /** its last recorded change; 0: none */
  change: SeenChange,
  changedAt: NullableTime,
  changedBy: NullableText,
});
export type DictionaryRow = Static<typeof DictionaryRow>;

export const RegionEntryRow = Exact({
  ...DictionaryRow.properties,
  level: Words(REGION_LEVELS),
  /** the names of the regions above it in the language of the request, from the country down; empty for countries */
  parentName: Type.String(),
});
export type RegionEntryRow = Static<typeof RegionEntryRow>;

export const DICTIONARY_ACTIONS = ['add', 'edit', 'remove', 'reset', 'undo'] as const;

export const DictionaryChangeRow = Exact({
  id: Id,
  code: Type.String(),
  at: Time,
  by: Type.String(),
  action: Words(DICTIONARY_ACTIONS),
  /** null: the default, or no entry */
  before: NullableValue,
  after: NullableValue,
  /** the shipped value; null: the installation added the entry */
  byDefault: NullableValue,
  /** the change that this one undid */
  undoes: Type.Union([Id, Type.Null()]),
  /** nothing changed the entry since */
  undoable: Type.Boolean(),
});
export type DictionaryChangeRow = Static<typeof DictionaryChangeRow>;

export const DICTIONARY_IMPORT_RESULTS = ['add', 'change', 'fault'] as const;

/** A row of a file that changes an entry, or that cannot be imported. */
export const DictionaryImportRow = Exact({
  /** as the spreadsheet numbers it */
  row: Type.Integer(),
  code: Type.String(),
  result: Words(DICTIONARY_IMPORT_RESULTS),
  /** the entry as it is; null: it is new */
  before: NullableValue,
  /** null: the row cannot be read */
  after: NullableValue,
  /** what is wrong and how to fix it, in the caller's language */
  problems: Type.Array(Type.String()),
});
export type DictionaryImportRow = Static<typeof DictionaryImportRow>;

/** What can use an entry. */
export const DICTIONARY_USERS = ['alarms', 'issues', 'customers', 'sites', 'regions'] as const;

/** Numbers of uses are counted up to this. */
export const DICTIONARY_USES_COUNTED = 1_000;

const Named = Type.Array(
  Exact({ code: Type.String(), nameEn: Type.String(), nameZh: Type.String(), enabled: Type.Boolean() }),
);

const { page, pageSize } = Paging([]);
const RegionPaging = { page, pageSize };
/** true: only entries that the installation changed or added */
const OnlyChanged = Type.Optional(Type.Boolean());

const path = '/api/auth/sys/dictionary';
/** Names concern all customers. */
const policy = { route: { keys: ['auth_system_dictionary'] }, who: 'vendor', row: 'shared' } as const;
const DictionaryParams = Exact({ dictionary: Type.String({ maxLength: 40 }) });

/** The names that an installation can change: of alarm codes, of causes, remedies and labels of issues, and of regions. */
export const dictionaryEndpoints = {
  listDictionary: endpoint({
    id: 'dictionary.list',
    method: 'GET',
    path: `${path}/:dictionary/entries`,
    policy,
    effect: 'read',
    summary: 'Get all entries of a dictionary: the shipped ones with the names of the installation, and its own',
    nameZh: '查询字典',
    params: DictionaryParams,
    answer: Exact({ items: Type.Array(DictionaryRow) }),
  }),
  listRegionEntries: endpoint({
    id: 'dictionary.regions',
    method: 'GET',
    path: `${path}/regions/page`,
    policy,
    effect: 'list',
    summary: 'List regions, each before those below it. Search finds its text in the code or a name',
    nameZh: '查询地区字典',
    query: Exact({ ...RegionPaging, search: Type.Optional(Type.String({ maxLength: 100 })), changed: OnlyChanged }),
    answer: Page(RegionEntryRow),
  }),
  createDictionaryEntry: endpoint({
    id: 'dictionary.create',
    method: 'POST',
    path: `${path}/:dictionary/entries`,
    policy,
    effect: 'create',
    summary: 'Add an entry to a dictionary',
    nameZh: '新增字典条目',
    params: DictionaryParams,
    body: Exact({
      code: Code,
      ...{ nameEn: Name, nameZh: Name },
      position: Type.Optional(Position),
      parent: Type.Optional(Code),
    }),
    answer: Type.Null(),
  }),
  updateDictionaryEntry: endpoint({
    id: 'dictionary.update',
    method: 'PUT',
    path: `${path}/:dictionary/entries`,
    policy,
    effect: 'update',
    summary: 'Change an entry of a dictionary. Rejected when it was changed after `change`',
    nameZh: '修改字典条目',
    params: DictionaryParams,
    body: Exact({
      code: Code,
      ...{ nameEn: Name, nameZh: Name },
      enabled: Type.Optional(Type.Boolean()),
      position: Type.Optional(Position),
      change: SeenChange,
    }),
    answer: Type.Null(),
  }),
  removeDictionaryEntry: endpoint({
    id: 'dictionary.remove',
    method: 'DELETE',
    path: `${path}/:dictionary/entries`,
    policy,
    effect: 'delete',
    summary: 'Return an entry to its default, or remove one without a default that is not used',
    nameZh: '移除或恢复字典条目',
    params: DictionaryParams,
    query: Exact({ code: Code, change: SeenChange }),
    answer: Type.Null(),
  }),
  readDictionaryUses: endpoint({
    id: 'dictionary.uses',
    method: 'GET',
    path: `${path}/:dictionary/uses`,
    policy,
    effect: 'read',
    summary: 'Get where an entry is used. Each kind is counted up to 1,000',
    nameZh: '查询字典条目的使用情况',
    params: DictionaryParams,
    query: Exact({ code: Code }),
    answer: Exact({ items: Type.Array(Exact({ kind: Words(DICTIONARY_USERS), count: Type.Integer() })) }),
  }),
  listDictionaryChanges: endpoint({
    id: 'dictionary.changes',
    method: 'GET',
    path: `${path}/:dictionary/changes`,
    policy,
    effect: 'read',
    summary: 'Get the recorded changes of a dictionary or of one of its entries, newest first, 50 at a time',
    nameZh: '查询字典修改记录',
    params: DictionaryParams,
    query: Exact({ code: Type.Optional(Code), before: Type.Optional(Id) }),
    answer: Exact({ items: Type.Array(DictionaryChangeRow), more: Type.Boolean() }),
  }),
  undoDictionaryChange: endpoint({
    id: 'dictionary.undo',
    method: 'POST',
    path: `${path}/changes/:id/undo`,
    policy,
    effect: 'update',
    summary: 'Undo a change of an entry that was not changed since',
    nameZh: '撤销字典修改',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  exportDictionary: endpoint({
    id: 'dictionary.export',
    method: 'GET',
    path: `${path}/:dictionary/export`,
    policy,
    effect: 'export',
    summary: "Export all entries of a dictionary as .xlsx. Headings are in the caller's language",
    nameZh: '导出字典',
    params: DictionaryParams,
    answer: null,
  }),
  importDictionary: endpoint({
    id: 'dictionary.import',
    method: 'POST',
    path: `${path}/:dictionary/import`,
    policy,
    effect: 'update',
    summary:
      'Add and change the entries of an .xlsx file, all or none. A dry run changes nothing and returns what would change',
    nameZh: '导入字典',
    params: DictionaryParams,
    // The file in base64 plus a small allowance for the other fields.
    bodyLimit: Math.ceil(DICTIONARY_IMPORT_BYTES / 3) * 4 + 64 * 1024,
    fileLimit: DICTIONARY_IMPORT_BYTES,
    body: Exact({
      fileName: Type.String({ minLength: 1, maxLength: 255 }),
      content: FileContent,
      dryRun: Type.Boolean(),
      /** the last change of the dictionary that the dry run returned. Rejected when there is a later one */
      change: Type.Optional(SeenChange),
    }),
    answer: Exact({
      added: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      /** rows with problems */
      faulty: Type.Integer(),
      /** the last recorded change of the dictionary; 0: none */
      change: SeenChange,
      /** the rows of a dry run that change an entry or have problems */
      rows: Type.Array(DictionaryImportRow),
    }),
  }),
  readDictionaryNames: endpoint({
    id: 'dictionary.names',
    method: 'GET',
    path: `${path}/names`,
    policy: { route: 'common', row: 'shared' },
    effect: 'read',
    summary:
      'Get the causes, remedies and labels of issues in their order. Those that are not enabled cannot be chosen',
    nameZh: '获取原因和处理措施名称',
    answer: Exact({ causes: Named, remedies: Named, labels: Named }),
  }),
};
