import { type LevelArea, type Levels, meets, type RequiredLevel } from '../access/levels.ts';
import type { Scope } from '../access/scope.ts';
import { DEVICE_LEVELS } from './devices.ts';

/**
 * The code of a customer or site, short enough for labels: a letter or digit, then letters, digits, dots, dashes or
 * underscores; 1 to 32 characters.
 */
const PLACE_CODE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** True if a text is a valid code of a customer or site. */
export function isPlaceCode(text: string): boolean {
  return PLACE_CODE_PATTERN.test(text);
}

/** What a user's levels allow on a customer or site. The route and the row are checked elsewhere. */
export interface PlaceRights {
  edit: boolean;
  download: boolean;
}

/** Sites belong to the area "device" and require the same levels as devices (spec §6). */
export const SITE_LEVELS = placeLevels('device');

/** Customers belong to the area "user" and require the same levels as users (spec §6). */
export const CUSTOMER_LEVELS = placeLevels('user');

/** What a user's levels allow on sites. */
export function siteRights(levels: Levels): PlaceRights {
  return rightsOf(levels, SITE_LEVELS);
}

/** What a user's levels allow on customers. */
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
 * True if the whole customer is in the scope, with its users and base data. A user with assigned sites only sees the
 * parts of a customer that belong to these sites.
 */
export function seesWholeCustomer(scope: Scope, customerId: number): boolean {
  return scope.sites === 'all' && (scope.customers === 'all' || scope.customers.includes(customerId));
}

/** The state of a site, from its devices; the worst first. */
export const SITE_STATES = ['faulted', 'offline', 'attention', 'normal', 'empty', 'disabled'] as const;
export type SiteState = (typeof SITE_STATES)[number];

/** Everything that decides the state of a site. Suppressed alarms do not count. */
export interface SiteFacts {
  /** together with its customer */
  enabled: boolean;
  devices: number;
  /** devices that are not disabled */
  served: number;
  faulted: number;
  offline: number;
  openAlarms: number;
  /** devices with an open critical alarm */
  critical: number;
}

/** From this share of its served devices with a fault or a critical alarm on, a site is faulted. */
export const FAULTED_SHARE = 0.25;

/**
 * The state of a site: first decisions of users, then the share of devices with a problem. It is faulted from
 * `FAULTED_SHARE` on, so that one faulted device of many does not look like a site that is down; offline if all devices
 * are. Other problems need attention. Devices can be faulted and critical, so the larger number counts.
 */
export function siteState(facts: SiteFacts): SiteState {
  if (!facts.enabled) return 'disabled';
  if (facts.devices === 0) return 'empty';
  const affected = Math.max(facts.faulted, facts.critical);
  if (affected > 0 && affected >= facts.served * FAULTED_SHARE) return 'faulted';
  if (facts.served > 0 && facts.offline === facts.served) return 'offline';
  if (facts.offline > 0 || affected > 0 || facts.openAlarms > 0) return 'attention';
  return 'normal';
}

/** The worst of the states of several sites; null if there are none. */
export function worstSiteState(states: Iterable<SiteState>): SiteState | null {
  const found = new Set(states);
  return SITE_STATES.find((state) => found.has(state)) ?? null;
}
