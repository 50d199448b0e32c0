import {
  type Abilities,
  type DecidedStep,
  decide,
  decideAccount,
  decideSession,
  ENDPOINTS,
  type Endpoint,
  type ExplainedType,
  type Explanation,
  type explainEndpoints,
  type Facts,
  type QueryOf,
  type ResultOf,
  ROW_TYPES,
  type SessionPolicy,
} from '@chargehand/contract';
import { type CommandKind, controlOf, holdsAll } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { presentDescription } from '../../models/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type AccountStateRow, findAccountState } from '../callers.store.ts';
import { type AccountState, accountOf, accountStateOf } from '../decision.ts';
import { exceeds } from '../policy/exceeds.ts';
import { findInterface, listInterfaces, reachedInterfaces } from '../roles/interfaces.store.ts';
import { findOwnLimits } from '../roles/roles.store.ts';
import { findUser } from '../users/users.store.ts';
import { countShared, menusOf } from './explain.store.ts';
import { type QuestionRow, questionRow, type Rows } from './row-facts.ts';
import { type ExplainedStep, explanationOf, fixOf, step } from './step.ts';

type Queries = typeof explainEndpoints;
export type ExplainService = ReturnType<typeof explainService>;

/** Whether a user may do something. */
interface Question {
  subject: AccountStateRow;
  accountState: AccountState;
  /** false for the user of an application */
  signsIn: boolean;
  endpoint: Endpoint | null;
  /** the keys of a page, if the question is not about an endpoint */
  keys: readonly string[];
  row: QuestionRow | null;
  /** the control, if the question is about one */
  kind: CommandKind | null;
}

const BY_ID: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(ENDPOINTS).map((endpoint): [string, Endpoint] => [endpoint.id, endpoint]),
);

/** A page of the console decides about its keys only. */
/** The highest ID of rows whose IDs are counted: an integer of the database. */
const MOST_ID = 2_147_483_647;
const NO_POLICY: SessionPolicy = { route: 'common', row: 'scope' };

/**
 * What a user may do, and why: all steps of the functions that also decide real calls. Rows, users and roles that the
 * caller does not see are not revealed.
 */
export function explainService(parts: Rows & { db: Kysely<Database> }) {
  const { db, pool } = parts;

  async function questionOf(
    caller: Caller,
    userId: number,
    endpoint: Endpoint | null,
    { keys = '', objectType, objectId, kind }: AskedAbout,
    signsIn: boolean,
  ): Promise<Question> {
    const subject = await findAccountState(pool, userId, endpoint?.id ?? '');
    if (!subject) throw notFound('user');
    const accountState = accountStateOf(subject);
    const named = objectType === undefined || objectId === undefined ? null : { objectType, id: objectId };
    // Only files have such IDs.
    if (named && named.id > MOST_ID && named.objectType !== 'attachment') throw notFound(named.objectType);
    const row =
      named &&
      (await questionRow(parts, caller, { subject, accountState }, endpoint && decidingPolicy(endpoint), named));
    return { subject, accountState, signsIn, endpoint, keys: keys.split(',').filter(Boolean), row, kind: kind ?? null };
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

    async choices(): Promise<ResultOf<Queries['listExplainable']>> {
      const items = (await listInterfaces(db)).map(({ id, nameEn, nameZh, method, url }) => {
        const endpoint = BY_ID.get(id);
        return { id, nameEn, nameZh, method, url, objectType: endpoint ? explainedType(endpoint) : null };
      });
      return { items };
    },

    async explain(caller: Caller, id: number, query: QueryOf<Queries['explainAccess']>): Promise<Explanation> {
      if (!(await findUser(caller.scope, db, id))) throw notFound('user');
      const endpoint = query.endpoint === undefined ? null : (BY_ID.get(query.endpoint) ?? null);
      if (query.endpoint !== undefined && !endpoint) {
        throw new Problem('interfaceUnknown', { field: 'endpoint', values: { id: query.endpoint } });
      }
      const question = await questionOf(caller, id, endpoint, query, true);
      return explanationOf(await stepsOf(db, question), caller.locale);
    },

    /**
     * The steps about the user of an application that calls an operation like an endpoint. The caller sees the user.
     * Applications do not sign in, so the password, the second factor and the privacy policy do not matter.
     */
    async boundUserSteps(
      caller: Caller,
      userId: number,
      endpoint: Endpoint,
      about: Pick<AskedAbout, 'objectId' | 'kind'>,
    ): Promise<ExplainedStep[]> {
      const objectType = explainedType(endpoint) ?? undefined;
      return await stepsOf(db, await questionOf(caller, userId, endpoint, { ...about, objectType }, false));
    },
  };
}

interface AskedAbout {
  keys?: string | undefined;
  objectType?: ExplainedType | undefined;
  objectId?: number | undefined;
  kind?: CommandKind | undefined;
}

/**
 * The part of an endpoint's policy that decides about the whole call; null for public endpoints. With many rows, the
 * rest of the policy is decided for each row separately.
 */
