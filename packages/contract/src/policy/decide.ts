import {
  type CommandKind,
  type ControlItem,
  commandLevels,
  type Levels,
  type LinkKind,
  type ModelLevels,
  meets,
  permitsLink,
  type RequiredLevel,
  type Scope,
  seesWholeCustomer,
} from '@chargehand/domain';
import type { ExplainReason, ExplainStep } from '../access/explain.ts';
import type { CodeName } from '../codes.ts';
import { type LevelPolicy, ROW_TYPES, type SessionPolicy } from './policy.ts';
import { levelsNeeded, type OwnLevels } from './policy-levels.ts';

/** The rights of the user of a call. */
export interface Rights {
  customerId: number;
  /** belongs to the platform-vendor customer */
  platformVendor: boolean;
  root: boolean;
  scope: Scope;
  levels: Levels;
  /** the web and SSH access of the role (spec §6) */
  remoteAccess: number;
}

/** What a policy needs to know about a row. */
export interface RowFacts {
  /** the customer that owns the row; null for rows of the platform */
  customerId: number | null;
  /** the user of a user or session row */
  userId?: number;
  /** the levels of the device model, or those recorded for a batch; null if the row has no device model */
  model: ModelLevels | null;
  /** true if the device model has its own levels for controls and parameters */
  described: boolean;
  /** the levels of a row that has its own */
  own?: OwnLevels;
  /** the levels without which the row does not exist for a user */
  toSee?: readonly RequiredLevel[];
  /** only staff of the platform vendor may write a row of the platform */
  vendorWrites?: boolean;
  /** only users who see all sites may write a row that belongs to all sites of its customer */
  allSitesWrite?: boolean;
  /** the kind of command of an execution or batch */
  kind?: CommandKind;
  /** the kind of a link */
  linkKind?: LinkKind;
}

/** What is known about a call. */
export interface Facts {
  /** the rows of the call, each once; null while they are not known */
  rows: readonly RowFacts[] | null;
  /** why the user does not see at least one of the rows; null if they see all of them */
  hidden?: ExplainReason | null;
  /** the kind of command in the call */
  kind?: CommandKind | null;
  /** the control of a model for this kind of command; null if the model does not have it; missing if not known */
  control?: ControlItem | 'standard' | null;
  /** the kinds of links in the call; missing if not known */
  links?: readonly (LinkKind | null | undefined)[];
  /** whether a user or role of the rows has more rights than the caller; missing if not known */
  exceeds?: boolean;
}

/** One step of a decision: the fact that decided it, and the code of the response if the call ends here. */
export interface DecidedStep {
  step: ExplainStep['step'];
  reason: ExplainReason;
  /** null if the step passes or is open */
  refusedWith: CodeName | null;
  /** depends on something that is not known */
  open?: true;
  /** the row does not exist for the user: the response is the same as for a missing row */
  hides?: true;
  /** the required levels */
  levels?: readonly RequiredLevel[];
}

/**
 * Decides about a call of a user whose route allows it: who, row, all customers, level, remote, own rights, in this
 * order. The first step that fails refuses the call. The server gathers the facts: for a request before its handler
 * runs, for an explanation about any user.
 */
export function decide(policy: SessionPolicy, rights: Rights, facts: Facts): DecidedStep[] {
  const steps = decideWho(policy, rights);
  // Many rows: each is decided separately, with its own result in the response.
  if (typeof policy.row === 'object' && policy.row.each && facts.rows === null) return steps;
  const row = decideRow(policy, rights, facts);
  const level = decideLevel(policy, rights, facts);
  steps.push(...(policy.levelFirst ? [...level, ...row] : [...row, ...level]));
  steps.push(...decideRemote(policy, rights, facts), ...decideWithin(policy, facts));
  return steps;
}

/** The first step that refuses a call; null if there is none. */
export function refusalOf(steps: readonly DecidedStep[]): DecidedStep | null {
  return steps.find(({ refusedWith }) => refusedWith !== null) ?? null;
}

/** What refuses a call whatever its rows are, before they are read: who, and the level if it is checked first. */
export function refusalBeforeRows(policy: SessionPolicy, rights: Rights): DecidedStep | null {
  const level = policy.levelFirst ? decideLevel(policy, rights, { rows: [] }) : [];
  return refusalOf([...decideWho(policy, rights), ...level]);
}

const pass = (step: DecidedStep['step'], reason: ExplainReason): DecidedStep => ({ step, reason, refusedWith: null });
const open = (step: DecidedStep['step'], reason: ExplainReason): DecidedStep => ({ ...pass(step, reason), open: true });
const deny = (step: DecidedStep['step'], reason: ExplainReason, refusedWith: CodeName = 'noPermission') => ({
  ...{ step, reason, refusedWith },
});

function decideWho({ who }: SessionPolicy, { root, platformVendor }: Rights): DecidedStep[] {
  if (!who) return [];
  if (root) return [pass('vendor', 'root')];
  if (who === 'root') return [deny('vendor', 'notRoot')];
  return [platformVendor ? pass('vendor', 'vendor') : deny('vendor', 'notVendor')];
}

