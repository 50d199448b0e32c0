import type { CodeName, ExplainedThing } from '@chargehand/contract';
import {
  CUSTOMER_DEMANDS,
  type DeviceRights,
  deviceDemands,
  type LevelDemand,
  type ModelLevels,
  SITE_DEMANDS,
  USER_DOWNLOAD_DEMANDS,
  USER_EDIT_DEMANDS,
} from '@chargehand/domain';

/** What an interface asks beyond its route: whose people, which row, which level. */
export interface Demand {
  who?: 'vendor' | 'root';
  /** the row it concerns; `whole` where a customer must be seen with all its sites */
  row?: { thing: ExplainedThing; outside?: CodeName; whole?: boolean; optional?: boolean };
  /** every customer must be in scope, for one that is added would else be out of sight */
  allCustomers?: boolean;
  level?: readonly LevelDemand[] | keyof DeviceRights;
  /** the level is looked at before the row */
  levelFirst?: boolean;
  /** the user or role that it concerns must hold no more than whoever asks */
  holdsNoMore?: boolean;
}

const device: Demand = { row: { thing: 'device' } };
const site: Demand = { row: { thing: 'site' } };
const user: Demand = { row: { thing: 'user' } };
const role: Demand = { who: 'vendor', row: { thing: 'role' } };
const vendor: Demand = { who: 'vendor' };
const rootOnly: Demand = { who: 'root' };
const editsModels: Demand = { who: 'vendor', level: 'edit' };

const editsDevice: Demand = { ...device, level: 'edit' };
const editsSite: Demand = { ...site, level: SITE_DEMANDS.edit };
const editsUser: Demand = { ...user, level: USER_EDIT_DEMANDS, holdsNoMore: true };
const editsRole: Demand = { ...role, holdsNoMore: true };
const editsCustomer: Demand = { row: { thing: 'customer', whole: true }, level: CUSTOMER_DEMANDS.edit };

/**
 * What each interface asks beyond its route, so that it can be said before it is tried; one that is not listed asks
 * nothing (those of many rows at once decide each row in their answer). The rooms enforce it, with the functions of the
 * domain that stand here; a test holds this table and every call together. What belongs to a row that can be named, as
 * an alarm to its device and a session to its user, is asked for by that row.
 */
