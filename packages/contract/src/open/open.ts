import { type Static, type TObject, Type } from 'typebox';
import { AlarmPosition, alarmEndpoints } from '../alarms.ts';
import { attachmentEndpoints } from '../attachments/attachments.ts';
import { fleetEndpoints } from '../fleet/fleet.ts';
import { placesEndpoints } from '../fleet/places.ts';
import { issueEndpoints } from '../issues/issues.ts';
import { streamEndpoints } from '../live/stream.ts';
import { operationsEndpoints } from '../operations/operations.ts';
import { Exact, FileId, FileParams, Id, IdParams, Matching, NullableTime, Time } from '../schemas.ts';
import { telemetryEndpoints } from '../telemetry/telemetry.ts';
import { type OpenEndpoint, openEndpoint } from './open-endpoint.ts';
import { OpenAlarm, OpenEvent, OpenExecution, OpenIncident, OpenIssue } from './open-events.ts';

/** The path of version 1 of the open API. */
export const OPEN_ROOT = '/api/open/v1';

/** Where the next page begins: the `next` of the page before. */
const Cursor = Matching('^[\\w-]+$', 'data.next', { minLength: 1, maxLength: 100 });
const paging = {
  cursor: Type.Optional(Cursor),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
};

/** One page, in the order of IDs; files in the order in which they were added. Rows that are added meanwhile come later; no row is skipped or repeated. */
function CursorPage<T extends TObject>(item: T) {
  return Exact({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) });
}

export const OpenCustomer = Exact({ id: Id, code: Type.String(), name: Type.String(), enabled: Type.Boolean() });

export const OpenSite = Exact({
  id: Id,
  name: Type.String(),
  customerId: Id,
  enabled: Type.Boolean(),
  address: Type.String(),
  /** WGS 84, degrees; null when not set */
  latitude: Type.Union([Type.Number(), Type.Null()]),
  longitude: Type.Union([Type.Number(), Type.Null()]),
});

export const OpenDevice = Exact({
  id: Id,
  sn: Type.String(),
  name: Type.String(),
  customerId: Id,
  siteId: Id,
  enabled: Type.Boolean(),
  model: Type.String(),
  softwareVersion: Type.String(),
  connected: Type.Boolean(),
  /** as in the console, such as `working`, `idle`, `faulted` or `offline` */
  status: Type.String(),
  statusSince: Time,
  lastSeenAt: NullableTime,
});
export type OpenDevice = Static<typeof OpenDevice>;

export const OpenConnector = Exact({
  /** 0: the device itself */
  connector: Type.Integer({ minimum: 0 }),
  /** the status that the device reported, as its protocol defines it */
  status: Type.String(),
  since: Time,
  /** the charging session in progress */
  transactionId: Type.Union([Id, Type.Null()]),
  readings: Type.Array(
    Exact({
      key: Type.String(),
      /** a number or a text; null: the device sent a gap */
      value: Type.Union([Type.Number(), Type.String(), Type.Null()]),
      unit: Type.String(),
      at: Time,
    }),
  ),
});

/** Values over time: `at[i]` in seconds since 1970, `value[i]` null for a gap. */
export const OpenSeries = Exact({
  connector: Type.Integer({ minimum: 0 }),
  key: Type.String(),
  unit: Type.String(),
  /** seconds per point; 0: single readings */
  step: Type.Number(),
  at: Type.Array(Type.Number()),
  value: Type.Array(Type.Union([Type.Number(), Type.Null()])),
});

export const OpenFile = Exact({
  id: FileId,
  name: Type.String(),
  /** bytes */
  size: Type.Integer({ minimum: 0 }),
  mediaType: Type.String(),
  /** null: of the platform, for the users of all customers */
  customerId: Type.Union([Id, Type.Null()]),
  createdAt: Time,
});

const ofPlace = { customerId: Type.Optional(Id), siteId: Type.Optional(Id) };

