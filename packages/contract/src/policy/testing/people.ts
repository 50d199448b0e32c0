import { type Level, levelsAll, type RequiredLevel } from '@chargehand/domain';
import { type CodeName, ENDPOINTS, type Endpoint } from '../../index.ts';
import { decide, type Facts, type Rights, type RowFacts, refusalBeforeRows, refusalOf } from '../decide.ts';
import { type AccountFacts, decideSession } from '../decide-session.ts';

export const NORTH = 1;
export const SOUTH = 2;
const QUAY = 11;

/** A user who signs in, with their account and rights. */
export type Person = AccountFacts & Rights;

export const ADMIN: Person = {
  ...{ enabled: true, customerEnabled: true, passwordGiven: false, secondFactorDue: false, privacyWaits: false },
  ...{ root: false, readOnlyCustomer: false, reaches: true, platformVendor: false, customerId: NORTH },
  ...{ scope: { customers: [NORTH], sites: 'all' }, levels: levelsAll(1), remoteAccess: 1 },
};
const EVERYWHERE = { customers: 'all', sites: 'all' } as const;
export const ROOT: Person = { ...ADMIN, root: true, platformVendor: true, scope: EVERYWHERE, levels: levelsAll(0) };
export const VENDOR: Person = { ...ADMIN, platformVendor: true, customerId: 9, scope: EVERYWHERE };
export const ASSIGNED: Person = { ...ADMIN, scope: { customers: [NORTH], sites: [QUAY] } };
export const READER: Person = { ...ADMIN, levels: levelsAll(5) };
export const at = (level: Level): Person => ({ ...ADMIN, levels: levelsAll(level) });

export const MODEL = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;
export const DEVICE: RowFacts = { customerId: NORTH, model: MODEL, described: false };
export const OWN = { read: 5, write: 3, download: 4 } as const;
export const READ_FILE: RequiredLevel = { area: 'attachment', verb: 'read', level: OWN.read };
export const FILE: RowFacts = {
  ...{ customerId: NORTH, model: null, described: false },
  ...{ own: { area: 'attachment', ...OWN }, toSee: [READ_FILE] },
};
export const PAGE: RowFacts = { ...FILE, customerId: null, own: { area: 'wiki', ...OWN }, toSee: [] };
export const USER: RowFacts = { customerId: NORTH, userId: 5, model: null, described: false };
export const HIDDEN: Facts = { rows: [], hidden: 'rowHidden' };

export const BY_ID = new Map(Object.values<Endpoint>(ENDPOINTS).map((endpoint) => [endpoint.id, endpoint]));

/** The code of the response to a call; null if it is allowed. In the order of the server. */
export function codeOf(person: Person, endpoint: Endpoint, facts: Facts): CodeName | null {
  const { policy } = endpoint;
  if (policy.route === 'public') return null;
  const refused =
    refusalOf(decideSession(person, endpoint)) ??
    refusalBeforeRows(policy, person) ??
    refusalOf(decide(policy, person, facts));
  return refused?.refusedWith ?? null;
}
