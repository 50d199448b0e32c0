import { levelsNeeded, ROW_TYPES, type RowPolicy, type RowsPolicy, type SessionPolicy } from '@chargehand/contract';
import { type LinkKind, meets, permitsLink, seesWholeCustomer } from '@chargehand/domain';
import type { DatabaseConnection } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { RowOf } from '../../platform/http/policy-row.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Enforcer, Inputs } from '../../platform/http/server.ts';
import type { FoundRow, RowFinders } from '../../ports/policy-rows.ts';
import { holdingOf, isGrantable } from '../holding.ts';
import { findRole } from '../roles/roles.store.ts';
import { holdsNoMore } from '../users/user-rules.ts';
import { findUser } from '../users/users.store.ts';
import { isVendor } from '../vendor.ts';
import { idsInQuery } from './ids-in-query.ts';

/**
 * Enforces the policies of the contract, after a request is validated and before its handler runs: who, row, all
 * customers, level, own rights, in this order. One prepared query finds the rows that a call names.
 *
 * A service checks again only what can change before it holds the row: the scope, inside the transaction that locks it,
 * and the rights of the user or role that it changes. It decides itself about the items of a described model.
 */
export function policyEnforcer(database: Pick<DatabaseConnection, 'db' | 'pool'>, finders: RowFinders): Enforcer {
  const { db, pool } = database;

  /** @throws {Problem} userExceeds, roleExceeds */
  async function requireWithinOwnRights(caller: Caller, row: FoundRow): Promise<void> {
    if (row.userId !== undefined) {
      const user = await findUser(caller.scope, db, row.userId);
      if (user && !(await holdsNoMore(db, caller, user))) throw new Problem('userExceeds');
      return;
    }
    const role = await findRole(db, Number(row.id));
    if (role && !isGrantable(await holdingOf(db, caller), role)) throw new Problem('roleExceeds');
  }

  /** Decides about the rows that were found. */
  async function decideRows(caller: Caller, policy: SessionPolicy, rows: readonly FoundRow[], inputs: Inputs) {
    for (const row of rows) requireRow(caller, policy, row);
    if (policy.allCustomers && caller.scope.customers !== 'all') throw new Problem('noPermission');
    if (!policy.levelFirst) requireLevel(caller, policy, rows, inputs);
    requireRemote(caller, policy, rows, inputs);
    if (policy.withinOwnRights) for (const row of rows) await requireWithinOwnRights(caller, row);
  }

  return {
    async enforce<const P extends SessionPolicy>(caller: Caller, policy: P, inputs: Inputs) {
      requireWho(caller, policy);
      if (typeof policy.row === 'object' && policy.row.each) return [];
      if (policy.levelFirst) requireLevel(caller, policy, [], inputs);
      const wanted = typeof policy.row === 'object' ? namedIds(policy.row, inputs) : null;
      const rows = wanted ? await finders[wanted.row.object](pool, caller, wanted.ids) : [];
      if (wanted && rows.length < wanted.ids.length) throw outside(wanted.row);
      await decideRows(caller, policy, rows, inputs);
      // A finder returns rows of its own kind, which the compiler cannot check.
      return rows as never[] as RowOf<P>[];
    },

    async enforceEach(caller, policy: RowsPolicy, ids) {
      const refusals = new Map<number, Problem>();
      const found = new Map((await finders[policy.row.object](pool, caller, ids)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = found.get(id);
        try {
          requireWho(caller, policy);
          if (!row) throw outside(policy.row);
          await decideRows(caller, policy, [row], {});
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          refusals.set(id, error);
        }
      }
      return refusals;
    },
  };
}

function requireWho(caller: Caller, { who }: SessionPolicy): void {
  if (who === 'root' ? !caller.root : who === 'vendor' && !isVendor(caller)) throw new Problem('noPermission');
}

function requireRow(caller: Caller, { row: policy }: SessionPolicy, row: FoundRow): void {
  if (typeof policy !== 'object') return;
  if (policy.whole && (row.customerId === null || !seesWholeCustomer(caller.scope, row.customerId))) {
    throw new Problem('noPermission');
  }
  if (policy.owned && !caller.platformVendor && row.customerId !== caller.customerId) throw new Problem('noPermission');
}

function requireLevel(caller: Caller, { level }: SessionPolicy, rows: readonly FoundRow[], inputs: Inputs): void {
  if (level === undefined) return;
  const byItem = typeof level === 'object' && ('command' in level || 'items' in level);
  const kindInput = typeof level === 'object' && 'command' in level ? level.command : null;
  for (const row of rows.length > 0 ? rows : [null]) {
    if (byItem && row?.described) continue;
    const kind = kindInput === 'row' ? (row?.kind ?? null) : kindInput ? (inputOf(inputs, kindInput) as never) : null;
    const needed = levelsNeeded(level, row?.model ?? null, kind, row?.own ?? null);
    // For a level of a device model without a device: nobody has it.
    if (needed === null || !meets(caller.levels, needed)) throw new Problem('noPermission');
  }
}

function requireRemote(caller: Caller, { remote }: SessionPolicy, rows: readonly FoundRow[], inputs: Inputs): void {
  if (remote === undefined) return;
  const kinds = remote === 'row' ? rows.map(({ linkKind }) => linkKind) : [inputOf(inputs, remote)];
  for (const kind of kinds) if (!kind || !permitsLink(caller, kind as LinkKind)) throw new Problem('noPermission');
}

/** The IDs in a request, without duplicates; null if there are none, or the service reads them from a file. */
function namedIds(row: RowPolicy, inputs: Inputs): { row: RowPolicy; ids: (number | string)[] } | null {
  if (row.from === 'file') return null;
  const names = typeof row.from === 'string' ? [row.from] : row.from;
  const ids = new Set(names.flatMap((name) => idsOf(inputOf(inputs, name), name)));
  if (row.most !== undefined && ids.size > row.most) {
    const field = names.at(-1)?.split('.')[1] ?? '';
    throw new Problem('fieldItems', { field, values: { min: 0, max: row.most - names.length + 1 } });
  }
  return ids.size === 0 && row.optional ? null : { row, ids: [...ids] };
}

function inputOf(inputs: Inputs, name: string): unknown {
  const [part, key] = name.split('.') as [keyof Inputs, string];
  return (inputs[part] as Record<string, unknown> | null | undefined)?.[key];
}

/** @throws {Problem} fieldFormat if a query contains an invalid list of IDs */
function idsOf(value: unknown, name: string): (number | string)[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as number[];
  if (typeof value === 'number') return [value];
  return name.startsWith('query.') ? idsInQuery(String(value), name.slice('query.'.length)) : [String(value)];
}

/** The response for a row outside the scope: the same as for one that does not exist. */
function outside({ object, from, outside: code }: RowPolicy): Problem {
  if (code) return new Problem(code, { field: String(from).split('.')[1] ?? 'file' });
  return notFound(object === 'pictures' ? ROW_TYPES.pictures : object);
}
