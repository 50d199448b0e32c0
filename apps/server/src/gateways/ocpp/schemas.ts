import { createRequire } from 'node:module';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { ErrorCode } from './wire.ts';

/** What a payload fails in. */
export interface Violation {
  code: ErrorCode;
  description: string;
  /** all that ajv found, the first only unless all were asked for */
  errors: ErrorObject[];
}

/** The official JSON schemas of one version of OCPP. */
export interface OcppSchemas {
  /** True when the version knows the action, whoever sends it. */
  isKnownAction(action: string): boolean;
  /** The schema of a message, with the definitions that it uses and no others; null for one that does not exist. */
  schemaOf(action: string, kind: 'req' | 'conf'): object | null;
  /** What is wrong with a payload by its schema, or null; stops at the first finding, or lists all of them. */
  violationOf(action: string, kind: 'req' | 'conf', payload: unknown, howMuch?: 'first' | 'all'): Violation | null;
}

/** The schemas of a version as the package `ocpp-rpc` brings them; `name` is for what is said of them. */
export function ocppSchemas(file: 'ocpp1_6' | 'ocpp2_0_1', name: string): OcppSchemas {
  const schemas = createRequire(import.meta.url)(`ocpp-rpc/lib/schemas/${file}.json`) as { $id: string }[];
  return schemasByName(new Map(schemas.map((schema) => [schema.$id.slice('urn:'.length), usable(schema)])), name);
}

/** Schemas by `<action>.req` and `<action>.conf`; `name` is the version they are of. */
export function schemasByName(byName: ReadonlyMap<string, object>, name: string): OcppSchemas {
  const first = compiler(byName, name, false);
  const all = compiler(byName, name, true);
  return {
    isKnownAction: (action) => byName.has(`${action}.req`),
    schemaOf: (action, kind) => withUsedDefinitions(byName.get(`${action}.${kind}`)),
    violationOf(action, kind, payload, howMuch = 'first') {
      const validate = (howMuch === 'all' ? all : first)(`${action}.${kind}`);
      if (validate(payload)) return null;
      const errors = validate.errors ?? [];
      const [error] = errors;
      if (!error) return { code: 'FormationViolation', description: 'does not fit its schema', errors };
      return { code: codeOf(error), description: describe(error), errors };
    },
  };
}

/** A schema without the definitions that nothing in it refers to: those of OCPP 2.1 carry all that there are. */
function withUsedDefinitions(schema: object | undefined): object | null {
  if (!schema) return null;
  const { definitions, ...rest } = schema as { definitions?: Record<string, object> };
  if (!definitions) return schema;
  const used: Record<string, object> = {};
  const collect = (part: object) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      const definition = name === undefined ? undefined : definitions[name];
      if (name === undefined || !definition || name in used) continue;
      used[name] = definition;
      collect(definition);
    }
  };
  collect(rest);
  return { ...rest, definitions: used };
}

/** The code of OCPP-J 1.6 §4.2.3 for what a schema finds. */
function codeOf(error: ErrorObject): ErrorCode {
  switch (error.keyword) {
    case 'type':
      return 'TypeConstraintViolation';
    case 'required':
    case 'minItems':
    case 'maxItems':
      return 'OccurenceConstraintViolation';
    case 'additionalProperties':
      return 'FormationViolation';
    default:
      return 'PropertyConstraintViolation';
  }
}

/** The finding in words that name the field. */
export function describe(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'payload' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra =
    error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty).slice(0, 60)}` : '';
  return `${place.slice(0, 100)} ${error.message ?? 'is not valid'}${extra}`;
}

/** Validators are compiled when first needed: most piles use a handful of all the actions. */
function compiler(
  byName: ReadonlyMap<string, object>,
  version: string,
  allErrors: boolean,
): (name: string) => ValidateFunction {
  const ajv = new Ajv({ allErrors, strict: false, validateSchema: false });
  formats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  return (name) => {
    const known = compiled.get(name);
    if (known) return known;
    const schema = byName.get(name);
    if (!schema) throw new Error(`${version} has no schema ${name}`);
    const validate = ajv.compile(schema);
    compiled.set(name, validate);
    return validate;
  };
}

/**
 * A schema as ajv takes it: without `$id` (theirs are no valid URNs, and nothing refers to them) and without
 * `multipleOf: 0.1`, which refuses most tenths for the sake of binary fractions.
 */
export function usable<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'multipleOf' || key === '$id' ? undefined : value,
  );
}
