import type { Field, Fields, PictureField, ValueOf } from '@chargehand/contract/resource';
import { Form, Input } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { ReactElement } from 'react';
import { useNames } from '../../i18n/use-names.ts';
import { DatePicker } from '../date-picker.ts';

/** The kinds of fields that have an input here. Others have components of their own. */
type Plain = 'text' | 'lines' | 'day';
type Typed<F extends Fields> = keyof { [K in keyof F as F[K]['kind'] extends Plain ? K : never]: K };

/** The values of a form: a day as its picker has it. */
export type FormValues<F extends Fields> = {
  -readonly [K in keyof F]: F[K]['kind'] extends 'day' ? Dayjs | null : ValueOf<F[K]>;
};

/**
 * The inputs of texts and days, by the names of their fields. The caller puts them in order, and may replace any.
 * @param placeholder shown while an input is empty
 */
export function useFieldInputs<const F extends Fields>(fields: F, placeholder: string) {
  const { nameOf } = useNames();
  const inputs = Object.entries(fields).flatMap(([name, field]) =>
    isPlain(field) ? [[name, inputOf(name, field, nameOf(field), placeholder)]] : [],
  );
  return Object.fromEntries(inputs) as { [K in Typed<F>]: ReactElement } & Record<string, ReactElement>;
}

/** What a form shows at first: the values of a row, or nothing. */
export function formValues<const F extends Fields>(
  fields: F,
  row: { readonly [K in keyof F]: ValueOf<F[K]> } | undefined,
): FormValues<F> {
  const values = Object.entries(fields).map(([name, { kind }]) => {
    const value: unknown = row?.[name as keyof F];
    if (kind === 'day') return [name, typeof value === 'string' ? dayjs(value) : null];
    return [name, value ?? (kind === 'flag' ? false : kind === 'text' || kind === 'lines' ? '' : null)];
  });
  return Object.fromEntries(values) as FormValues<F>;
}

/** The values of a form in the form of the contract. */
export function sentValues<V extends object>(values: V): Sent<V> {
  const sent = Object.entries(values).map(([name, value]) => [
    name,
    dayjs.isDayjs(value) ? value.format('YYYY-MM-DD') : value,
  ]);
  return Object.fromEntries(sent) as Sent<V>;
}

type Sent<V> = { [K in keyof V]: V[K] extends Dayjs | null ? (Dayjs extends V[K] ? string | null : V[K]) : V[K] };

function inputOf(name: string, field: Field & { kind: Plain }, label: string, placeholder: string): ReactElement {
  return (
    <Form.Item key={name} name={name} label={label} {...(field.kind === 'lines' && { className: 'form-wide' })}>
      {field.kind === 'day' ? (
        <DatePicker placeholder={placeholder} />
      ) : field.kind === 'lines' ? (
        <Input.TextArea maxLength={field.max} autoSize={{ minRows: 2 }} placeholder={placeholder} />
      ) : (
        <Input maxLength={field.max} autoComplete="off" placeholder={placeholder} />
      )}
    </Form.Item>
  );
}

function isPlain(field: Field): field is Exclude<Field, PictureField> & { kind: Plain } {
  return field.kind === 'text' || field.kind === 'lines' || field.kind === 'day';
}
