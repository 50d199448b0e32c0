/** The part of JSON Schema (draft 6) that the official OCPP schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: readonly string[];
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  definitions?: Readonly<Record<string, Schema>>;
  format?: string;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

export type Definitions = Readonly<Record<string, Schema>>;
export type Payload = Record<string, unknown>;

/** The kind of input of a field. */
export type FieldKind = 'object' | 'list' | 'choice' | 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'json';

/** A schema with its reference resolved. */
export function resolved(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...definitions[$ref.replace('#/definitions/', '')], ...own };
}

/** The input of a field with a resolved schema; JSON for schemas without a type. */
export function kindOf({ type, enum: choices, format, properties }: Schema): FieldKind {
  if (choices) return 'choice';
  switch (type) {
    case 'object':
      return properties && Object.keys(properties).length > 0 ? 'object' : 'json';
    case 'array':
      return 'list';
    case 'string':
      return format === 'date-time' ? 'time' : 'text';
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}

/**
 * The initial value of a field: what its schema fixes. Required objects contain their required fields, required lists
 * their minimum number of entries. Everything else is omitted until it is entered.
 */
export function initialValue(schema: Schema, definitions: Definitions): unknown {
  const own = resolved(schema, definitions);
  switch (kindOf(own)) {
    case 'object':
      return Object.fromEntries(
        (own.required ?? []).flatMap((name) => {
          const property = own.properties?.[name];
          const value = property && initialValue(property, definitions);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    case 'list':
      return Array.from({ length: own.minItems ?? 0 }, () => (own.items && initialValue(own.items, definitions)) ?? '');
    case 'choice':
      return own.enum?.length === 1 ? own.enum[0] : undefined;
    default:
      return undefined;
  }
}

/** The fields of an object, the required ones first. Vendor extensions are entered as JSON. */
export function fieldsOf({
  properties = {},
  required = [],
}: Schema): { name: string; required: boolean; schema: Schema }[] {
  const fields = Object.entries(properties)
    .filter(([name]) => name !== 'customData')
    .map(([name, schema]) => ({ name, required: required.includes(name), schema }));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** An object with a changed field, or without it when the value is undefined. */
export function withField(value: unknown, name: string, next: unknown): Payload {
  const { [name]: _, ...rest } = asObject(value);
  return next === undefined ? rest : { ...asObject(value), [name]: next };
}

/** A list with a changed entry, or without it. */
export function withEntry(value: unknown, index: number, next: unknown): unknown[] {
  const list = Array.isArray(value) ? value : [];
  return next === undefined
    ? list.filter((_, place) => place !== index)
    : list.map((one, place) => (place === index ? next : one));
}

export function asObject(value: unknown): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** The object in a JSON text, null for any other text. */
export function readPayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}
