import { randomBytes } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { ACCOUNT_CASES, ONLINE_CASES, PRIVACY_CASES, withSecondFactor } from '../cases/access/account.ts';
import { APPLICATION_CASES } from '../cases/access/applications.ts';
import { explainCases } from '../cases/access/explain.ts';
import { impersonationCases } from '../cases/access/impersonation.ts';
import { menuCases } from '../cases/access/menus.ts';
import { ALARM_CASES } from '../cases/alarms.ts';
import { ATTACHMENT_CASES } from '../cases/attachments.ts';
import { CHART_CASES } from '../cases/charts.ts';
import { CONTROL_CASES } from '../cases/controls.ts';
import { DEVICE_CARE_CASES } from '../cases/device-care.ts';
import { DOCUMENT_CASES } from '../cases/documents.ts';
import { FILES_CASES } from '../cases/files.ts';
import {
  assignedRole,
  CUSTOMER_OF,
  customerOf,
  customersOf,
  devicesOf,
  type EndpointCase,
  editsUser,
  fresh,
  freshUserName,
  newCustomer,
  newDevice,
  newSite,
  newWaitingDevice,
  onRole,
  onSite,
  onUser,
  ownerOf,
  pageOf,
  publicKeyOf,
  readsDevice,
  readsSite,
  readsUser,
  selectionOf,
  sitesOf,
} from '../cases/ground.ts';
import { ISSUE_CASES } from '../cases/issues/issues.ts';
import { REPORT_CASES } from '../cases/issues/reports.ts';
import { LIST_CASES, usersOf } from '../cases/lists.ts';
import { MAIL_CASES } from '../cases/mails.ts';
import { CHANNEL_CASES } from '../cases/messages/channels.ts';
import { MESSAGE_CASES } from '../cases/messages/messages.ts';
import { ON_CALL_CASES } from '../cases/messages/on-call.ts';
import { MODEL_CASES } from '../cases/models.ts';
import { PARAMETER_CASES } from '../cases/parameters.ts';
import { SHARE_CASES } from '../cases/shares.ts';
import { STATISTICS_CASES } from '../cases/statistics.ts';
import { TOKEN_CASES } from '../cases/tokens.ts';
import { TRANSFER_CASES } from '../cases/transfers.ts';
import { textsOfXlsx } from '../files/xlsx.ts';
import { LINK_CASES } from '../links/link-cases.ts';
import { seal } from '../sign-in.ts';

