import {
  ALARM_LEVELS,
  ALL_CONTROL_READINGS,
  type ControlType,
  type Level,
  MAX_CONNECTORS,
  MAX_CONTROL_TYPE,
  MAX_RULE_SECONDS,
  MAX_RULE_VALUES,
  MAX_RULES,
  MODEL_PROTOCOLS,
  PRECONDITIONS,
  PROTOCOL_KEY_PATTERN,
  RULE_CONDITIONS,
  RULE_KINDS,
  SILENCE_SECONDS,
} from '@chargehand/domain';
import { type Static, type TSchema, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Lines, NullableText, NullableTime, Page, Paging, Time, Words } from '../schemas.ts';
import { ItemKey, ItemTypeSchema, RangeText, UnitText } from './data-items.ts';

const Search = Type.Optional(Type.String({ maxLength: 100 }));
const Name = Type.String({ minLength: 1, maxLength: 64 });
const Vendor = Type.String({ maxLength: 64 });
const LevelSchema = Type.Unsafe<Level>({ type: 'integer', minimum: 0, maximum: 5 });
const DeviceTypeSchema = Type.Integer({ minimum: 1, maximum: 6 });
const FileKey = Type.Union([Type.String({ maxLength: 300 }), Type.Null()]);
const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Named = Exact({ en: Name, zh: Name });
const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

export const DeviceModelRow = Exact({
  id: Id,
  name: Type.String(),
  type: Type.Integer(),
  vendor: Type.String(),
  tolerant: Type.Boolean(),
  iconKey: NullableText,
  parentId: Nullable(Id),
  parentName: NullableText,
  version: Version,
  changedAt: Time,
});
export type DeviceModelRow = Static<typeof DeviceModelRow>;

/** What devices of a model speak and how many connectors they have; null where the model does not say. */
const deviceFields = {
  protocol: Nullable(Words(MODEL_PROTOCOLS)),
  connectorCount: Nullable(Type.Integer({ minimum: 1, maximum: MAX_CONNECTORS })),
};
/** Left out, they stay as they are. */
const editedDeviceFields = {
  protocol: Type.Optional(deviceFields.protocol),
  connectorCount: Type.Optional(deviceFields.connectorCount),
};
/** Seconds without a message after which a device without a connection of its own counts as disconnected; null: the default. */
const SilenceSeconds = Nullable(Type.Integer({ minimum: SILENCE_SECONDS.least, maximum: SILENCE_SECONDS.most }));

/** What people say of a model itself. */
const baseFields = {
  name: Name,
  type: DeviceTypeSchema,
  parentId: Nullable(Id),
  vendor: Vendor,
  sshSupport: Type.Boolean(),
  webSupport: Type.Boolean(),
  /** accept frames outside the official schemas, each tolerance logged */
  tolerant: Type.Boolean(),
  imageKey: FileKey,
  iconKey: FileKey,
  parameterReadLevel: LevelSchema,
  parameterWriteLevel: LevelSchema,
  controlLevel: LevelSchema,
};

const itemRules = {
  /** the parent has it, this model has not */
  removed: Type.Boolean(),
  priority: Type.Integer({ minimum: 0, maximum: 9_999 }),
  readLevel: LevelSchema,
  writeLevel: LevelSchema,
  batch: Type.Boolean(),
  /** null: as the data item says */
  range: Nullable(RangeText),
  unit: Nullable(UnitText),
};

/** Of a parameter item: its value is shown, logged and exported to nobody. Absent: only where its name says so. */
const Secret = Type.Optional(Type.Boolean());

/** A config or parameter item as a model names it. */
export const ModelItem = Exact({ dataItemId: Id, groupId: Nullable(Id), ...itemRules, secret: Secret });
export type ModelItem = Static<typeof ModelItem>;

export const ModelControl = Exact({
  type: Type.Unsafe<ControlType>({ type: 'integer', minimum: 1, maximum: MAX_CONTROL_TYPE }),
  removed: Type.Boolean(),
  name: Named,
  level: LevelSchema,
  param1: Nullable(Named),
  param2: Nullable(Named),
  /** which of its two meanings a type 9 or 10 has (spec §9) */
  reading: Nullable(Words(ALL_CONTROL_READINGS)),
  precondition: Nullable(Words(PRECONDITIONS)),
});
export type ModelControl = Static<typeof ModelControl>;

