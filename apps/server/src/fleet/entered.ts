import { isPlaceCode } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';

/** A name without the blanks around it. @throws Problem `fieldRequired` when nothing is left. */
export function enteredName(text: string): string {
  const name = text.trim();
  if (name === '') throw new Problem('fieldRequired', { field: 'name' });
  return name;
}

/** The code of a customer or a site without the blanks around it. @throws Problem `fieldRequired`, `placeCodeFormat` */
export function enteredCode(text: string): string {
  const code = text.trim();
  if (code === '') throw new Problem('fieldRequired', { field: 'code' });
  if (!isPlaceCode(code)) throw new Problem('placeCodeFormat', { field: 'code' });
  return code;
}

/** Those of the entered values that differ from what is there; a value that was not given changes nothing. */
export function changedValues<T extends object>(current: T, entered: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(entered).filter(([key, value]) => value !== undefined && value !== current[key as keyof T]),
  ) as Partial<T>;
}

/** The same columns of the values before a change. */
export function formerValues<T extends object>(current: T, changed: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(current).filter(([key]) => key in changed)) as Partial<T>;
}

/** Columns as the action log shows them: by the names that the contract gives their fields. */
export function loggedFields(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
