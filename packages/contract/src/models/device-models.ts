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
import {
  Exact,
  Id,
  IdParams,
  Lines,
  Matching,
  NullableText,
  NullableTime,
  Page,
  Paging,
  Time,
  Words,
} from '../schemas.ts';
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

/** The protocol and the number of connectors of a model's devices; null when the model does not define them. */
const deviceFields = {
  protocol: Nullable(Words(MODEL_PROTOCOLS)),
  connectorCount: Nullable(Type.Integer({ minimum: 1, maximum: MAX_CONNECTORS })),
};
/** Omitted fields stay unchanged. */
const editedDeviceFields = {
  protocol: Type.Optional(deviceFields.protocol),
  connectorCount: Type.Optional(deviceFields.connectorCount),
};
/** Silence timeout in seconds, for devices without a connection of their own; null: the default. */
const SilenceSeconds = Nullable(Type.Integer({ minimum: SILENCE_SECONDS.least, maximum: SILENCE_SECONDS.most }));

/** The fields of a model that users enter. */
const baseFields = {
  name: Name,
  type: DeviceTypeSchema,
  parentId: Nullable(Id),
  vendor: Vendor,
  sshSupport: Type.Boolean(),
  webSupport: Type.Boolean(),
  /** accept frames that do not match the official schemas, and log each of them */
  tolerant: Type.Boolean(),
  imageKey: FileKey,
  iconKey: FileKey,
  parameterReadLevel: LevelSchema,
  parameterWriteLevel: LevelSchema,
  controlLevel: LevelSchema,
};

const itemRules = {
  /** the parent model has it, this model removes it */
  removed: Type.Boolean(),
  priority: Type.Integer({ minimum: 0, maximum: 9_999 }),
  readLevel: LevelSchema,
  writeLevel: LevelSchema,
  batch: Type.Boolean(),
  /** null: as defined by the data item */
  range: Nullable(RangeText),
  unit: Nullable(UnitText),
};

/** Of a parameter item: its value is never shown, logged or exported. Omitted: decided by the name of the parameter. */
const Secret = Type.Optional(Type.Boolean());

/** A config or parameter item of a model. */
export const ModelItem = Exact({ dataItemId: Id, groupId: Nullable(Id), ...itemRules, secret: Secret });
export type ModelItem = Static<typeof ModelItem>;

export const ModelControl = Exact({
  type: Type.Unsafe<ControlType>({ type: 'integer', minimum: 1, maximum: MAX_CONTROL_TYPE }),
  removed: Type.Boolean(),
  name: Named,
  level: LevelSchema,
  param1: Nullable(Named),
  param2: Nullable(Named),
  /** which of its two meanings a control of type 9 or 10 has (spec §9) */
  reading: Nullable(Words(ALL_CONTROL_READINGS)),
  precondition: Nullable(Words(PRECONDITIONS)),
});
export type ModelControl = Static<typeof ModelControl>;

const Bound = Type.Number({ minimum: -1e15, maximum: 1e15 });
const ruleTerms = {
  /** the code of the alarm; identifies the rule in its model and in models that inherit from it */
  code: Matching(PROTOCOL_KEY_PATTERN, 'OverVoltage', { minLength: 1, maxLength: 64 }),
  removed: Type.Boolean(),
  enabled: Type.Boolean(),
  name: Named,
  kind: Words(RULE_KINDS),
  level: Words(ALARM_LEVELS),
  /** null: each connector separately; for silence: the whole device */
  connector: Nullable(Type.Integer({ minimum: 0, maximum: 1_000 })),
  condition: Words(RULE_CONDITIONS),
  low: Nullable(Bound),
  high: Nullable(Bound),
  values: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_RULE_VALUES }),
  hysteresis: Type.Number({ minimum: 0, maximum: 1e15 }),
  durationSeconds: Type.Integer({ minimum: 0, maximum: MAX_RULE_SECONDS }),
};

/** An alarm rule: when a config item of a model raises an alarm. */
export const ModelRule = Exact({ ...ruleTerms, dataItemId: Id });
export type ModelRule = Static<typeof ModelRule>;

const Rules = Type.Array(ModelRule, { maxItems: MAX_RULES });

const ownContent = {
  configs: Type.Array(ModelItem, { maxItems: 2_000 }),
  parameters: Type.Array(ModelItem, { maxItems: 2_000 }),
  controls: Type.Array(ModelControl, { maxItems: MAX_CONTROL_TYPE }),
};

/** A config or parameter item with its effective values, its own or inherited. */
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
  /** the model that defines it: this one or an ancestor */
  origin: Id,
});
export type DescribedItem = Static<typeof DescribedItem>;