const Bound = Type.Number({ minimum: -1e15, maximum: 1e15 });
const ruleTerms = {
  /** the code of the alarm, by which a rule is known in its model and those that inherit from it */
  code: Type.String({ minLength: 1, maxLength: 64, pattern: PROTOCOL_KEY_PATTERN }),
  removed: Type.Boolean(),
  enabled: Type.Boolean(),
  name: Named,
  kind: Words(RULE_KINDS),
  level: Words(ALARM_LEVELS),
  /** null: each connector by itself; of silence: the whole device */
  connector: Nullable(Type.Integer({ minimum: 0, maximum: 1_000 })),
  condition: Words(RULE_CONDITIONS),
  low: Nullable(Bound),
  high: Nullable(Bound),
  values: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_RULE_VALUES }),
  hysteresis: Type.Number({ minimum: 0, maximum: 1e15 }),
  durationSeconds: Type.Integer({ minimum: 0, maximum: MAX_RULE_SECONDS }),
};

/** When a config item of a model is an alarm. */
export const ModelRule = Exact({ ...ruleTerms, dataItemId: Id });
export type ModelRule = Static<typeof ModelRule>;

const Rules = Type.Array(ModelRule, { maxItems: MAX_RULES });

const ownContent = {
  configs: Type.Array(ModelItem, { maxItems: 2_000 }),
  parameters: Type.Array(ModelItem, { maxItems: 2_000 }),
  controls: Type.Array(ModelControl, { maxItems: MAX_CONTROL_TYPE }),
};

/** A config or parameter item with the values that are in force, whatever their source. */
export const DescribedItem = Exact({
  dataItemId: Id,
  key: Type.String(),
  name: Exact({ en: Type.String(), zh: Type.String() }),
  type: ItemTypeSchema,
  groupId: Id,
  groupName: Exact({ en: Type.String(), zh: Type.String() }),
  range: Type.String(),
  unit: Type.String(),
  priority: Type.Integer(),
  readLevel: LevelSchema,
  writeLevel: LevelSchema,
  batch: Type.Boolean(),
  secret: Secret,
  /** the model that says it, or an ancestor */
  origin: Id,
});
export type DescribedItem = Static<typeof DescribedItem>;

export const DescribedControl = Exact({ ...ModelControl.properties, origin: Id });
export type DescribedControl = Static<typeof DescribedControl>;

/** A rule with the values that are in force, and its item. */
export const DescribedRule = Exact({
  ...ModelRule.properties,
  key: Type.String(),
  itemName: Exact({ en: Type.String(), zh: Type.String() }),
  type: ItemTypeSchema,
  unit: Type.String(),
  origin: Id,
});
export type DescribedRule = Static<typeof DescribedRule>;

/** A model with all it inherits, in the order in which a device page shows it. */
const description = {
  configs: Type.Array(DescribedItem),
  parameters: Type.Array(DescribedItem),
  controls: Type.Array(DescribedControl),
};

export const DeviceModelDetail = Exact({
  id: Id,
  ...baseFields,
  ...deviceFields,
  silenceSeconds: SilenceSeconds,
  parentName: NullableText,
  version: Version,
  changedBy: Type.String(),
  changedAt: Time,
  /** devices in the reader's scope that are of this model, and models that inherit from it */
  devices: Type.Integer(),
  children: Type.Array(Exact({ id: Id, name: Type.String() })),
  /** what it says itself; nothing for who may not change it */
  own: Exact({ ...ownContent, rules: Rules }),
  /** what it has in the end; for who may not change it only what their level lets them read */
  resolved: Exact({ ...description, rules: Type.Array(DescribedRule) }),
  /** the models that entries come from */
  origins: Type.Array(Exact({ id: Id, name: Type.String() })),
  may: Exact({ edit: Type.Boolean() }),
});
export type DeviceModelDetail = Static<typeof DeviceModelDetail>;

/** A model as it is to be; `version` is the one that was read, so that nobody overwrites what they have not seen. */
export const EditedDeviceModel = Exact({
  version: Version,
  ...baseFields,
  ...editedDeviceFields,
  /** without it it stays as it is */
  silenceSeconds: Type.Optional(SilenceSeconds),
  ...ownContent,
  /** without it they stay as they are */
  rules: Type.Optional(Rules),
});
export type EditedDeviceModel = Static<typeof EditedDeviceModel>;

export const DeviceDescription = Exact({
  deviceModelId: Id,
  deviceModelName: Type.String(),
  version: Version,
  /** when that version was made; null before anything was described */
  at: NullableTime,
  ...description,
});
export type DeviceDescription = Static<typeof DeviceDescription>;

/** What makes a file a device model, and which form of it. */
export const MODEL_FILE_FORMAT = 'chargehand.device-model';
export const MODEL_FILE_VERSION = 1;

