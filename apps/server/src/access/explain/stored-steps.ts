import { type ExplainStep, levelsNeeded, type OwnLevels, type SessionPolicy } from '@chargehand/contract';
import { CUSTOMER_ACCESS, levelsAll, meets, OVERSEE_SHARES, type RequiredLevel, refusedBy } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { RowFinders } from '../../ports/policy-rows.ts';
import type { AccountStateRow } from '../callers.store.ts';
import type { AccountState, Decided } from '../decision.ts';
import type { StoredRow } from './explain.store.ts';
import { roleFix, step, type Taken } from './step.ts';

/** The finders of rows that have levels or creators of their own. They also decide real calls. */
export type StoredFinders = Pick<RowFinders, 'attachment' | 'attachmentContent' | 'document' | 'folder' | 'share'>;

export interface StoredParts {
  pool: Pool;
  finders: StoredFinders;
}

type Asker = Pick<Caller, 'userId' | 'scope' | 'customerId' | 'levels' | 'root' | 'keys'>;

/** True when a user sees a file, a folder or a share. */
export async function seesStored(
  { pool, finders }: StoredParts,
  asker: Asker,
  objectType: StoredRow['objectType'],
  id: number,
): Promise<boolean> {
  return (await finders[objectType](pool, asker, [id])).length > 0;
}

/** The steps about a file, a folder or a share: its place, then its levels. */
export async function storedSteps(
  parts: StoredParts,
  row: StoredRow,
  question: { subject: AccountStateRow; accountState: AccountState; policy: SessionPolicy | null },
): Promise<Taken[]> {
  const { subject, accountState, policy } = question;
  const { scope, levels } = accountState;
  const names = [row.name, ...(row.customerName === null ? [] : [row.customerName])];
  // With the highest levels only the place of the row decides.
  const within = await seesStored(parts, { ...accountState, levels: levelsAll(0) }, row.objectType, row.id);
  const elsewhere = await readElsewhere(parts, row, question);
  if (!within && !elsewhere) {
    const reason = outsideOf(subject, accountState, row);
    const ofRole = reason === 'otherCustomer' || reason === 'wholeCustomerNeeded';
    const fix = ofRole ? roleFix('roleData', subject) : assignment(subject);
    return [{ ...step('row', { reason, refusedWith: 'notFound' }, { names, fix }), problem: notFound(row.objectType) }];
  }
  const everything = scope.customers === 'all' && scope.sites === 'all';
  const steps = [step('row', { reason: everything ? 'allRows' : 'rowInScope', refusedWith: null }, { names })];
  const toSee = elsewhere ? [] : levelsToSee(accountState, row);
  const own = elsewhere ?? (row.levels && { area: areaOf(row), ...row.levels });
  const needed = levelsNeeded(policy?.level, null, null, own) ?? [];
  const all = [...toSee, ...needed.filter(({ verb }) => !toSee.some((one) => one.verb === verb))];
  if (all.length > 0) steps.push(levelStep(accountState, subject, row, { all, hidden: !meets(levels, toSee) }));
  const isForeign = isOwned(policy) ? row.customerId !== accountState.customerId : row.customerId === null;
  if (isForeign && isWrite(policy) && !accountState.platformVendor) {
    steps.push(step('vendor', { reason: 'notVendor', refusedWith: 'noPermission' }));
  }
  return steps;
}

/** Its content may be read through a document, a device or an issue that uses it: the levels for that, or null. */
async function readElsewhere(
  { pool, finders }: StoredParts,
  row: StoredRow,
  { accountState, policy }: { accountState: AccountState; policy: SessionPolicy | null },
): Promise<OwnLevels | null> {
  if (typeof policy?.row !== 'object' || policy.row.object !== 'attachmentContent') return null;
  const [found] = await finders.attachmentContent(pool, accountState, [row.id]);
  return found?.own && found.own.area !== 'attachment' ? found.own : null;
}

/** The levels without which the row does not exist for a user. Users always see their own shares. */
function levelsToSee({ userId }: AccountState, row: StoredRow): readonly RequiredLevel[] {
  const { levels, creatorId } = row;
  if (levels) {
    const [area, reads] = [areaOf(row), { verb: 'read', level: levels.read } as const];
    // Only those who may edit a document see it while it is disabled.
    const edits = row.disabled ? [{ area, verb: 'write', level: levels.write } as const] : [];
    return [{ area, ...reads }, ...edits];
  }
  return creatorId === userId ? [] : [OVERSEE_SHARES];
}

function levelStep(
  { levels: held }: AccountState,
  subject: AccountStateRow,
  { name, objectType }: StoredRow,
  { all, hidden }: { all: readonly RequiredLevel[]; hidden: boolean },
): Taken {
  const decided: Decided = meets(held, all)
    ? { reason: 'levelHeld', refusedWith: null }
    : { reason: 'levelMissing', refusedWith: hidden ? 'notFound' : 'noPermission' };
  const levels = all.map(({ area, verb, level }) => ({ area, verb, needed: level, held: held[area][verb] }));
  const taken = step('level', decided, { names: [name], levels, fix: roleFix('roleData', subject) });
  return hidden ? { ...taken, problem: notFound(objectType) } : taken;
}

function outsideOf(subject: AccountStateRow, { scope }: AccountState, row: StoredRow): ExplainStep['reason'] {
  const place = { customerId: row.customerId ?? 0, siteId: row.siteId };
  // Only files of devices have a site.
  const excludes = refusedBy(row.siteId === null ? { ...scope, sites: 'all' } : scope, place);
  if (excludes === 'site') return 'siteNotAssigned';
  if (excludes === null && row.objectType === 'share') return 'wholeCustomerNeeded';
  return subject.customer_access === CUSTOMER_ACCESS.assigned ? 'customerNotAssigned' : 'otherCustomer';
}

function assignment({ user_id }: AccountStateRow): ExplainStep['fix'] {
  return { place: 'assignment', id: user_id };
}

function areaOf({ objectType }: StoredRow): 'attachment' | 'wiki' {
  return objectType === 'document' ? 'wiki' : 'attachment';
}

/** Only users of the owner and of the platform vendor may use the row. */
function isOwned(policy: SessionPolicy | null): boolean {
  return typeof policy?.row === 'object' && policy.row.owned === true;
}

function isWrite(policy: SessionPolicy | null): boolean {
  const level = policy?.level;
  return typeof level === 'object' && 'own' in level && level.own === 'write';
}