const DEMANDS: Readonly<Record<string, Demand>> = {
  'customers.export': { level: CUSTOMER_DEMANDS.download },
  'customers.read': { row: { thing: 'customer' } },
  'customers.users': { row: { thing: 'customer', whole: true } },
  'customers.create': { who: 'vendor', allCustomers: true, level: CUSTOMER_DEMANDS.edit },
  'customers.update': editsCustomer,
  'customers.enable': { who: 'vendor', ...editsCustomer },
  'customers.disable': { who: 'vendor', ...editsCustomer },
  'customers.delete': { who: 'vendor', ...editsCustomer },
  'sites.export': { level: SITE_DEMANDS.download },
  'sites.read': site,
  'sites.administrators': site,
  'sites.create': { row: { thing: 'customer', outside: 'customerUnknown' }, level: SITE_DEMANDS.edit },
  'sites.update': editsSite,
  'sites.enable': editsSite,
  'sites.disable': editsSite,
  'sites.delete': editsSite,
  'devices.export': { level: 'download' },
  'devices.read': device,
  'devices.create': { row: { thing: 'site', outside: 'siteUnknown' }, level: 'edit' },
  'devices.update': editsDevice,
  'devices.enable': editsDevice,
  'devices.disable': editsDevice,
  'devices.delete': editsDevice,
  'devices.import': { row: { thing: 'site', outside: 'importFailed' }, level: 'edit', levelFirst: true },
  'devices.importTemplate': { level: 'edit' },
  'deviceMaintenances.list': device,
  'deviceMaintenances.record': editsDevice,
  'deviceMaintenances.begin': editsDevice,
  'deviceMaintenances.end': editsDevice,
  'deviceImages.list': device,
  'deviceCertificates.list': device,
  'deviceImages.add': editsDevice,
  'deviceImages.order': editsDevice,
  'deviceImages.remove': editsDevice,
  'blacklistEntries.list': vendor,
  'blacklistEntries.delete': vendor,
  'connectionAttempts.list': vendor,
  'runtime.read': device,
  'readingItems.list': device,
  'readings.read': device,
  'readings.export': { ...device, level: 'download' },
  'readingMarks.list': device,
  'transactions.list': device,
  'transactions.close': { ...device, level: 'control' },
  'alarms.export': { level: 'download' },
  'alarms.read': device,
  'alarms.acknowledge': editsDevice,
  'alarms.comment': editsDevice,
  'alarmCodes.save': vendor,
  'alarmCodes.delete': vendor,
  'siteReceivers.list': site,
  'siteReceivers.candidates': site,
  'siteReceivers.add': editsSite,
  'siteReceivers.remove': editsSite,
  'siteStatuses.read': site,
  'siteStatuses.export': { ...site, level: SITE_DEMANDS.download },
  'siteTraffic.read': site,
  'siteTraffic.devices': site,
  'siteTraffic.export': { ...site, level: SITE_DEMANDS.download },
  'deviceTraffic.read': device,
  'storage.read': { row: { thing: 'customer', optional: true } },
  'sessions.export': { level: USER_DOWNLOAD_DEMANDS },
  'sessions.kick': editsUser,
  'privacyPolicies.list': vendor,
  'privacyPolicies.read': vendor,
  'privacyPolicies.readDraft': vendor,
  'privacyPolicies.saveDraft': vendor,
  'privacyPolicies.publish': vendor,
  'privacyAcceptances.list': vendor,
  'privacyAcceptances.export': vendor,
  'commands.send': { ...device, level: 'control' },
  'executions.list': device,
  'executions.cancel': { ...device, level: 'control' },
  'controls.list': device,
  'messages.list': device,
  'messages.read': device,
  'messages.check': device,
  'commandBatches.controls': device,
  'commandBatches.create': { ...device, level: 'control' },
  'commandBatches.read': device,
  'commandBatches.executions': device,
  'commandBatches.cancel': { ...device, level: 'control' },
  'commandBatches.rerun': { ...device, level: 'control' },
  'firmware.credentials': editsModels,
  'firmware.register': editsModels,
  'firmware.update': editsModels,
  'firmware.delete': editsModels,
  'firmware.read': editsModels,
  'firmware.choices': device,
  'firmware.common': device,
  'transfers.list': device,
  'deviceLogs.list': device,
  'deviceLogs.preview': { ...device, level: 'read' },
  'deviceLogs.read': { ...device, level: 'download' },
  'deviceLogs.delete': editsDevice,
  'executions.read': device,
  'configuration.read': device,
  'parameters.list': { ...device, level: 'readParameters' },
  'parameters.set': { ...device, level: 'setParameters' },
  'parameters.compare': { ...device, level: 'readParameters' },
  'parameterHistory.list': { ...device, level: 'readParameters' },
  'parameterBaselines.list': device,
  'parameterBaselines.create': { ...device, level: 'setParameters' },
  'parameterBaselines.rename': { row: { thing: 'customer' }, level: 'setParameters' },
  'parameterBaselines.delete': { row: { thing: 'customer' }, level: 'setParameters' },
  'protocolFrames.list': { ...device, level: 'read' },
  'protocolFrames.export': { ...device, level: 'download' },
  'blacklistEntries.export': { who: 'vendor', level: 'download' },
  'roles.export': { who: 'vendor', level: USER_DOWNLOAD_DEMANDS },
  'users.export': { level: USER_DOWNLOAD_DEMANDS },
  'actionLogs.export': { level: USER_DOWNLOAD_DEMANDS },
  'loginLogs.export': { level: USER_DOWNLOAD_DEMANDS },
  'itemGroups.create': editsModels,
  'itemGroups.update': editsModels,
  'itemGroups.delete': editsModels,
  'itemGroups.order': editsModels,
  'dataItems.create': editsModels,
  'dataItems.update': editsModels,
  'dataItems.delete': editsModels,
  'dataItems.order': editsModels,
  'deviceModels.create': editsModels,
  'deviceModels.update': editsModels,
  'deviceModels.copy': editsModels,
  'deviceModels.delete': editsModels,
  'deviceModels.export': editsModels,
  'deviceModels.import': editsModels,
  'deviceDescriptions.read': device,
  'modelAliases.unmatched': editsModels,
  'modelAliases.create': editsModels,
  'modelAliases.update': editsModels,
  'modelAliases.delete': editsModels,
  'stream.read': { row: { thing: 'device', optional: true } },
  'roles.list': vendor,
  'roles.read': role,
  'roles.create': vendor,
  'roles.rename': editsRole,
  'roles.setData': editsRole,
  'roles.setMenus': editsRole,
  'roles.delete': editsRole,
  'menus.list': vendor,
  'menus.create': vendor,
  'menus.update': vendor,
  'menus.move': vendor,
  'menus.delete': vendor,
  'menus.setInterfaces': vendor,
  'interfaces.list': vendor,
  'interfaces.setCommon': vendor,
  'interfaces.restore': vendor,
  'users.read': user,
  'users.create': { row: { thing: 'site', outside: 'siteUnknown' }, level: USER_EDIT_DEMANDS, levelFirst: true },
  'users.update': editsUser,
  'users.enable': editsUser,
  'users.disable': editsUser,
  'users.resetPassword': editsUser,
  'users.resetSecondFactor': editsUser,
  'users.signOut': editsUser,
  'users.delete': editsUser,
  'users.assignments': user,
  'users.assignable': user,
  'users.setAssignments': editsUser,
  'users.invite': editsUser,
  'mails.list': rootOnly,
  'mails.read': rootOnly,
  'mails.sendAgain': rootOnly,
  'users.abilities': user,
  'users.explain': user,
  'viewing.start': { who: 'root', row: { thing: 'user' } },
};

/** What an interface asks beyond its route. */
export function demandOf(interfaceId: string): Demand {
  return DEMANDS[interfaceId] ?? {};
}

/** Rights that every model grants alike. */
const MODEL_FREE: ReadonlySet<string> = new Set<keyof DeviceRights>(['read', 'edit', 'download']);
const LEAST_MODEL: ModelLevels = { parameterRead: 5, parameterWrite: 5, control: 5 };

/** The levels that a demand asks for; null when only a device's model could tell and none was named. */
export function levelsAsked(demand: Demand, model: ModelLevels | null): readonly LevelDemand[] | null {
  const { level } = demand;
  if (level === undefined) return [];
  if (typeof level !== 'string') return level;
  if (!model && !MODEL_FREE.has(level)) return null;
  return deviceDemands(model ?? LEAST_MODEL)[level];
}
