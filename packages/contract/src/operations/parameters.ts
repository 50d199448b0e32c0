import type { Difference } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { DescribedItem } from '../models/device-models.ts';
import {
  Exact,
  Id,
  IdParams,
  Keyset,
  Lines,
  NullableDocumentId,
  NullableText,
  NullableTime,
  Page,
  Paging,
  RequestKey,
  Time,
  Words,
} from '../schemas.ts';

/** OCPP 1.6 limits a key to 50 characters, `Component.Variable` of 2.0.1 has at most 101; items of models have 100. */
const Key = Type.String({ minLength: 1, maxLength: 100 });
const Value = Lines({ maxLength: 500 });
const BaselineName = Type.String({ minLength: 1, maxLength: 64 });
const NullableItem = Type.Union([DescribedItem, Type.Null()]);

/** A parameter that the device reported or that its model defines. */
export const ParameterRow = Exact({
  key: Type.String(),
  value: NullableText,
  readonly: Type.Boolean(),
  /** null: the device has not reported it yet */
  readAt: NullableTime,
  /** its value is never stored */
  secret: Type.Boolean(),
  /** the item of the model; null: the model does not define it */
  item: NullableItem,
  documentId: NullableDocumentId,
  may: Exact({ set: Type.Boolean() }),
});
export type ParameterRow = Static<typeof ParameterRow>;

export const PARAMETER_SOURCES = ['read', 'set', 'boot'] as const;

/** A former value of a parameter. */
export const ParameterValueRow = Exact({
  id: Id,
  key: Type.String(),
  value: NullableText,
  at: Time,
  /** read: read from the device; set: accepted by the device; boot: reported by the device at its start */
  source: Words(PARAMETER_SOURCES),
  /** the user who set it; null: reported by the device */
  changedBy: NullableText,
  executionId: NullableText,
  /** the item of the model at that time */
  item: NullableItem,
});
export type ParameterValueRow = Static<typeof ParameterValueRow>;

const DIFFERENCES = ['same', 'differs', 'onlyHere', 'onlyThere'] as const satisfies readonly Difference[];

export const ParameterDifferenceRow = Exact({
  key: Type.String(),
  item: NullableItem,
  here: NullableText,
  there: NullableText,
  difference: Words(DIFFERENCES),
  /** this parameter can be set to the given value on this device */
  settable: Type.Boolean(),
});
export type ParameterDifferenceRow = Static<typeof ParameterDifferenceRow>;

export const ParameterBaselineRow = Exact({
  id: Id,
  name: Type.String(),
  /** null: provided by the platform for all customers */
  customerName: NullableText,
  /** the site whose users have it; null: those of all sites */
  siteName: NullableText,
  /** the device that the values come from */
  deviceName: Type.String(),
  values: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Time,
  may: Exact({ change: Type.Boolean() }),
});
export type ParameterBaselineRow = Static<typeof ParameterBaselineRow>;

/** Maximum number of parameters of a device that are set at once. */
const MOST_SET = 50;

const keys: [string] = ['auth_device_detail'];
const device = '/api/auth/sys/devices/:id';

