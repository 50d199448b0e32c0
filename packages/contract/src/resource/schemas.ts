import { type TOptional, type TSchema, type TUnsafe, Type } from 'typebox';
import { PictureKey } from '../fleet/files.ts';
import { Day, Id, Lines, NullableNumber, Time, Words } from '../schemas.ts';
import type { Field, Fields, FilterKind, Resource, TextField, ValueOf } from './resource.ts';

type Of<F extends Field> = TUnsafe<ValueOf<F>>;
type Row<F extends Fields> = { -readonly [K in keyof F]: Of<F[K]> };
type Change<F extends Fields> = { -readonly [K in keyof F]: TOptional<Of<F[K]>> };
type New<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends { required: true } ? Of<F[K]> : TOptional<Of<F[K]>>;
};

/** The fields as answers contain them. Their limits were checked when they were entered. */
export function rowSchemas<const F extends Fields>(fields: F): Row<F> {
  return each(fields, (field) => {
    if (isText(field)) return Type.String();
    return field.kind === 'number' ? NullableNumber : inputSchema(field);
  }) as Row<F>;
}

/** The fields of a request that creates a row: those that are not required can be left out. */
export function newSchemas<const F extends Fields>(fields: F): New<F> {
  return each(fields, (field) => {
    const schema = inputSchema(field);
    return isText(field) && field.required ? schema : Type.Optional(schema);
  }) as New<F>;
}

/** The fields of a request that changes a row: those that are left out stay unchanged. */
export function changeSchemas<const F extends Fields>(fields: F): Change<F> {
  return each(fields, (field) => Type.Optional(inputSchema(field))) as Change<F>;
}

type FilterValue<K extends FilterKind> = K extends 'number'
  ? number
  : K extends 'flag'
    ? boolean
    : K extends readonly (infer V)[]
      ? V
      : string;
type Filters<F extends Resource['filters']> = { -readonly [K in keyof F]: TOptional<TUnsafe<FilterValue<F[K]>>> };

/** The filters of a list as a query contains them. A number is the ID of a row. `others` replaces schemas. */
export function filterSchemas<const F extends Resource['filters']>(
  filters: F,
  others: { readonly [K in keyof F]?: TSchema } = {},
): Filters<F> {
  const schemas = Object.entries(filters).map(([name, kind]) => [name, Type.Optional(filterSchema(kind))]);
  return { ...(Object.fromEntries(schemas) as Filters<F>), ...others };
}

function filterSchema(kind: FilterKind): TSchema {
  if (kind === 'number') return Id;
  if (kind === 'flag') return Type.Boolean();
  if (kind === 'time') return Time;
  if (kind === 'text') return Type.String({ maxLength: 100 });
  return kind.every((value) => typeof value === 'number')
    ? Type.Unsafe({ type: 'integer', enum: [...kind] })
    : Words(kind as readonly string[]);
}

function inputSchema(field: Field): TSchema {
  switch (field.kind) {
    case 'text':
      return Type.String({ ...(field.required && { minLength: 1 }), maxLength: field.max });
    case 'lines':
      return Lines({ ...(field.required && { minLength: 1 }), maxLength: field.max });
    case 'day':
      return Type.Union([Day, Type.Null()]);
    case 'flag':
      return Type.Boolean();
    case 'number':
      return Type.Union([Type.Number({ minimum: field.min, maximum: field.max }), Type.Null()]);
    case 'picture':
      return PictureKey;
  }
}

function each(fields: Fields, schemaOf: (field: Field) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

function isText(field: Field): field is TextField {
  return field.kind === 'text' || field.kind === 'lines';
}
