import type { CategoryRow } from '@chargehand/contract';
import { CATEGORY_DEPTH } from '@chargehand/domain';

/** A category with its place in the tree. */
export interface Branch {
  category: CategoryRow;
  /** 0 at the top */
  depth: number;
  /** the place among its siblings */
  index: number;
  siblings: number;
}

/** A place in the tree: below a category, or at the top, among the other children. */
export interface Place {
  parentId: number | null;
  index: number;
}

/** The tree as a list, parents before their children, siblings in their order. */
export function branchesOf(all: readonly CategoryRow[], parentId: number | null = null, depth = 0): Branch[] {
  const siblings = all.filter((one) => one.parentId === parentId);
  return siblings.flatMap((category, index) => [
    { category, depth, index, siblings: siblings.length },
    ...branchesOf(all, category.id, depth + 1),
  ]);
}

/** A category and the ones above it, the top first. */
export function pathTo(all: readonly CategoryRow[], id: number | null): CategoryRow[] {
  const category = all.find((one) => one.id === id);
  return category ? [...pathTo(all, category.parentId), category] : [];
}

/** The documents in a category and everything below it. */
export function documentsIn(all: readonly CategoryRow[], category: CategoryRow): number {
  const below = all.filter(({ parentId }) => parentId === category.id);
  return below.reduce((sum, one) => sum + documentsIn(all, one), category.documents);
}

const STEPS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const;
/** A key that moves a category: up, down, one level out, or into the category above it. */
export type Step = (typeof STEPS)[number];

export function stepOf(key: string): Step | undefined {
  return STEPS.find((step) => step === key);
}

/** Where a key moves a category; null where it cannot go. */
export function placeAfter(all: readonly CategoryRow[], id: number, step: Step): Place | null {
  const branch = branchesOf(all).find(({ category }) => category.id === id);
  if (!branch) return null;
  const { category, index, siblings } = branch;
  const { parentId } = category;
  if (step === 'ArrowUp') return index > 0 ? { parentId, index: index - 1 } : null;
  if (step === 'ArrowDown') return index < siblings - 1 ? { parentId, index: index + 1 } : null;
  if (step === 'ArrowLeft') {
    const parent = all.find((one) => one.id === parentId);
    return parent ? after(all, parent) : null;
  }
  const above = all.filter((one) => one.parentId === parentId)[index - 1];
  return above ? fitting(all, id, into(all, above, id)) : null;
}

/** The part of a row over which a category is dropped. */
export type Zone = 'before' | 'into' | 'after';

/** Where dropping a category on another one moves it; null where it cannot go, or would stay. */
export function placeOfDrop(all: readonly CategoryRow[], id: number, target: CategoryRow, zone: Zone): Place | null {
  if (isWithin(all, target.id, id)) return null;
  const place = zone === 'into' ? into(all, target, id) : beside(all, target, id, zone);
  const now = branchesOf(all).find(({ category }) => category.id === id);
  if (now && now.category.parentId === place.parentId && now.index === place.index) return null;
  return fitting(all, id, place);
}

/** The tree after a move, until the server returns it. */
export function moved(all: readonly CategoryRow[], id: number, { parentId, index }: Place): CategoryRow[] {
  const category = all.find((one) => one.id === id);
  if (!category) return [...all];
  const others = all.filter((one) => one.id !== id);
  const siblings = others.filter((one) => one.parentId === parentId);
  const next = siblings[index];
  const at = next ? others.indexOf(next) : others.length;
  return [...others.slice(0, at), { ...category, parentId }, ...others.slice(at)];
}

/** The place at the end of a category. */
function into(all: readonly CategoryRow[], parent: CategoryRow, id: number): Place {
  return { parentId: parent.id, index: all.filter((one) => one.parentId === parent.id && one.id !== id).length };
}

/** The place next to a category, among its siblings without the moved one. */
function beside(all: readonly CategoryRow[], target: CategoryRow, id: number, zone: 'before' | 'after'): Place {
  const siblings = all.filter((one) => one.parentId === target.parentId && one.id !== id);
  return { parentId: target.parentId, index: siblings.indexOf(target) + (zone === 'after' ? 1 : 0) };
}

function after(all: readonly CategoryRow[], target: CategoryRow): Place {
  return {
    parentId: target.parentId,
    index: all.filter((one) => one.parentId === target.parentId).indexOf(target) + 1,
  };
}

/** The place, unless the moved branch would be too deep there. */
function fitting(all: readonly CategoryRow[], id: number, place: Place): Place | null {
  return pathTo(all, place.parentId).length + heightOf(all, id) <= CATEGORY_DEPTH ? place : null;
}

function heightOf(all: readonly CategoryRow[], id: number): number {
  const below = all.filter((one) => one.parentId === id);
  return 1 + Math.max(0, ...below.map((one) => heightOf(all, one.id)));
}

/** True when a category is another one, or below it. */
function isWithin(all: readonly CategoryRow[], id: number, other: number): boolean {
  return pathTo(all, id).some((one) => one.id === other);
}