function decidingPolicy({ policy }: Endpoint): SessionPolicy | null {
  if (policy.route === 'public') return null;
  const { route, who, row } = policy;
  return typeof row === 'object' && row.each ? { route, ...(who && { who }), row } : policy;
}

/** What a question about an endpoint can name: for an alarm its device, for a session its user. */
function explainedType({ policy }: Endpoint): ExplainedType | null {
  const row = policy.route === 'public' ? null : policy.row;
  return row !== null && typeof row === 'object' && !row.each ? ROW_TYPES[row.object] : null;
}

/** The steps of a decision, in the order of the server. */
async function stepsOf(db: Kysely<Database>, question: Question): Promise<ExplainedStep[]> {
  const { subject, accountState, endpoint, signsIn } = question;
  const explained = (steps: readonly DecidedStep[]) => steps.map((decided) => explainedStep(decided, question));
  if (!endpoint) {
    const steps = explained([decideAccount(accountOf(subject))]);
    return [
      ...steps,
      await pageStep(db, question),
      ...explained(decide(NO_POLICY, accountState, await factsOf(db, question))),
    ];
  }
  const session = explained(decideSession(accountOf(subject), endpoint, { signsIn }));
  const policy = decidingPolicy(endpoint);
  if (!policy) return session;
  const steps: ExplainedStep[] = [];
  for (const one of session) steps.push(one.step === 'route' ? await routeStep(db, question, endpoint, one) : one);
  return [...steps, ...explained(decide(policy, accountState, await factsOf(db, question)))];
}

/** What is known about the call that a question is about. */
async function factsOf(db: Kysely<Database>, { accountState, endpoint, row, kind }: Question): Promise<Facts> {
  if (!row) return { rows: null, kind };
  const facts: Facts = { rows: [row.row], hidden: row.hidden ?? null, kind };
  const policy = endpoint && decidingPolicy(endpoint);
  if (policy?.withinOwnRights && !row.hidden) facts.exceeds = await exceeds(db, accountState, row.row);
  const { deviceModelId } = row.row;
  const command = typeof policy?.level === 'object' && 'command' in policy.level;
  if (command && kind && deviceModelId !== undefined) {
    facts.control = controlOf(await presentDescription(db, deviceModelId), kind);
  }
  return facts;
}

/** A step as the console shows it: names, levels and where to change them. */
function explainedStep(decided: DecidedStep, { subject, accountState, endpoint, row }: Question): ExplainedStep {
  const { place, objectType, row: facts } = row ?? {};
  const ownName = decided.step === 'holding' || (decided.step === 'level' && (facts?.own ?? facts?.toSee));
  const names = place && (decided.step === 'row' ? place.names : ownName ? place.names.slice(0, 1) : []);
  const levels = decided.levels?.map(({ area, verb, level }) => ({
    ...{ area, verb, needed: level, held: accountState.levels[area][verb] },
  }));
  const taken = step(decided.step, decided, {
    ...{ names: names ?? [], levels: levels ?? [], fix: fixOf(decided, subject) },
  });
  if (!decided.hides || !objectType) return taken;
  const policy = endpoint && decidingPolicy(endpoint);
  const outside = typeof policy?.row === 'object' ? policy.row.outside : undefined;
  return { ...taken, problem: outside ? new Problem(outside) : notFound(objectType) };
}

/** The menu that includes the interface, and whether the user has it. */
async function routeStep(
  db: Kysely<Database>,
  { subject, accountState }: Question,
  endpoint: Endpoint,
  decided: ExplainedStep,
): Promise<ExplainedStep> {
  if (decided.reason === 'root') return decided;
  const found = await findInterface(db, endpoint.id);
  const carriers = await menusOf(db, found?.menus ?? []);
  const { problem } = decided;
  const taken = { refusedWith: problem?.code ?? null };
  if (found?.common) return step('route', { ...taken, reason: 'common' });
  if (problem === null) {
    const menus = carriers.filter((menu) => menu.common || accountState.keys.has(menu.key));
    return step('route', { ...taken, reason: 'menuHeld' }, { menus });
  }
  const reason = carriers.length === 0 ? 'noMenu' : 'menuMissing';
  const fix = fixOf({ step: 'route', reason, ...taken }, subject);
  return step('route', { ...taken, reason }, { menus: carriers, fix });
}

/** A page needs all of its keys, as in the guard of the console. */
async function pageStep(db: Kysely<Database>, { subject, accountState, keys }: Question): Promise<ExplainedStep> {
  const passes = { refusedWith: null };
  if (keys.length === 0) return step('route', { reason: 'screenOpen', ...passes });
  const menus = await menusOf(db, keys);
  if (accountState.root) return step('route', { reason: 'root', ...passes }, { menus });
  if (holdsAll(accountState, keys)) return step('route', { reason: 'screenHeld', ...passes }, { menus });
  const missing = menus.filter(({ key }) => !accountState.keys.has(key));
  const decided = { step: 'route', reason: 'screenMissing', refusedWith: 'noPermission' } as const;
  return step('route', decided, { menus: missing, fix: fixOf(decided, subject) });
}
