import {
  type DecidedStep,
  decide,
  type Facts,
  ROW_TYPES,
  type RowPolicy,
  type RowsPolicy,
  refusalBeforeRows,
  refusalOf,
  type SessionPolicy,
} from '@chargehand/contract';
import type { CommandKind, LinkKind } from '@chargehand/domain';
import type { DatabaseConnection } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { RowOf } from '../../platform/http/policy-row.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Enforcer, Inputs } from '../../platform/http/server.ts';
import type { FoundRow, RowFinders } from '../../ports/policy-rows.ts';
import { exceeds } from './exceeds.ts';
import { idsInQuery } from './ids-in-query.ts';

/**
 * Enforces the policies of the contract, after a request is validated and before its handler runs: finds the rows that a
 * call names with one prepared query, and throws the first step of `decide` that refuses it.
 *
 * A service checks again only what can change before it holds the row: the scope, inside the transaction that locks it,
 * and the rights of the user or role that it changes. It decides itself about the items of a described model.
 */
export function policyEnforcer(database: Pick<DatabaseConnection, 'db' | 'pool'>, finders: RowFinders): Enforcer {
  const { db, pool } = database;

  /** @throws {Problem} the first step that refuses the call */
  async function require(caller: Caller, policy: SessionPolicy, facts: Facts & { rows: readonly FoundRow[] }) {
    refuse(refusalOf(decide(policy, caller, facts)), policy);
    if (!policy.withinOwnRights) return;
    for (const row of facts.rows) {
      const own = { rows: [row], exceeds: await exceeds(db, caller, row) };
      refuse(refusalOf(decide(policy, caller, { ...facts, ...own })), policy);
    }
  }

  return {
    async enforce<const P extends SessionPolicy>(caller: Caller, policy: P, inputs: Inputs) {
      refuse(refusalBeforeRows(policy, caller), policy);
      if (typeof policy.row === 'object' && policy.row.each) return [];
      const wanted = typeof policy.row === 'object' ? namedIds(policy.row, inputs) : null;
      const rows = wanted ? await finders[wanted.row.object](pool, caller, wanted.ids) : [];
      const hidden = wanted && rows.length < wanted.ids.length ? 'rowHidden' : null;
      await require(caller, policy, { rows, hidden, ...inputFacts(policy, rows, inputs) });
      // A finder returns rows of its own kind, which the compiler cannot check.
      return rows as never[] as RowOf<P>[];
    },

    async enforceEach(caller, policy: RowsPolicy, ids) {
      const refusals = new Map<number, Problem>();
      const found = new Map((await finders[policy.row.object](pool, caller, ids)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = found.get(id);
        const rows = row ? [row] : [];
        try {
          await require(caller, policy, { rows, hidden: row ? null : 'rowHidden', ...inputFacts(policy, rows, {}) });
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          refusals.set(id, error);
        }
      }
      return refusals;
    },
  };
}

/** @throws {Problem} of the step. A hidden row gives the same response as one that does not exist. */
function refuse(step: DecidedStep | null, { row }: SessionPolicy): void {
  if (!step?.refusedWith) return;
  if (!step.hides || typeof row !== 'object') throw new Problem(step.refusedWith);
  if (row.outside) throw new Problem(row.outside, { field: String(row.from).split('.')[1] ?? 'file' });
  throw notFound(row.object === 'pictures' ? ROW_TYPES.pictures : row.object);
}

/** What the inputs and rows of a call say about its command and its link. */
function inputFacts(
  { level, remote }: SessionPolicy,
  rows: readonly FoundRow[],
  inputs: Inputs,
): Pick<Facts, 'kind' | 'links'> {
  const command = typeof level === 'object' && 'command' in level ? level.command : 'row';
  return {
    kind: command === 'row' ? null : ((inputOf(inputs, command) as CommandKind | undefined) ?? null),
    ...(remote && {
      links: remote === 'row' ? rows.map(({ linkKind }) => linkKind) : [inputOf(inputs, remote) as LinkKind],
    }),
  };
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