/** A device model as a file: complete in itself, with the data items it refers to. */
export const ModelFile = Exact({
  format: Type.Unsafe<typeof MODEL_FILE_FORMAT>({ type: 'string', enum: [MODEL_FILE_FORMAT] }),
  version: Type.Unsafe<typeof MODEL_FILE_VERSION>({ type: 'integer', enum: [MODEL_FILE_VERSION] }),
  model: Exact({
    name: Name,
    type: DeviceTypeSchema,
    /** by name; it must be there where the file is imported */
    parent: Nullable(Name),
    vendor: Vendor,
    sshSupport: Type.Boolean(),
    webSupport: Type.Boolean(),
    tolerant: Type.Boolean(),
    ...editedDeviceFields,
    silenceSeconds: Type.Optional(Type.Integer({ minimum: SILENCE_SECONDS.least, maximum: SILENCE_SECONDS.most })),
    parameterReadLevel: LevelSchema,
    parameterWriteLevel: LevelSchema,
    controlLevel: LevelSchema,
  }),
  groups: Type.Array(Named, { maxItems: 200 }),
  items: Type.Array(
    Exact({
      key: ItemKey,
      name: Named,
      /** by its English name */
      group: Name,
      type: ItemTypeSchema,
      range: RangeText,
      unit: UnitText,
    }),
    { maxItems: 2_000 },
  ),
  configs: Type.Array(Exact({ key: ItemKey, group: Nullable(Name), ...itemRules }), { maxItems: 2_000 }),
  parameters: Type.Array(Exact({ key: ItemKey, group: Nullable(Name), ...itemRules, secret: Secret }), {
    maxItems: 2_000,
  }),
  controls: Type.Array(ModelControl, { maxItems: MAX_CONTROL_TYPE }),
  rules: Type.Optional(Type.Array(Exact({ ...ruleTerms, key: ItemKey }), { maxItems: MAX_RULES })),
});
export type ModelFile = Static<typeof ModelFile>;

/** What an import does or would do. */
export const ImportReport = Exact({
  /** the name the model gets */
  name: Type.String(),
  /** what keeps it from being imported, in the reader's language, and where in the file */
  problems: Type.Array(Exact({ path: Type.String(), message: Type.String() })),
  newGroups: Type.Array(Type.String()),
  newItems: Type.Array(Type.String()),
  /** data items that are there already; `differs` when name, range or unit are others there */
  keptItems: Type.Array(Exact({ key: Type.String(), differs: Type.Boolean() })),
  configs: Type.Integer(),
  parameters: Type.Integer(),
  controls: Type.Integer(),
});
export type ImportReport = Static<typeof ImportReport>;

export const ModelAliasRow = Exact({
  id: Id,
  vendor: Type.String(),
  model: Type.String(),
  deviceModelId: Id,
  deviceModelName: Type.String(),
  createdAt: Time,
});
export type ModelAliasRow = Static<typeof ModelAliasRow>;

/** OCPP 1.6 §6.3: chargePointVendor and chargePointModel have at most 20 characters, 2.0.1 allows 50. */
const ReportedName = Type.String({ minLength: 1, maxLength: 50 });
export const NewModelAlias = Exact({ vendor: ReportedName, model: ReportedName, deviceModelId: Id });
export type NewModelAlias = Static<typeof NewModelAlias>;

