import {
  type Abilities,
  type AnswerOf,
  ENDPOINTS,
  type Endpoint,
  type ExplainedType,
  type ExplainStep,
  type Explanation,
  type explainEndpoints,
  levelsNeeded,
  type QueryOf,
  ROW_TYPES,
  type RowPolicy,
  type SessionPolicy,
} from '@chargehand/contract';
import {
  type CommandKind,
  CUSTOMER_ACCESS,
  commandLevels,
  controlOf,
  holdsAll,
  meets,
  permitsLink,
  type RequiredLevel,
  refusedBy,
  seesWholeCustomer,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { type PresentDescription, presentDescription } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type AccountStateRow, findAccountState } from '../callers.store.ts';
import {
  type AccountState,
  accountStateOf,
  type Decided,
  decideAccount,
  decidePassword,
  decidePrivacy,
  decideReadOnly,
  decideRoute,
  decideSecondFactor,
} from '../decision.ts';
import { holdingOf, isGrantable } from '../holding.ts';
import { findInterface, listInterfaces, reachedInterfaces } from '../roles/interfaces.store.ts';
import { findOwnLimits, findRole, type RoleRecord } from '../roles/roles.store.ts';
import { holdsNoMore } from '../users/user-rules.ts';
import { findUser, type UserRecord } from '../users/users.store.ts';
import { isVendor } from '../vendor.ts';
import {
  countShared,
  type ExplainedRow,
  findExplainedRow,
  findStoredRow,
  isRowInScope,
  menusOf,
  type StoredRow,
} from './explain.store.ts';
import { explanationOf, roleFix, step, type Taken } from './step.ts';
import { type StoredFinders, type StoredParts, seesStored, storedSteps } from './stored-steps.ts';

type Queries = typeof explainEndpoints;
export type ExplainService = ReturnType<typeof explainService>;

/** The user of a question, and the action. */
interface ExplainRequest {
  subject: AccountStateRow;
  accountState: AccountState;
  /** false for the user of an application */
  signsIn: boolean;
  endpoint: Endpoint | null;
  keys: readonly string[];
  policy: SessionPolicy | null;
  row: ExplainedRow | null;
  /** the control, if the question is about one, and the controls that the device model offers */
  kind: CommandKind | null;
  offer: PresentDescription | null;
  /** a file, a folder or a share */
  stored: StoredRow | null;
  target: { user: UserRecord } | { role: RoleRecord } | null;
}

const BY_ID: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(ENDPOINTS).map((endpoint): [string, Endpoint] => [endpoint.id, endpoint]),
);

/**
 * What a user may do, and why. Each step uses the function that also decides real calls. Rows, users and roles that the
 * caller does not see are not revealed.
 */
export function explainService(parts: { db: Kysely<Database>; pool: Pool; finders: StoredFinders }) {
  const { db, pool } = parts;

  async function requestOf(
    caller: Caller,
    userId: number,
    endpoint: Endpoint | null,
    query: Pick<QueryOf<Queries['explainAccess']>, 'keys' | 'objectType' | 'objectId' | 'kind'>,
  ): Promise<ExplainRequest> {
    const subject = await findAccountState(pool, userId, endpoint?.id ?? '');
    if (!subject) throw notFound('user');
    const policy = endpoint && decidingPolicy(endpoint);
    const named = await explainedRowOf(parts, caller, query.objectType, query.objectId);
    const model = isCommand(policy) ? named.row?.model : null;
    return {
      subject,
      accountState: accountStateOf(subject),
      signsIn: true,
      endpoint,
      keys: (query.keys ?? '').split(',').filter(Boolean),
      policy,
      ...named,
      kind: query.kind ?? null,
      offer: model ? await presentDescription(db, model.deviceModelId) : null,
    };
  }

  return {
    async abilities(caller: Caller, id: number): Promise<Abilities> {
      const user = await findUser(caller.scope, db, id);
      const subject = await findAccountState(pool, id, '');
      if (!user || !subject) throw notFound('user');
      const accountState = accountStateOf(subject);
      const interfaces = accountState.root
        ? await listInterfaces(db)
        : [...(await reachedInterfaces(db, accountState.keys))];
      return {
        root: accountState.root,
        readOnly: accountState.readOnly,
        platformVendor: accountState.platformVendor,
        roleId: user.roleId,
        roleName: user.roleName,
        customerAccess: user.customerAccess,
        siteAccess: user.siteAccess,
        remoteAccess: (await findOwnLimits(db, id)).remoteAccess,
        levels: accountState.levels,
        menus: await menusOf(db, [...accountState.keys]),
        seen: await countShared(caller.scope, accountState.scope, db),
        interfaces: interfaces.length,
      };
    },

    async choices(): Promise<AnswerOf<Queries['listExplainable']>> {
      const items = (await listInterfaces(db)).map(({ id, nameEn, nameZh, method, url }) => ({
        ...{ id, nameEn, nameZh, method, url },
        objectType: explainedType(BY_ID.get(id)?.policy),
      }));
      return { items };
    },

    async explain(caller: Caller, id: number, query: QueryOf<Queries['explainAccess']>): Promise<Explanation> {
      if (!(await findUser(caller.scope, db, id))) throw notFound('user');
      const endpoint = query.endpoint === undefined ? null : (BY_ID.get(query.endpoint) ?? null);
      if (query.endpoint !== undefined && !endpoint) {
        throw new Problem('interfaceUnknown', { field: 'endpoint', values: { id: query.endpoint } });
      }
      const request = await requestOf(caller, id, endpoint, query);
      return explanationOf(await stepsOf(parts, request), caller.locale);
    },

    /**
     * The steps about the user of an application that calls an operation like an endpoint. The caller sees the user.
     * Applications do not sign in, so the password, the second factor and the privacy policy do not matter.
     */
    async boundUserSteps(
      caller: Caller,
      userId: number,
      endpoint: Endpoint,
      question: { objectId?: number | undefined; kind?: CommandKind | undefined },
    ): Promise<Taken[]> {
      const objectType = explainedType(endpoint.policy) ?? undefined;
      const request = await requestOf(caller, userId, endpoint, { ...question, objectType });
      return await stepsOf(parts, { ...request, signsIn: false });
    },
  };
}