export const DescribedControl = Exact({ ...ModelControl.properties, origin: Id });
export type DescribedControl = Static<typeof DescribedControl>;

/** A rule with its effective values, and its item. */
export const DescribedRule = Exact({
  ...ModelRule.properties,
  key: Type.String(),
  itemName: Exact({ en: Type.String(), zh: Type.String() }),
  type: ItemTypeSchema,
  unit: Type.String(),
  origin: Id,
});
export type DescribedRule = Static<typeof DescribedRule>;

/** A model with everything it inherits, in the order of a device page. */
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
  /** devices in the caller's scope that use this model, and models that inherit from it */
  devices: Type.Integer(),
  children: Type.Array(Exact({ id: Id, name: Type.String() })),
  /** what the model itself defines; empty for users who may not change it */
  own: Exact({ ...ownContent, rules: Rules }),
  /** the effective content; users who may not change it see only what their level allows them to read */
  resolved: Exact({ ...description, rules: Type.Array(DescribedRule) }),
  /** the models that define the entries */
  origins: Type.Array(Exact({ id: Id, name: Type.String() })),
  may: Exact({ edit: Type.Boolean() }),
});
export type DeviceModelDetail = Static<typeof DeviceModelDetail>;

/**
 * The new content of a model. `version` is the version that was read, so that concurrent changes are not overwritten.
 */
export const EditedDeviceModel = Exact({
  version: Version,
  ...baseFields,
  ...editedDeviceFields,
  /** unchanged when omitted */
  silenceSeconds: Type.Optional(SilenceSeconds),
  ...ownContent,
  /** unchanged when omitted */
  rules: Type.Optional(Rules),
});
export type EditedDeviceModel = Static<typeof EditedDeviceModel>;

export const DeviceDescription = Exact({
  deviceModelId: Id,
  deviceModelName: Type.String(),
  version: Version,
  /** creation time of that version; null before the first description */
  at: NullableTime,
  ...description,
});
export type DeviceDescription = Static<typeof DeviceDescription>;

/** Identifies a file as a device model, with the version of its format. */
export const MODEL_FILE_FORMAT = 'chargehand.device-model';
export const MODEL_FILE_VERSION = 1;

/** A device model as a file: self-contained, with the data items that it uses. */
export const ModelFile = Exact({
  format: Type.Unsafe<typeof MODEL_FILE_FORMAT>({ type: 'string', enum: [MODEL_FILE_FORMAT] }),
  version: Type.Unsafe<typeof MODEL_FILE_VERSION>({ type: 'integer', enum: [MODEL_FILE_VERSION] }),
  model: Exact({
    name: Name,
    type: DeviceTypeSchema,
    /** the name of the parent model, which must exist where the file is imported */
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

/** The result of an import or of its dry run. */
export const ImportReport = Exact({
  /** the name that the model gets */
  name: Type.String(),
  /** problems that prevent the import, in the caller's language, with their path in the file */
  problems: Type.Array(Exact({ path: Type.String(), message: Type.String() })),
  newGroups: Type.Array(Type.String()),
  newItems: Type.Array(Type.String()),
  /** data items that already exist; `differs`: their name, range or unit differs from the file */
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

/** OCPP 1.6 §6.3 limits chargePointVendor and chargePointModel to 20 characters, OCPP 2.0.1 to 50. */
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
    nameZh: '查询设备型号',
    query: Exact({
      ...Paging(['name', 'changedAt']),
      /** only this row; used to show the name of a selected row that is not on the current page */
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
    nameZh: '查看设备型号',
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
    nameZh: '新增设备型号',
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
    nameZh: '编辑设备型号',
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
    nameZh: '复制设备型号',
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
    nameZh: '删除设备型号',
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
    nameZh: '导出设备型号',
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
    nameZh: '导入设备型号',
    body: Exact({
      text: Lines({ minLength: 1, maxLength: 900_000 }),
      dryRun: Type.Boolean(),
      /** replaces the name in the file */
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
    nameZh: '查询设备型号版本',
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
      row: { object: 'device', from: 'params.id' },
    },
    effect: 'read',
    summary: "Get the model definition of a device; now or at a given time, limited to the caller's level",
    nameZh: '查看设备的型号说明',
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
    nameZh: '查询型号别名',
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
    nameZh: '查询未匹配的上报型号',
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
    nameZh: '新增型号别名',
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
    nameZh: '编辑型号别名',
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
    nameZh: '删除型号别名',
    params: IdParams,
    answer: Type.Null(),
  }),
};