export const deviceModelEndpoints = {
  listDeviceModels: endpoint({
    id: 'deviceModels.list',
    method: 'GET',
    path: '/api/auth/sys/device-models',
    policy: { route: { keys: ['auth_deviceModel', 'auth_device_list'] }, row: 'shared' },
    effect: 'list',
    summary: 'List device models',
    query: Exact({
      ...Paging(['name', 'changedAt']),
      /** this one alone: what is chosen somewhere has a name, on whatever page it stands */
      id: Type.Optional(Id),
      search: Search,
      type: Type.Optional(DeviceTypeSchema),
    }),
    answer: Page(DeviceModelRow),
  }),
  readDeviceModel: endpoint({
    id: 'deviceModels.read',
    method: 'GET',
    path: '/api/auth/sys/device-models/:id',
    policy: { route: { keys: ['auth_deviceModel'] }, row: 'shared' },
    effect: 'read',
    summary: 'Get a device model. Users of customers can get the models of devices in their scope',
    params: IdParams,
    answer: DeviceModelDetail,
  }),
  createDeviceModel: endpoint({
    id: 'deviceModels.create',
    method: 'POST',
    path: '/api/auth/sys/device-models',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Add a device model that only inherits; platform vendor only',
    body: Exact({ name: Name, type: DeviceTypeSchema, parentId: Nullable(Id), vendor: Vendor }),
    answer: Exact({ id: Id }),
  }),
  updateDeviceModel: endpoint({
    id: 'deviceModels.update',
    method: 'PUT',
    path: '/api/auth/sys/device-models/:id',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Create a new version of a device model. Rejected if it changed since it was read; platform vendor only',
    params: IdParams,
    body: EditedDeviceModel,
    answer: Exact({ version: Version }),
  }),
  copyDeviceModel: endpoint({
    id: 'deviceModels.copy',
    method: 'POST',
    path: '/api/auth/sys/device-models/:id/copy',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Copy a device model under another name; platform vendor only',
    params: IdParams,
    body: Exact({ name: Name }),
    answer: Exact({ id: Id }),
  }),
  deleteDeviceModel: endpoint({
    id: 'deviceModels.delete',
    method: 'DELETE',
    path: '/api/auth/sys/device-models/:id',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'delete',
    summary: 'Delete a device model that has no devices and no child models; platform vendor only',
    params: IdParams,
    answer: Type.Null(),
  }),
  exportDeviceModel: endpoint({
    id: 'deviceModels.export',
    method: 'GET',
    path: '/api/auth/sys/device-models/:id/export',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'export',
    summary: 'Export a device model as JSON with its data items; platform vendor only',
    params: IdParams,
    answer: null,
  }),
  importDeviceModel: endpoint({
    id: 'deviceModels.import',
    method: 'POST',
    path: '/api/auth/sys/device-models/import',
    policy: { route: { keys: ['auth_deviceModel'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Import a device model from a file. A dry run returns a preview; platform vendor only',
    body: Exact({
      text: Lines({ minLength: 1, maxLength: 900_000 }),
      dryRun: Type.Boolean(),
      /** in the place of the file's own */
      name: Type.Optional(Name),
    }),
    answer: Exact({ id: Nullable(Id), report: ImportReport }),
  }),
  listDeviceModelVersions: endpoint({
    id: 'deviceModels.versions',
    method: 'GET',
    path: '/api/auth/sys/device-models/:id/versions',
    policy: { route: { keys: ['auth_deviceModel'] }, row: 'shared' },
    effect: 'list',
    summary: 'List the versions of a device model, newest first',
    params: IdParams,
    query: Exact({ ...Paging(['version'] as const) }),
    answer: Page(
      Exact({
        version: Version,
        at: Time,
        changedBy: Type.String(),
        configs: Type.Integer(),
        parameters: Type.Integer(),
        controls: Type.Integer(),
      }),
    ),
  }),
  readDeviceDescription: endpoint({
    id: 'deviceDescriptions.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/description',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_device_info'] },
      row: { thing: 'device', from: 'params.id' },
    },
    effect: 'read',
    summary: "Get the model definition of a device; now or at a given time, limited to the caller's level",
    params: IdParams,
    query: Exact({ at: Type.Optional(Time) }),
    answer: DeviceDescription,
  }),
  listModelAliases: endpoint({
    id: 'modelAliases.list',
    method: 'GET',
    path: '/api/auth/sys/device-model-aliases',
    policy: { route: { keys: ['auth_deviceModel_alias'] }, row: 'shared' },
    effect: 'list',
    summary: 'List model aliases',
    query: Exact({ ...Paging(['name', 'createdAt']), search: Search, deviceModelId: Type.Optional(Id) }),
    answer: Page(ModelAliasRow),
  }),
  listUnmatchedNames: endpoint({
    id: 'modelAliases.unmatched',
    method: 'GET',
    path: '/api/auth/sys/device-model-aliases/unmatched',
    policy: { route: { keys: ['auth_deviceModel_alias'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'list',
    summary:
      'List reported models that no alias matches; of unregistered devices, most frequent first; platform vendor only',
    answer: Exact({
      items: Type.Array(
        Exact({ vendor: Type.String(), model: Type.String(), devices: Type.Integer(), lastSeenAt: Time }),
      ),
    }),
  }),
  createModelAlias: endpoint({
    id: 'modelAliases.create',
    method: 'POST',
    path: '/api/auth/sys/device-model-aliases',
    policy: { route: { keys: ['auth_deviceModel_alias'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'create',
    summary: 'Add a model alias; platform vendor only',
    body: NewModelAlias,
    answer: Exact({ id: Id }),
  }),
  updateModelAlias: endpoint({
    id: 'modelAliases.update',
    method: 'PUT',
    path: '/api/auth/sys/device-model-aliases/:id',
    policy: { route: { keys: ['auth_deviceModel_alias'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'update',
    summary: 'Update a model alias; platform vendor only',
    params: IdParams,
    body: NewModelAlias,
    answer: Type.Null(),
  }),
  deleteModelAlias: endpoint({
    id: 'modelAliases.delete',
    method: 'DELETE',
    path: '/api/auth/sys/device-model-aliases/:id',
    policy: { route: { keys: ['auth_deviceModel_alias'] }, who: 'vendor', row: 'shared', level: 'edit' },
    effect: 'delete',
    summary: 'Delete a model alias; platform vendor only',
    params: IdParams,
    answer: Type.Null(),
  }),
};