/**
 * The part of an endpoint's policy that decides about the whole call; null for public endpoints. With many rows, the
 * rest of the policy is decided for each row separately.
 */
function decidingPolicy({ policy }: Endpoint): SessionPolicy | null {
  if (policy.route === 'public') return null;
  const { route, who, row } = policy;
  return typeof row === 'object' && row.each ? { route, who, row } : policy;
}

/** The row that the policy needs; null if it needs none, or decides many rows separately. */
function namedRow(policy: SessionPolicy | null): RowPolicy | null {
  const row = policy?.row;
  return typeof row === 'object' && !row.each ? row : null;
}

/** What a question about an endpoint can name: for an alarm its device, for a session its user. */
function explainedType(policy: Endpoint['policy'] | undefined): ExplainedType | null {
  const row = policy && policy.route !== 'public' ? namedRow(policy) : null;
  return row && ROW_TYPES[row.object];
}

function isCommand(policy: SessionPolicy | null): boolean {
  const level = policy?.level;
  return level === 'control' || (typeof level === 'object' && 'command' in level);
}

/** The row of a question, if the caller sees it. @throws {Problem} notFound */
async function explainedRowOf(
  { db, ...stored }: StoredParts & { db: Kysely<Database> },
  caller: Caller,
  objectType: ExplainedType | undefined,
  id: number | undefined,
): Promise<Pick<ExplainRequest, 'row' | 'stored' | 'target'>> {
  const none = { row: null, stored: null, target: null };
  if (objectType === undefined || id === undefined) return none;
  if (objectType === 'role') {
    const role = isVendor(caller) ? await findRole(db, id) : null;
    if (!role) throw notFound('role');
    return { ...none, target: { role } };
  }
  if (objectType === 'attachment' || objectType === 'document' || objectType === 'folder' || objectType === 'share') {
    const seen = await seesStored(stored, caller, objectType, id);
    const row = seen ? await findStoredRow(db, objectType, id) : null;
    if (!row) throw notFound(objectType);
    return { ...none, stored: row };
  }
  const row = await findExplainedRow(caller.scope, db, objectType, id);
  if (!row) throw notFound(objectType);
  const user = objectType === 'user' ? await findUser(caller.scope, db, id) : null;
  return { ...none, row, target: user ? { user } : null };
}

