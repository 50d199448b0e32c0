import type { BodyOf, categoryEndpoints, ResultOf } from '@chargehand/contract';
import { CATEGORY_DEPTH } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { publishDocuments } from '../document-changes.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  type CategoryRecord,
  deleteEmptyCategory,
  insertCategory,
  listCategories,
  lockCategories,
  renameCategory,
  storeOrder,
} from './categories.store.ts';

type Endpoints = typeof categoryEndpoints;
export type CategoriesService = ReturnType<typeof categoriesService>;

/** Manages the tree of categories. Every change is recorded in the action log in the same transaction. */
export function categoriesService(parts: { db: Kysely<Database>; events: Events }) {
  const { db } = parts;
  /** Runs a change of the tree. */
  const change = <T>(run: (trx: Kysely<Database>) => Promise<T>): Promise<T> =>
    inTransaction(parts, (trx, committed) => {
      publishDocuments(committed);
      return run(trx);
    });
  return {
    async list(caller: Caller): Promise<ResultOf<Endpoints['listCategories']>> {
      return { items: await listCategories(db, caller) };
    },

    async create(caller: Caller, entered: BodyOf<Endpoints['createCategory']>): Promise<{ id: number }> {
      return await change(async (trx) => {
        const all = await lockCategories(trx);
        const { parentId } = entered;
        if (parentId !== null && !all.some(({ id }) => id === parentId)) {
          throw new Problem('documentCategoryUnknown', { field: 'parentId' });
        }
        if (depthOf(all, parentId) >= CATEGORY_DEPTH) throw tooDeep();
        const position = all.filter((one) => one.parentId === parentId).length + 1;
        const names = namesOf(entered);
        const id = await explained(insertCategory(trx, { parent_id: parentId, position, ...names }), EXPLANATIONS);
        await record(trx, caller, 'new', id, names.name_en, { after: { ...entered } });
        return { id };
      });
    },

    async rename(caller: Caller, id: number, entered: BodyOf<Endpoints['updateCategory']>): Promise<void> {
      await change(async (trx) => {
        const category = found(await lockCategories(trx), id);
        const names = namesOf({ nameEn: entered.nameEn ?? category.nameEn, nameZh: entered.nameZh ?? category.nameZh });
        await explained(renameCategory(trx, id, names), EXPLANATIONS);
        const before = { nameEn: category.nameEn, nameZh: category.nameZh };
        await record(trx, caller, 'edit', id, names.name_en, { before, after: { ...before, ...entered } });
      });
    },

    /** Moves a category with everything below it. */
    async move(caller: Caller, id: number, { parentId, index }: BodyOf<Endpoints['moveCategory']>): Promise<void> {
      await change(async (trx) => {
        const all = await lockCategories(trx);
        const category = found(all, id);
        if (parentId !== null && !all.some((one) => one.id === parentId)) {
          throw new Problem('documentCategoryUnknown', { field: 'parentId' });
        }
        if (isBelow(all, parentId, id) || depthOf(all, parentId) + heightOf(all, id) > CATEGORY_DEPTH) throw tooDeep();
        const siblings = all.filter((one) => one.parentId === parentId && one.id !== id).map((one) => one.id);
        siblings.splice(Math.min(index, siblings.length), 0, id);
        await explained(storeOrder(trx, parentId, siblings), EXPLANATIONS);
        await record(trx, caller, 'edit', id, category.nameEn, {
          before: { parentId: category.parentId, position: category.position },
          after: { parentId, position: index + 1 },
        });
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await change(async (trx) => {
        const { nameEn, nameZh, parentId } = found(await lockCategories(trx), id);
        if (!(await deleteEmptyCategory(trx, id))) throw new Problem('documentCategoryUsed');
        await record(trx, caller, 'delete', id, nameEn, { before: { nameEn, nameZh, parentId } });
      });
    },
  };
}

function found<C extends CategoryRecord>(all: readonly C[], id: number): C {
  const category = all.find((one) => one.id === id);
  if (!category) throw notFound('documentCategory');
  return category;
}

/** The number of categories from the top to this one; 0 for the top itself. */
function depthOf(all: readonly CategoryRecord[], id: number | null): number {
  const category = all.find((one) => one.id === id);
  return category ? 1 + depthOf(all, category.parentId) : 0;
}

/** The number of levels of a category and everything below it. */
function heightOf(all: readonly CategoryRecord[], id: number): number {
  const below = all.filter((one) => one.parentId === id);
  return 1 + Math.max(0, ...below.map((one) => heightOf(all, one.id)));
}

/** True when a category is another one, or below it. */
function isBelow(all: readonly CategoryRecord[], id: number | null, other: number): boolean {
  if (id === null) return false;
  return id === other || isBelow(all, all.find((one) => one.id === id)?.parentId ?? null, other);
}

function tooDeep(): Problem {
  return new Problem('documentCategoryDeep', { values: { most: CATEGORY_DEPTH } });
}

function namesOf({ nameEn, nameZh }: { nameEn: string; nameZh: string }) {
  const names = { name_en: nameEn.trim(), name_zh: nameZh.trim() };
  if (names.name_en === '') throw new Problem('fieldRequired', { field: 'nameEn' });
  if (names.name_zh === '') throw new Problem('fieldRequired', { field: 'nameZh' });
  return names;
}

async function record(
  trx: Kysely<Database>,
  caller: Caller,
  operation: 'new' | 'edit' | 'delete',
  id: number,
  name: string,
  values: { before?: object; after?: object },
) {
  await logAction(trx, caller, {
    ...{ operation, objectType: 'documentCategory', objectId: String(id), objectName: name },
    ...{ customerId: null, siteId: null },
    ...values,
  });
}