/** One entry for every endpoint of the contract; the matrix fails for an endpoint without one. */
export const ENDPOINT_CASES: Record<string, EndpointCase> = {
  ...LIST_CASES,
  ...APPLICATION_CASES,
  ...CONTROL_CASES,
  ...DOCUMENT_CASES,
  ...ATTACHMENT_CASES,
  ...SHARE_CASES,
  ...LINK_CASES,
  ...ISSUE_CASES,
  ...REPORT_CASES,
  ...TOKEN_CASES,

  ...STATISTICS_CASES,
  'session.publicKey': { anonymous: 0 },
  'session.captcha': { anonymous: 0 },
  'session.info': { anonymous: CODES.notSignedIn.code },
  'session.login': {
    call: () => ({ body: { userName: 'x', password: 'x', captchaId: 'x' } }),
    anonymous: CODES.decryptionFailed.code,
  },
  'session.logout': { anonymous: 0 },

  ...ACCOUNT_CASES,
  ...ONLINE_CASES,
  ...PRIVACY_CASES,

  'customers.list': { scoped: pageOf('code', customersOf) },
  'customers.export': {
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(vendor|north|south|readOnly|closed)$/.test(text)),
      }),
      visible: (world, person) => ({ names: customersOf(world, person) }),
    },
  },
  'customers.read': { call: ownerOf },
  'customers.users': {
    call: ownerOf,
  },
  'customers.create': {
    call: () => ({ body: { code: fresh('NEW'), name: fresh('Customer') } }),
  },
  'customers.update': {
    call: async (ground, site) => ({ ...(await ownerOf(ground, site)), body: { contact: fresh('Contact') } }),
  },
  'customers.enable': { call: newCustomer },
  'customers.disable': { call: newCustomer },
  'customers.delete': { call: newCustomer },
  'sites.list': { scoped: pageOf('code', sitesOf) },
  'sites.select': { scoped: selectionOf((name) => /^Site (\w+)/.exec(name)?.[1], sitesOf) },
  'sites.export': {
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(north|south|readOnly)[A-Z]\w+$/.test(text)),
      }),
      visible: (world, person) => ({ names: sitesOf(world, person) }),
    },
  },
  'sites.read': readsSite,
  'sites.administrators': readsSite,
  'sites.positions': {
    scoped: {
      shown: ({ data }) => {
        const { items, unplaced } = data as { items: unknown[]; unplaced: number };
        return { names: [], total: items.length + unplaced };
      },
      visible: (world, person) => ({ names: [], total: sitesOf(world, person).length }),
    },
  },
  'sites.states': {
    scoped: {
      shown: ({ data }) => ({ names: [], total: (data as { total: number }).total }),
      visible: (world, person) => ({ names: [], total: sitesOf(world, person).length }),
    },
  },
  'sites.create': {
    call: async ({ world, db }, site) => ({
      body: { customerId: await customerOf({ world, db }, site), code: fresh('NEW'), name: fresh('Site') },
    }),
  },
  'sites.update': {
    call: (ground, site) => ({ ...onSite(ground, site), body: { contact: fresh('Contact') } }),
  },
  'sites.enable': { call: newSite },
  'sites.disable': { call: newSite },
  'sites.delete': { call: newSite },
  ...MODEL_CASES,
  'devices.list': { scoped: pageOf('sn', devicesOf) },
  'devices.select': { scoped: selectionOf((name) => name.split(' · ').at(-1), devicesOf) },
  'devices.count': {
    scoped: {
      shown: ({ data }) => ({ names: [], total: (data as { total: number }).total }),
      visible: (world, person) => ({ names: [], total: devicesOf(world, person).length }),
    },
  },
  'devices.export': {
    scoped: {
      shown: ({ bytes }) => ({
        names: textsOfXlsx(bytes).filter((text) => /^(north|south|readOnly)\w+-\d+$/.test(text)),
      }),
      visible: (world, person) => ({ names: devicesOf(world, person) }),
    },
  },
  'devices.read': readsDevice,
  'devices.create': {
    call: ({ world }, site) => ({
      body: { sn: fresh('NEW'), name: fresh('New'), siteId: world.sites[site], deviceModelId: world.model },
    }),
  },
  'devices.update': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) }, body: { name: fresh('Renamed') } }),
  },
  'devices.enable': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
  },
  'devices.disable': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
  },
  'devices.delete': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) } }),
  },
  ...DEVICE_CARE_CASES,
  'blacklistEntries.list': {},
  'connectionAttempts.list': {},
  'blacklistEntries.delete': {
    call: async ({ db }) => ({ params: { id: await newWaitingDevice(db) } }),
  },

  'runtime.read': readsDevice,
  ...CHART_CASES,
  ...ALARM_CASES,

  'commands.send': {
    call: async (ground, site) => ({ params: { id: await newDevice(ground, site) }, body: { kind: 'softReset' } }),
  },
  'executions.list': readsDevice,
  ...PARAMETER_CASES,
  ...TRANSFER_CASES,

  'protocolFrames.list': readsDevice,
  'protocolFrames.export': { ...readsDevice },
  'protocolFrames.read': {
    call: async (ground, site) => {
      const id = await newDevice(ground, site);
      const { id: frameId } = await ground.db
        .insertInto('protocol_frames')
        .values({ device_id: id, at: new Date(), type: 2 } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      return { params: { id, frameId } };
    },
  },
  'fleetFrames.list': {},
  'fleetFrames.export': {},
  'actionLogs.list': {},
  'siteEvents.list': {},
  'loginLogs.list': {},

  'roles.list': {},
  'roles.choices': {},
  'roles.read': { call: onRole },
  'roles.create': { call: () => ({ body: { name: fresh('Role') } }) },
  'roles.rename': {
    call: async (ground) => ({ ...(await onRole(ground)), body: { name: fresh('Role') } }),
  },
  'roles.setData': {
    call: async (ground) => ({
      ...(await onRole(ground)),
      body: { customerAccess: 1, siteAccess: 1, remoteAccess: 0, emailAlarm: true, levels: levelsAll(4) },
    }),
  },
  'roles.setMenus': {
    call: async (ground) => ({ ...(await onRole(ground)), body: { keys: ['auth_home'] } }),
  },
  'roles.delete': { call: onRole },
  ...menuCases,
  ...explainCases,
  ...impersonationCases,

  'users.list': {
    scoped: pageOf('userName', usersOf),
  },
  'users.select': { scoped: selectionOf((name) => name, usersOf) },
  'users.read': readsUser,
  'users.create': {
    call: async ({ world, db }, site) => ({
      body: {
        userName: freshUserName(),
        password: seal(await publicKeyOf(db), 'Case-pass.1'),
        customerId: world.customers[CUSTOMER_OF[site]],
        roleId: await assignedRole(db),
        siteIds: [world.sites[site]],
      },
    }),
  },
  'users.update': {
    ...editsUser,
    call: async (ground, site) => ({ ...(await onUser(ground, site)), body: { nickName: 'Renamed' } }),
  },
  'users.enable': editsUser,
  'users.disable': editsUser,
  'users.resetPassword': {
    ...editsUser,
    call: async (ground, site) => ({
      ...(await onUser(ground, site)),
      body: { answerKey: seal(await publicKeyOf(ground.db), randomBytes(32).toString('base64')) },
    }),
  },
  'users.resetSecondFactor': {
    ...editsUser,
    call: async (ground, site) => {
      const target = await onUser(ground, site);
      await withSecondFactor(ground, target.params.id);
      return target;
    },
  },
  'users.signOut': editsUser,
  'users.delete': editsUser,
  'users.assignments': readsUser,
  'users.assignable': readsUser,
  'users.setAssignments': {
    ...editsUser,
    call: async (ground, site) => ({
      ...(await onUser(ground, site)),
      body: { customerIds: [], siteIds: [ground.world.sites[site]] },
    }),
  },

  ...MAIL_CASES,
  ...MESSAGE_CASES,
  ...ON_CALL_CASES,
  ...CHANNEL_CASES,
  ...FILES_CASES,

  'search.find': { call: () => ({ query: { search: 'north' } }) },

  'stream.read': {
    call: ({ world }, site) => ({ query: { deviceId: world.devices[`${site}1`].id } }),
  },
};