/** The steps of a decision, in the order of the server. */
async function stepsOf(parts: StoredParts & { db: Kysely<Database> }, request: ExplainRequest): Promise<Taken[]> {
  const { db } = parts;
  const { subject, endpoint, policy, signsIn } = request;
  if (endpoint?.policy.route === 'public') return [step('route', { reason: 'public', refusedWith: null })];
  const steps: Taken[] = [accountStep(subject)];
  if (endpoint && signsIn) {
    steps.push(step('password', decidePassword(subject, endpoint)));
    const factor = decideSecondFactor(subject, endpoint);
    if (factor.refusedWith) steps.push(step('secondFactor', factor));
    steps.push(step('privacy', decidePrivacy(subject, endpoint)));
  }
  steps.push(endpoint ? await routeStep(db, request, endpoint) : await screenStep(db, request));
  if (endpoint) steps.push(readOnlyStep(subject, decideReadOnly(subject, endpoint)));
  if (policy?.who) steps.push(whoStep(request.accountState, policy.who));
  if (request.stored) return [...steps, ...(await storedSteps(parts, request.stored, request))];
  const row = await rowSteps(db, request);
  const level = levelSteps(request);
  steps.push(...(policy?.levelFirst ? [...level, ...row] : [...row, ...level]), ...remoteSteps(request));
  const { target } = request;
  if (policy?.withinOwnRights && target) steps.push(await holdingStep(db, request.accountState, target));
  return steps;
}

function accountStep(subject: AccountStateRow): Taken {
  const decided = decideAccount(subject);
  const place = decided.reason === 'customerDisabled' ? 'customer' : 'user';
  const id = place === 'customer' ? subject.customer_id : subject.user_id;
  return step('account', decided, { fix: { place, id } });
}

/** The menu that includes the interface, and whether the user has it. */
async function routeStep(
  db: Kysely<Database>,
  { subject, accountState }: ExplainRequest,
  endpoint: Endpoint,
): Promise<Taken> {
  const decided = decideRoute(subject);
  const found = await findInterface(db, endpoint.id);
  const carriers = await menusOf(db, found?.menus ?? []);
  const held = carriers.filter((menu) => menu.common || accountState.keys.has(menu.key));
  if (decided.reason === 'root') return step('route', decided);
  if (found?.common) return step('route', { ...decided, reason: 'common' });
  if (decided.refusedWith === null) return step('route', decided, { menus: held });
  if (carriers.length === 0) {
    return step('route', { ...decided, reason: 'noMenu' }, { fix: { place: 'menus', id: null } });
  }
  return step('route', decided, { menus: carriers, fix: roleFix('roleMenus', subject) });
}

/** A page needs all of its keys, as in the guard of the console. */
async function screenStep(db: Kysely<Database>, { subject, accountState, keys }: ExplainRequest): Promise<Taken> {
  if (keys.length === 0) return step('route', { reason: 'screenOpen', refusedWith: null });
  const menus = await menusOf(db, keys);
  if (accountState.root) return step('route', { reason: 'root', refusedWith: null }, { menus });
  if (holdsAll(accountState, keys)) return step('route', { reason: 'screenHeld', refusedWith: null }, { menus });
  const missing = menus.filter(({ key }) => !accountState.keys.has(key));
  return step(
    'route',
    { reason: 'screenMissing', refusedWith: 'noPermission' },
    { menus: missing, fix: roleFix('roleMenus', subject) },
  );
}

function readOnlyStep(subject: AccountStateRow, decided: Decided): Taken {
  return step('readOnly', decided, { fix: { place: 'customer', id: subject.customer_id } });
}

function whoStep(accountState: AccountState, who: 'vendor' | 'root'): Taken {
  const admitted = who === 'root' ? accountState.root : isVendor(accountState);
  if (accountState.root) return step('vendor', { reason: 'root', refusedWith: null });
  if (admitted) return step('vendor', { reason: 'vendor', refusedWith: null });
  return step('vendor', { reason: who === 'root' ? 'notRoot' : 'notVendor', refusedWith: 'noPermission' });
}

/** Is the row in the user's scope? If not, which part of their role or assignments excludes it? */
async function rowSteps(db: Kysely<Database>, request: ExplainRequest): Promise<Taken[]> {
  const { subject, accountState, policy, row, target } = request;
  const named = namedRow(policy);
  const steps: Taken[] = [];
  if (policy?.allCustomers && accountState.scope.customers !== 'all') {
    const decided = { reason: 'allCustomersNeeded', refusedWith: 'noPermission' } as const;
    steps.push(step('row', decided, { fix: roleFix('roleData', subject) }));
  }
  if (target && 'role' in target) return steps;
  if (!row) {
    if (named && named.object !== 'role' && !named.optional) {
      steps.push({ ...step('row', { reason: 'rowNeeded', refusedWith: null }), state: 'open' });
    }
    return steps;
  }
  const within = await isRowInScope(accountState.scope, db, row);
  const names = namesOf(row);
  if (!within) {
    const problem = new Problem(named?.outside ?? 'notFound', { values: { object: row.objectType } });
    return [
      ...steps,
      {
        ...step('row', { reason: outsideOf(subject, accountState, row), refusedWith: 'notFound' }),
        names,
        problem,
        fix: outsideFix(subject, accountState, row),
      },
    ];
  }
  const everything = accountState.scope.customers === 'all' && accountState.scope.sites === 'all';
  steps.push(step('row', { reason: everything ? 'allRows' : 'rowInScope', refusedWith: null }, { names }));
  if (named?.whole && !seesWholeCustomer(accountState.scope, row.customerId)) {
    const decided = { reason: 'wholeCustomerNeeded', refusedWith: 'noPermission' } as const;
    steps.push(step('row', decided, { names, fix: roleFix('roleData', subject) }));
  }
  return steps;
}