export const parameterEndpoints = {
  listParameters: endpoint({
    id: 'parameters.list',
    method: 'GET',
    path: `${device}/parameters`,
    policy: { route: { keys }, row: { object: 'device', from: 'params.id' }, level: { items: 'readParameters' } },
    effect: 'list',
    summary: 'List the parameters a device last reported, in the order of its model',
    nameZh: '查看设备参数',
    params: IdParams,
    answer: Exact({ items: Type.Array(ParameterRow) }),
  }),
  setParameters: endpoint({
    id: 'parameters.set',
    method: 'POST',
    path: `${device}/parameters`,
    policy: { route: { keys }, row: { object: 'device', from: 'params.id' }, level: { items: 'setParameters' } },
    effect: 'control',
    summary: 'Set parameters of a device one after the other. Each parameter has its own result',
    nameZh: '批量设置设备参数',
    params: IdParams,
    body: Exact({
      values: Type.Array(Exact({ key: Key, value: Value }), { minItems: 1, maxItems: MOST_SET }),
      /** the same key sets each parameter once, also if the request is sent again */
      requestKey: Type.Optional(RequestKey),
    }),
    answer: Exact({
      results: Type.Array(
        Exact({ key: Type.String(), executionId: NullableText, code: Type.Integer(), message: Type.String() }),
      ),
    }),
  }),
  listParameterHistory: endpoint({
    id: 'parameterHistory.list',
    method: 'GET',
    path: `${device}/parameter-history`,
    policy: { route: { keys }, row: { object: 'device', from: 'params.id' }, level: { items: 'readParameters' } },
    effect: 'list',
    summary: "List earlier values of parameters of a device; newest first, limited to the caller's level",
    nameZh: '查询参数历史值',
    params: IdParams,
    query: Exact({
      key: Type.Optional(Key),
      before: Type.Optional(Id),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    answer: Keyset(ParameterValueRow),
  }),
  compareParameters: endpoint({
    id: 'parameters.compare',
    method: 'GET',
    path: `${device}/parameter-difference`,
    policy: {
      route: { keys },
      row: { object: 'device', from: ['params.id', 'query.deviceId'] },
      level: { items: 'readParameters' },
    },
    effect: 'read',
    summary: 'Compare the parameters of a device; with another device or with a baseline of its model',
    nameZh: '对比设备参数',
    params: IdParams,
    query: Exact({ deviceId: Type.Optional(Id), baselineId: Type.Optional(Id) }),
    answer: Exact({ items: Type.Array(ParameterDifferenceRow) }),
  }),
  listParameterBaselines: endpoint({
    id: 'parameterBaselines.list',
    method: 'GET',
    path: `${device}/parameter-baselines`,
    policy: { route: { keys }, row: { object: 'device', from: 'params.id' } },
    effect: 'list',
    summary: "List the baselines of a device's model: those of the platform, and of the customers and sites in scope",
    nameZh: '查询参数基线',
    params: IdParams,
    query: Exact({ ...Paging(['name', 'createdAt']), search: Type.Optional(Type.String({ maxLength: 100 })) }),
    answer: Page(ParameterBaselineRow),
  }),
  createParameterBaseline: endpoint({
    id: 'parameterBaselines.create',
    method: 'POST',
    path: `${device}/parameter-baselines`,
    policy: { route: { keys }, row: { object: 'device', from: 'params.id' }, level: 'setParameters' },
    effect: 'create',
    summary: 'Save the current parameters of a device as a baseline of its model',
    nameZh: '保存参数基线',
    params: IdParams,
    body: Exact({ name: BaselineName }),
    answer: Exact({ id: Id }),
  }),
  renameParameterBaseline: endpoint({
    id: 'parameterBaselines.rename',
    method: 'PUT',
    path: '/api/auth/sys/parameter-baselines/:id',
    policy: {
      route: { keys },
      row: { object: 'parameterBaseline', from: 'params.id', owned: true },
      level: 'setParameters',
    },
    effect: 'update',
    summary: 'Rename a baseline',
    nameZh: '重命名参数基线',
    params: IdParams,
    body: Exact({ name: BaselineName }),
    answer: Type.Null(),
  }),
  deleteParameterBaseline: endpoint({
    id: 'parameterBaselines.delete',
    method: 'DELETE',
    path: '/api/auth/sys/parameter-baselines/:id',
    policy: {
      route: { keys },
      row: { object: 'parameterBaseline', from: 'params.id', owned: true },
      level: 'setParameters',
    },
    effect: 'delete',
    summary: 'Delete a baseline',
    nameZh: '删除参数基线',
    params: IdParams,
    answer: Type.Null(),
  }),
};