function decideRow(policy: SessionPolicy, rights: Rights, { rows, hidden }: Facts): DecidedStep[] {
  const { scope } = rights;
  const named = typeof policy.row === 'object' ? policy.row : null;
  const steps: DecidedStep[] = [];
  if (hidden) {
    steps.push({ ...deny('row', hidden, named?.outside ?? 'notFound'), hides: true });
  } else if (rows === null) {
    // Roles belong to no customer: a caller who gets this far sees all of them.
    const scoped = named && !named.optional && ROW_TYPES[named.object] !== 'role';
    if (scoped) steps.push(open('row', 'rowNeeded'));
  } else if (rows.length > 0) {
    steps.push(pass('row', scope.customers === 'all' && scope.sites === 'all' ? 'allRows' : 'rowInScope'));
    const whole = (customerId: number | null) => customerId !== null && seesWholeCustomer(scope, customerId);
    const owned = (customerId: number | null) => rights.platformVendor || customerId === rights.customerId;
    if (named?.whole && !rows.every(({ customerId }) => whole(customerId)))
      steps.push(deny('row', 'wholeCustomerNeeded'));
    if (named?.owned && !rows.every(({ customerId }) => owned(customerId))) steps.push(deny('row', 'otherCustomer'));
    if (named?.owned && scope.sites !== 'all' && rows.some(({ allSitesWrite }) => allSitesWrite))
      steps.push(deny('row', 'wholeCustomerNeeded'));
  }
  if (policy.allCustomers && scope.customers !== 'all') steps.push(deny('row', 'allCustomersNeeded'));
  return steps;
}

function decideLevel({ level }: SessionPolicy, rights: Rights, facts: Facts): DecidedStep[] {
  const rows = facts.rows && facts.rows.length > 0 ? facts.rows : [null];
  const steps = rows.flatMap((row) => levelOfRow(level, rights, row, facts));
  // The same reason for many rows is one step.
  const known = new Set<ExplainReason>();
  return steps.filter(({ reason }) => known.size < known.add(reason).size);
}

function levelOfRow(
  level: LevelPolicy | undefined,
  { levels, platformVendor, scope }: Rights,
  row: RowFacts | null,
  facts: Facts,
): DecidedStep[] {
  const toSee = row?.toSee ?? [];
  const { needed, missing } = neededFor(level, row, facts);
  const all = [...toSee, ...needed.filter(({ verb }) => !toSee.some((one) => one.verb === verb))];
  const steps: DecidedStep[] = [];
  if (!meets(levels, toSee)) {
    steps.push({ ...deny('level', 'levelMissing', 'notFound'), levels: all, hides: true });
  } else if (all.length > 0) {
    const suffices = meets(levels, all);
    steps.push({ ...(suffices ? pass('level', 'levelHeld') : deny('level', 'levelMissing')), levels: all });
  }
  if (missing) steps.push(missing);
  const writes = typeof level === 'object' && 'own' in level && level.own === 'write';
  if (writes && row?.vendorWrites && !platformVendor) steps.push(deny('vendor', 'notVendor'));
  if (writes && row?.allSitesWrite && scope.sites !== 'all') steps.push(deny('row', 'wholeCustomerNeeded'));
  return steps;
}

/** The levels that a policy requires on a row, and the step for what cannot be decided. */
function neededFor(
  level: LevelPolicy | undefined,
  row: RowFacts | null,
  { rows, kind, control }: Facts,
): { needed: readonly RequiredLevel[]; missing?: DecidedStep } {
  const command = typeof level === 'object' && 'command' in level;
  const items = typeof level === 'object' && 'items' in level;
  if (command && kind && row?.model && control !== undefined) {
    const needed = commandLevels(row.model, kind, control);
    if (control !== null) return { needed };
    return { needed, missing: deny('level', 'controlNotOffered', 'controlNotOffered') };
  }
  // Only the service knows which controls and parameters of a described model a call uses.
  if (row?.described && (command || items)) {
    return { needed: [], missing: open('level', command ? 'levelNeedsControl' : 'levelNeedsParameters') };
  }
  const kindOf = command && level.command === 'row' ? (row?.kind ?? null) : (kind ?? null);
  const needed = levelsNeeded(level, row?.model ?? null, kindOf, row?.own ?? null);
  if (needed !== null) return { needed };
  // A level of a device model without a device: nobody has it.
  return { needed: [], missing: rows === null ? open('level', 'levelNeedsDevice') : deny('level', 'levelNeedsDevice') };
}

/** Does the role's web and SSH access include the links of the call? */
function decideRemote({ remote }: SessionPolicy, rights: Rights, { links }: Facts): DecidedStep[] {
  if (remote === undefined) return [];
  if (links !== undefined) {
    const held = links.every((kind) => kind && permitsLink(rights, kind));
    return [held ? pass('remote', 'remoteHeld') : deny('remote', 'remoteMissing')];
  }
  if (permitsLink(rights, 'ssh')) return [pass('remote', 'remoteHeld')];
  return [permitsLink(rights, 'web') ? open('remote', 'remotePagesOnly') : deny('remote', 'remoteMissing')];
}

/** Nobody changes a user or role with more rights than their own. */
function decideWithin({ withinOwnRights }: SessionPolicy, { rows, exceeds }: Facts): DecidedStep[] {
  const [row] = rows ?? [];
  if (!withinOwnRights || exceeds === undefined || !row) return [];
  if (!exceeds) return [pass('holding', 'holdsNoMore')];
  return [deny('holding', 'holdsMore', row.userId === undefined ? 'roleExceeds' : 'userExceeds')];
}