/** What excludes a row: another customer, a customer or a site that is not assigned. */
function outsideOf(subject: AccountStateRow, { scope }: AccountState, row: ExplainedRow): ExplainStep['reason'] {
  const ofCustomer = row.objectType === 'customer' || row.objectType === 'user';
  const reason = refusedBy(ofCustomer ? { ...scope, sites: 'all' } : scope, row);
  if (reason === 'customer') {
    return subject.customer_access === CUSTOMER_ACCESS.assigned ? 'customerNotAssigned' : 'otherCustomer';
  }
  return row.objectType === 'user' ? 'userNotOfSites' : 'siteNotAssigned';
}

function outsideFix(subject: AccountStateRow, accountState: AccountState, row: ExplainedRow): ExplainStep['fix'] {
  return outsideOf(subject, accountState, row) === 'otherCustomer'
    ? roleFix('roleData', subject)
    : { place: 'assignment', id: subject.user_id };
}

function levelSteps(question: ExplainRequest): Taken[] {
  const { subject, accountState, policy, row, offer, kind } = question;
  if (offer && offer.version > 0 && kind === null) {
    return [{ ...step('level', { reason: 'levelNeedsControl', refusedWith: null }), state: 'open' }];
  }
  const required = controlLevels(question) ?? levelsNeeded(policy?.level, row?.model ?? null, null);
  if (required === null)
    return [{ ...step('level', { reason: 'levelNeedsDevice', refusedWith: null }), state: 'open' }];
  const all = required;
  if (all.length === 0) return [];
  const suffices = meets(accountState.levels, all);
  const levels = all.map(({ area, verb, level }) => ({
    ...{ area, verb, needed: level, held: accountState.levels[area][verb] },
  }));
  const decided: Decided = suffices
    ? { reason: 'levelHeld', refusedWith: null }
    : { reason: 'levelMissing', refusedWith: 'noPermission' };
  const taken = [step('level', decided, { names: [], levels, fix: roleFix('roleData', subject) })];
  if (offer && kind && suffices && controlOf(offer, kind) === null) {
    taken.push(step('level', { reason: 'controlNotOffered', refusedWith: 'controlNotOffered' }));
  }
  return taken;
}

/** Does the role's web and SSH access include links? The request does not name their kind. */
function remoteSteps({ subject, accountState, policy }: ExplainRequest): Taken[] {
  if (policy?.remote === undefined) return [];
  if (permitsLink(accountState, 'ssh')) return [step('remote', { reason: 'remoteHeld', refusedWith: null })];
  if (permitsLink(accountState, 'web')) {
    return [{ ...step('remote', { reason: 'remotePagesOnly', refusedWith: null }), state: 'open' }];
  }
  const decided = { reason: 'remoteMissing', refusedWith: 'noPermission' } as const;
  return [step('remote', decided, { fix: roleFix('roleData', subject) })];
}

/** The required levels of a control of a device; null without a control. */
function controlLevels({ row, offer, kind }: ExplainRequest): readonly RequiredLevel[] | null {
  return row?.model && offer && kind ? commandLevels(row.model, kind, controlOf(offer, kind)) : null;
}

async function holdingStep(
  db: Kysely<Database>,
  accountState: AccountState,
  target: { user: UserRecord } | { role: RoleRecord },
): Promise<Taken> {
  const enough =
    'user' in target
      ? await holdsNoMore(db, accountState, target.user)
      : isGrantable(await holdingOf(db, accountState), target.role);
  const names = ['user' in target ? target.user.userName : target.role.name];
  if (enough) return step('holding', { reason: 'holdsNoMore', refusedWith: null }, { names });
  const refusedWith = 'user' in target ? 'userExceeds' : 'roleExceeds';
  return step('holding', { reason: 'holdsMore', refusedWith }, { names });
}

function namesOf({ name, siteName, customerName, objectType }: ExplainedRow): string[] {
  if (objectType === 'device') return [name, siteName ?? '', customerName];
  return objectType === 'customer' ? [name] : [name, customerName];
}
