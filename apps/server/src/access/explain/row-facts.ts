import {
  type ExplainedType,
  type ExplainReason,
  type Facts,
  hasOwnIds,
  ROW_TYPES,
  type SessionPolicy,
} from '@chargehand/contract';
import { CUSTOMER_ACCESS, levelsAll, meets, refusedBy } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { FoundRow, RowFinders, RowPlace, RowPlaces } from '../../ports/policy-rows.ts';
import type { AccountStateRow } from '../callers.store.ts';
import type { AccountState } from '../decision.ts';

/** The finders of rows, which also decide real calls, and the places of rows. */
export interface Rows {
  pool: Pool;
  finders: RowFinders;
  places: RowPlaces;
}

/** The row of a question, as the user of the question gets it. */
export interface QuestionRow {
  objectType: ExplainedType;
  place: RowPlace;
  row: FoundRow;
  hidden: Facts['hidden'];
}

/** The row of a question about a user, if the caller sees it. @throws {Problem} notFound */
export async function questionRow(
  { pool, finders, places }: Rows,
  caller: Caller,
  user: { subject: AccountStateRow; accountState: AccountState },
  policy: SessionPolicy | null,
  { objectType, id }: { objectType: ExplainedType; id: number },
): Promise<QuestionRow> {
  const place = await places[objectType](pool, caller, id);
  const [ofCaller] = place ? await finders[objectType](pool, caller, [id]) : [];
  if (!place || !ofCaller) throw notFound(objectType);
  const { accountState } = user;
  const named = typeof policy?.row === 'object' ? policy.row.object : objectType;
  const kind = ROW_TYPES[named] === objectType && hasOwnIds(named) ? named : objectType;
  const [seen] = await finders[kind](pool, accountState, [id]);
  if (seen) return { objectType, place, row: seen, hidden: null };
  // With the highest levels only the place of the row decides.
  const [within] = await finders[objectType](pool, { ...accountState, levels: levelsAll(0) }, [id]);
  if (!within) return { objectType, place, row: ofCaller, hidden: hiddenReason(user, place) };
  const hidden = meets(accountState.levels, within.toSee ?? []) ? 'rowHidden' : null;
  return { objectType, place, row: within, hidden };
}

/** What excludes a row: another customer, or a customer or a site that is not assigned. */
function hiddenReason(
  { subject, accountState: { scope } }: { subject: AccountStateRow; accountState: AccountState },
  { customerId, siteId, hidden }: RowPlace,
): ExplainReason {
  const places = siteId === undefined ? { ...scope, sites: 'all' as const } : scope;
  const excludes = refusedBy(places, { customerId: customerId ?? 0, siteId: siteId ?? null });
  if (excludes === 'site') return 'siteNotAssigned';
  if (excludes === null) return hidden ?? 'wholeCustomerNeeded';
  return subject.customer_access === CUSTOMER_ACCESS.assigned ? 'customerNotAssigned' : 'otherCustomer';
}
