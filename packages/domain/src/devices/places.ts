import { type LevelArea, type Levels, meets, type RequiredLevel } from '../access/levels.ts';
import type { Scope } from '../access/scope.ts';
import type { AlarmLevel } from '../alarms/alarms.ts';
import { DEVICE_LEVELS } from './devices.ts';

/** The code of a customer or a site, short and fit for labels: a letter or digit, then letters, digits, dot, dash or underscore; 1 to 32 in all. */
const PLACE_CODE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** True when a text can be the code of a customer or a site. */
export function isPlaceCode(text: string): boolean {
  return PLACE_CODE_PATTERN.test(text);
}

/** What somebody's levels admit on a customer or a site; whether the route and the row are theirs is decided elsewhere. */
export interface PlaceRights {
  edit: boolean;
  download: boolean;
}

/** Sites are of the area "device" and ask of a role what a device asks (spec §6). */
export const SITE_LEVELS = placeLevels('device');

/** Customers are of the area "user": who may touch people may touch the organisation they belong to (spec §6). */
export const CUSTOMER_LEVELS = placeLevels('user');

/** What somebody's levels admit on sites. */
export function siteRights(levels: Levels): PlaceRights {
  return rightsOf(levels, SITE_LEVELS);
}

/** What somebody's levels admit on customers. */
export function customerRights(levels: Levels): PlaceRights {
  return rightsOf(levels, CUSTOMER_LEVELS);
}

function rightsOf(levels: Levels, required: Record<keyof PlaceRights, readonly RequiredLevel[]>): PlaceRights {
  return { edit: meets(levels, required.edit), download: meets(levels, required.download) };
}

function placeLevels(area: LevelArea): Record<keyof PlaceRights, readonly RequiredLevel[]> {
  const read = { area, verb: 'read', level: DEVICE_LEVELS.read } as const;
  return {
    edit: [read, { area, verb: 'write', level: DEVICE_LEVELS.write }],
    download: [read, { area, verb: 'download', level: DEVICE_LEVELS.download }],
  };
}

/**
 * True when a customer as a whole lies in the scope, with its users and base data; somebody with assigned sites sees
 * of a customer only what belongs to their sites.
 */
export function seesWholeCustomer(scope: Scope, customerId: number): boolean {
  return scope.sites === 'all' && (scope.customers === 'all' || scope.customers.includes(customerId));
}

/** How a site stands, from what its devices say. */
export const SITE_STATES = ['faulted', 'offline', 'attention', 'normal', 'empty', 'disabled'] as const;
export type SiteState = (typeof SITE_STATES)[number];

/** What decides the state of a site; suppressed alarms do not count. */
export interface SiteFacts {
  /** together with its customer */
  enabled: boolean;
  devices: number;
  /** devices that are not disabled */
  served: number;
  faulted: number;
  offline: number;
  openAlarms: number;
  worstLevel: AlarmLevel | null;
}

/**
 * The state of a site: a person's decision first, then the gravest of what its devices say. One faulted device or one
 * critical alarm makes it faulted; all of its devices away, offline; anything less that is wrong asks for attention.
 */
export function siteState(facts: SiteFacts): SiteState {
  if (!facts.enabled) return 'disabled';
  if (facts.devices === 0) return 'empty';
  if (facts.faulted > 0 || facts.worstLevel === 'CA') return 'faulted';
  if (facts.served > 0 && facts.offline === facts.served) return 'offline';
  if (facts.offline > 0 || facts.openAlarms > 0) return 'attention';
  return 'normal';
}