/** Version 1 of the open API: fields are added and never removed, which a test checks. */
export const OPEN_ENDPOINTS = {
  listCustomers: openEndpoint({
    id: 'open.listCustomers',
    method: 'GET',
    path: `${OPEN_ROOT}/customers`,
    like: placesEndpoints.listCustomers,
    summary: 'List the customers that the user sees',
    query: Exact(paging),
    answer: CursorPage(OpenCustomer),
  }),
  listSites: openEndpoint({
    id: 'open.listSites',
    method: 'GET',
    path: `${OPEN_ROOT}/sites`,
    like: placesEndpoints.listSites,
    summary: 'List the sites that the user sees',
    query: Exact({ ...paging, customerId: Type.Optional(Id) }),
    answer: CursorPage(OpenSite),
  }),
  listDevices: openEndpoint({
    id: 'open.listDevices',
    method: 'GET',
    path: `${OPEN_ROOT}/devices`,
    like: fleetEndpoints.listDevices,
    summary: 'List the devices that the user sees',
    query: Exact({ ...paging, ...ofPlace, sn: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) }),
    answer: CursorPage(OpenDevice),
  }),
  readDevice: openEndpoint({
    id: 'open.readDevice',
    method: 'GET',
    path: `${OPEN_ROOT}/devices/:id`,
    like: fleetEndpoints.readDevice,
    summary: 'Get a device and its status',
    params: IdParams,
    answer: OpenDevice,
  }),
  readReadings: openEndpoint({
    id: 'open.readReadings',
    method: 'GET',
    path: `${OPEN_ROOT}/devices/:id/readings`,
    like: telemetryEndpoints.readRuntime,
    summary: 'Get the connectors of a device with their latest values',
    params: IdParams,
    answer: Exact({ items: Type.Array(OpenConnector) }),
  }),
  readChart: openEndpoint({
    id: 'open.readChart',
    method: 'GET',
    path: `${OPEN_ROOT}/devices/:id/chart`,
    like: telemetryEndpoints.readSeries,
    summary: 'Get values of a device over a range of at most two years, reduced to at most 2,000 points each',
    params: IdParams,
    query: Exact({
      /** `connector:key`, percent-encoded, separated by commas; at most 20 */
      items: Type.String({ minLength: 1, maxLength: 4_000 }),
      from: Time,
      to: Time,
    }),
    answer: Exact({ items: Type.Array(OpenSeries) }),
  }),
  listAlarms: openEndpoint({
    id: 'open.listAlarms',
    method: 'GET',
    path: `${OPEN_ROOT}/alarms`,
    like: alarmEndpoints.listAlarms,
    summary: 'List alarms, newest first',
    query: Exact({
      ...paging,
      cursor: Type.Optional(AlarmPosition),
      ...ofPlace,
      deviceId: Type.Optional(Id),
      /** only active alarms (true), or only those that have cleared (false) */
      active: Type.Optional(Type.Boolean()),
      from: Type.Optional(Time),
      to: Type.Optional(Time),
    }),
    answer: CursorPage(OpenAlarm),
  }),
  listIncidents: openEndpoint({
    id: 'open.listIncidents',
    method: 'GET',
    path: `${OPEN_ROOT}/incidents`,
    like: alarmEndpoints.listIncidents,
    summary: 'List what is wrong now: open alarms by site and cause, the worst first, at most 50',
    query: Exact(ofPlace),
    answer: Exact({ items: Type.Array(OpenIncident) }),
  }),
  sendCommand: openEndpoint({
    id: 'open.sendCommand',
    method: 'POST',
    path: `${OPEN_ROOT}/devices/:id/commands`,
    like: operationsEndpoints.sendCommand,
    summary:
      'Send a command to a device. The answer is not its result: read the command again until its result is not waiting. With the header Idempotency-Key, a repeated request sends it once',
    params: IdParams,
    body: Exact({
      kind: operationsEndpoints.sendCommand.body.properties.kind,
      connector: operationsEndpoints.sendCommand.body.properties.connector,
      key: operationsEndpoints.sendCommand.body.properties.key,
      value: operationsEndpoints.sendCommand.body.properties.value,
      idTag: operationsEndpoints.sendCommand.body.properties.idTag,
      whenOffline: operationsEndpoints.sendCommand.body.properties.whenOffline,
      queueMinutes: operationsEndpoints.sendCommand.body.properties.queueMinutes,
    }),
    answer: OpenExecution,
  }),
  readCommand: openEndpoint({
    id: 'open.readCommand',
    method: 'GET',
    path: `${OPEN_ROOT}/devices/:id/commands/:executionId`,
    like: operationsEndpoints.readExecution,
    summary: 'Get a command and its result',
    params: operationsEndpoints.readExecution.params,
    answer: OpenExecution,
  }),
  listIssues: openEndpoint({
    id: 'open.listIssues',
    method: 'GET',
    path: `${OPEN_ROOT}/issues`,
    like: issueEndpoints.listIssues,
    summary: 'List the issues that the user sees',
    query: Exact({ ...paging, ...ofPlace, deviceId: Type.Optional(Id) }),
    answer: CursorPage(OpenIssue),
  }),
  readIssue: openEndpoint({
    id: 'open.readIssue',
    method: 'GET',
    path: `${OPEN_ROOT}/issues/:id`,
    like: issueEndpoints.readIssue,
    summary: 'Get an issue',
    params: IdParams,
    answer: OpenIssue,
  }),
  createIssue: openEndpoint({
    id: 'open.createIssue',
    method: 'POST',
    path: `${OPEN_ROOT}/devices/:id/issues`,
    like: issueEndpoints.createDeviceIssue,
    summary:
      'Report an issue of a device. With the header Idempotency-Key, a repeated request creates one issue and gets it again',
    params: IdParams,
    body: Exact({
      title: issueEndpoints.createDeviceIssue.body.properties.title,
      type: issueEndpoints.createDeviceIssue.body.properties.type,
      priority: issueEndpoints.createDeviceIssue.body.properties.priority,
      occurredAt: issueEndpoints.createDeviceIssue.body.properties.occurredAt,
    }),
    answer: OpenIssue,
  }),
  listFiles: openEndpoint({
    id: 'open.listFiles',
    method: 'GET',
    path: `${OPEN_ROOT}/files`,
    like: attachmentEndpoints.listAttachments,
    summary: 'List the files that the user sees, the oldest first',
    query: Exact(paging),
    answer: CursorPage(OpenFile),
  }),
  readFileAddress: openEndpoint({
    id: 'open.readFileAddress',
    method: 'GET',
    path: `${OPEN_ROOT}/files/:id/address`,
    like: attachmentEndpoints.linkAttachment,
    summary: 'Get an address from which the file can be downloaded for an hour without a signature',
    params: FileParams,
    answer: Exact({ url: Type.String(), expiresAt: Time }),
  }),
  streamEvents: openEndpoint({
    id: 'open.streamEvents',
    method: 'GET',
    path: `${OPEN_ROOT}/events`,
    like: streamEndpoints.stream,
    summary:
      'Receive events as server-sent events, from now on or after the header Last-Event-ID. The message `gap` says that events before it are no longer stored. Each type of event needs an allowed operation',
    query: Exact({
      /** separated by commas; without it, all types that the application may receive */
      types: Type.Optional(
        Matching('^[a-z.]+(,[a-z.]+)*$', 'alarm.raised,alarm.cleared', { minLength: 1, maxLength: 200 }),
      ),
    }),
    answer: OpenEvent,
    stream: true,
  }),
};

/** The operations by ID. */
export const OPEN_OPERATIONS: Record<string, OpenEndpoint> = Object.fromEntries(
  Object.values(OPEN_ENDPOINTS).map((one) => [one.id, one]),
);

/**
 * The ID of an operation of the open API, by its ID or by the name in its published description: `open.listDevices` or
 * `listDevices`. null: there is none.
 */
export function openOperation(name: string): string | null {
  return [name, `open.${name}`].find((id) => Object.hasOwn(OPEN_OPERATIONS, id)) ?? null;
}

/** The path at which a signature is exchanged for a token, which every application may do. */
export const TOKEN_PATH = `${OPEN_ROOT}/token`;
export const OpenToken = Exact({ token: Type.String(), expiresAt: Time });
