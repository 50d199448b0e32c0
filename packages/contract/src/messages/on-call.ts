import { ESCALATE_MINUTES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { COPIED_WEEKS } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Time } from '../schemas.ts';

const NullableId = Type.Union([Id, Type.Null()]);
const Person = Exact({ id: Id, name: Type.String() });
const Minutes = Type.Integer({ minimum: ESCALATE_MINUTES.least, maximum: ESCALATE_MINUTES.most });

/** A period in which a user is on duty for a site, or for all sites of a customer. */
export const OnCallShift = Exact({
  id: Id,
  customerId: Id,
  customerName: Type.String(),
  /** null: all sites of the customer */
  site: Type.Union([Person, Type.Null()]),
  user: Person,
  substitute: Type.Union([Person, Type.Null()]),
  from: Time,
  to: Time,
});
export type OnCallShift = Static<typeof OnCallShift>;

const shiftFields = {
  siteId: NullableId,
  userId: Id,
  substituteId: NullableId,
  from: Time,
  to: Time,
};
const ShiftParams = Exact({ id: Id, shiftId: Id });

/** The most days of a list, and the most shifts of a place in it. */
export const ON_CALL_DAYS = 42;
export const ON_CALL_SHIFTS = 1_000;

const customers = '/api/auth/sys/customers/:id';
const edits = {
  route: { keys: ['auth_message_on_call'] },
  row: { object: 'customer', from: 'params.id', whole: true },
} as const;

/** The on-call schedule. Everybody may read who is on duty for the places they see. */
export const onCallEndpoints = {
  listOnCall: endpoint({
    id: 'onCall.list',
    method: 'GET',
    path: '/api/auth/sys/on-call-shifts',
    policy: { route: { keys: ['auth_message_list', 'auth_message_on_call'] }, row: 'scope' },
    effect: 'list',
    summary: 'List who is on duty in a period of at most 42 days, the earliest first',
    nameZh: '查询值班表',
    query: Exact({
      from: Time,
      to: Time,
      customerId: Type.Optional(Id),
      /** shifts for the site and for all sites of its customer */
      siteId: Type.Optional(Id),
    }),
    answer: Exact({ items: Type.Array(OnCallShift) }),
  }),
  readOnCallSettings: endpoint({
    id: 'onCall.settings',
    method: 'GET',
    path: `${customers}/on-call-settings`,
    policy: edits,
    effect: 'read',
    summary: 'Get who can be on duty for a customer, and when incidents are passed to substitutes',
    nameZh: '查看值班设置',
    params: IdParams,
    query: Exact({ siteId: Type.Optional(Id) }),
    answer: Exact({
      escalateMinutes: Type.Integer(),
      sites: Type.Array(Person),
      /** those who may open alarms of the place; `reachable`: with an email address */
      people: Type.Array(Exact({ ...Person.properties, userName: Type.String(), reachable: Type.Boolean() })),
    }),
  }),
  saveOnCallSettings: endpoint({
    id: 'onCall.saveSettings',
    method: 'PUT',
    path: `${customers}/on-call-settings`,
    policy: edits,
    effect: 'update',
    summary: 'Set after how many minutes incidents of a customer are passed to the substitutes',
    nameZh: '保存值班设置',
    params: IdParams,
    body: Exact({ escalateMinutes: Minutes }),
    answer: Type.Null(),
  }),
  createOnCall: endpoint({
    id: 'onCall.create',
    method: 'POST',
    path: `${customers}/on-call-shifts`,
    policy: edits,
    effect: 'create',
    summary: 'Add a shift for a site or all sites of a customer. Several users may be on duty at the same time',
    nameZh: '新增班次',
    params: IdParams,
    body: Exact(shiftFields),
    answer: Exact({ id: Id }),
  }),
  updateOnCall: endpoint({
    id: 'onCall.update',
    method: 'PUT',
    path: `${customers}/on-call-shifts/:shiftId`,
    policy: edits,
    effect: 'update',
    summary: 'Change a shift',
    nameZh: '修改班次',
    params: ShiftParams,
    body: Exact(shiftFields),
    answer: Type.Null(),
  }),
  deleteOnCall: endpoint({
    id: 'onCall.delete',
    method: 'DELETE',
    path: `${customers}/on-call-shifts/:shiftId`,
    policy: edits,
    effect: 'delete',
    summary: 'Remove a shift',
    nameZh: '删除班次',
    params: ShiftParams,
    answer: Type.Null(),
  }),
  copyOnCallWeek: endpoint({
    id: 'onCall.copyWeek',
    method: 'POST',
    path: `${customers}/on-call-shifts/copies`,
    policy: edits,
    effect: 'create',
    summary:
      'Copy the shifts that begin within seven days to the following weeks. Shifts that exist already are skipped',
    nameZh: '复制一周班次',
    params: IdParams,
    body: Exact({
      siteId: NullableId,
      /** the start of the seven days */
      from: Time,
      weeks: Type.Integer({ minimum: 1, maximum: COPIED_WEEKS }),
    }),
    answer: Exact({ copied: Type.Integer(), skipped: Type.Integer() }),
  }),
};
