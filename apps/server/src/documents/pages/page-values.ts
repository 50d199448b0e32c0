import { type DocumentRow, LOCALES, type Locale, type WithDates } from '@chargehand/contract';
import {
  type Binding,
  type DocumentType,
  mayGrantDocumentLevels,
  seesWholeCustomer,
  translationState,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { categoryExists } from '../categories/categories.store.ts';
import { otherOf, type PageRecord } from './pages.store.ts';

/** A document as lists show it, in the reader's language or the other one. */
export function toDocumentRow(page: PageRecord, locale: Locale): WithDates<DocumentRow> {
  const { createdAt: _, createdByName: __, updatedByName, texts, ...row } = page;
  const shown = texts.find((text) => text.locale === locale) ?? texts[0];
  return {
    ...row,
    updatedBy: updatedByName,
    title: shown?.title ?? null,
    description: shown?.description ?? '',
    locale: shown?.locale ?? null,
    translations: LOCALES.map((one) => {
      const text = texts.find((own) => own.locale === one) ?? null;
      const other = texts.find((own) => own.locale !== one) ?? null;
      const updatedAt = text && new Date(text.updatedAt).toISOString();
      return { locale: one, state: translationState(text, other), updatedAt };
    }),
  };
}

/** The properties of which a form shows the revision. */
export function editedOf(
  { name, customerId, type, categoryId, icon, readLevel, writeLevel }: PageRecord,
  bindings: Binding[],
) {
  const keys = bindings.map(({ key, deviceModelId }) => `${deviceModelId ?? ''}:${key}`).sort();
  return { name, customerId, type, categoryId, icon, readLevel, writeLevel, bindings: keys };
}

/** The values that an author entered, with what they do not change. */
export interface EnteredPage {
  name: string;
  customerId: number | null;
  type: DocumentType | null;
  categoryId: number;
  readLevel: PageRecord['readLevel'];
  writeLevel: PageRecord['writeLevel'];
  bindings: Binding[];
}

/** @throws {Problem} for the first invalid value */
export async function requirePage(
  db: Kysely<Database>,
  caller: Caller,
  id: number | null,
  { name, customerId, type, categoryId, bindings, ...levels }: EnteredPage,
): Promise<void> {
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  if (!mayGrantDocumentLevels(caller.levels, levels)) {
    const field = caller.levels.wiki.read > levels.readLevel ? 'readLevel' : 'writeLevel';
    throw new Problem('documentLevelExceeds', { field });
  }
  if (!(await categoryExists(db, categoryId))) throw new Problem('documentCategoryUnknown', { field: 'categoryId' });
  if (bindings.length === 0) return;
  if (type === null) throw new Problem('documentBindings', { field: 'bindings' });
  const other = await otherOf(db, caller, { id, customerId }, type, bindings);
  if (!other) return;
  const { key, name: taken, seen } = other;
  throw seen
    ? new Problem('documentBindingTaken', { field: 'bindings', values: { key, name: taken } })
    : new Problem('documentBindingHidden', { field: 'bindings', values: { key } });
}

/**
 * The owner of a new document: the one that the author chose, otherwise the platform for users of the platform vendor and
 * the author's customer for others. The policy has checked that they see a chosen customer.
 * @throws {Problem} noPermission
 */
export function enteredOwner(caller: Caller, customerId: number | null | undefined): number | null {
  const owner = customerId === undefined ? (caller.platformVendor ? null : caller.customerId) : customerId;
  if (!caller.platformVendor && owner !== caller.customerId) throw new Problem('noPermission');
  return owner;
}

/** The owner of a document after an edit. Only users of the platform vendor change it. @throws {Problem} noPermission */
export function changedOwner(caller: Caller, current: number | null, entered: number | null | undefined) {
  if (entered === undefined || entered === current) return current;
  const sees = entered === null || seesWholeCustomer(caller.scope, entered);
  if (!caller.platformVendor || !sees) throw new Problem('noPermission');
  return entered;
}

/** Bindings without surrounding blanks, each once. */
export function enteredBindings(bindings: readonly Binding[]): Binding[] {
  const each = new Map(
    bindings.map(({ key, deviceModelId }) => [`${deviceModelId}:${key.trim()}`, { key: key.trim(), deviceModelId }]),
  );
  return [...each.values()].filter(({ key }) => key !== '');
}
