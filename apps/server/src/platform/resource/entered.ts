import type { Fields, PictureField, ValueOf } from '@chargehand/contract';
import { Problem } from '../http/problem.ts';

/** The fields that are stored as entered. Pictures are copied first, so their use case stores them. */
type Stored<F extends Fields> = { [K in keyof F as F[K] extends PictureField ? never : K]: ValueOf<F[K]> };
type Given<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> | undefined };

/**
 * The values of the fields that a request contains, as they are stored: texts without surrounding blanks. `rules` check or
 * change a value further.
 * @throws {Problem} fieldRequired, and those of the rules
 */
export function enteredValues<const F extends Fields>(
  fields: F,
  given: Given<F>,
  rules: { [K in keyof F]?: (value: ValueOf<F[K]>) => ValueOf<F[K]> } = {},
): Partial<Stored<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = given[name as keyof F];
    if (value === undefined || field.kind === 'picture') continue;
    const text = typeof value === 'string' && 'max' in field ? value.trim() : value;
    if (text === '' && 'required' in field) throw new Problem('fieldRequired', { field: name });
    const rule = rules[name as keyof F] as ((value: unknown) => unknown) | undefined;
    values[name] = rule ? rule(text) : text;
  }
  return values as Partial<Stored<F>>;
}

/** The entered values that differ from the stored ones. A value that was not given changes nothing. */
export function changedValues<T extends object>(current: T, entered: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(entered).filter(([key, value]) => value !== undefined && value !== current[key as keyof T]),
  ) as Partial<T>;
}

/** The same fields of the values before a change. */
export function formerValues<T extends object>(current: T, changed: Partial<T>): Partial<T> {
  return Object.fromEntries(Object.entries(current).filter(([key]) => key in changed)) as Partial<T>;
}
