import { isPlaceCode } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

/** A name without surrounding blanks. @throws Problem `fieldRequired` when nothing is left. */
export function enteredName(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  return name;
}

/** A code without surrounding blanks. @throws Problem `placeCodeFormat` */
export function placeCode(code: string): string {
  if (!isPlaceCode(code)) throw new Problem('placeCodeFormat', { field: 'code' });
  return code;
}

/** The code of a customer or a site without surrounding blanks. @throws Problem `fieldRequired`, `placeCodeFormat` */
export function enteredCode(text: string): string {
  const code = text.trim();
  if (code === '') throw new Problem('fieldRequired', { field: 'code' });
  if (!isPlaceCode(code)) throw new Problem('placeCodeFormat', { field: 'code' });
  return code;
}

/** The entered values that differ from the stored ones. A value that was not given changes nothing. */
export function changedValues<T extends object>(current: T, entered: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(entered).filter(([key, value]) => value !== undefined && value !== current[key as keyof T]),
  ) as Partial<T>;
}

/** The same columns of the values before a change. */
export function formerValues<T extends object>(current: T, changed: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(current).filter(([key]) => key in changed)) as Partial<T>;
}

/** Columns as the action log shows them: with the contract's field names. */
export function loggedFields(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
