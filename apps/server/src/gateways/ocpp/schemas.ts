import { createRequire } from 'node:module';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { ErrorCode } from './wire.ts';

/** The violations of a payload. */
export interface Violation {
  code: ErrorCode;
  description: string;
  /** all violations that ajv found; only the first unless all were requested */
  errors: ErrorObject[];
}

/** The official JSON schemas of one version of OCPP. */
export interface OcppSchemas {
  /** the actions of the version, for either direction */
  actions: readonly string[];
  /** True when the version has the action, for either direction. */
  isKnownAction(action: string): boolean;
  /** The schema of a message, with only the definitions that it uses; null for one that does not exist. */
  schemaOf(action: string, kind: 'req' | 'conf'): object | null;
  /** The violations of a payload by its schema, or null. Stops at the first one, or lists all of them. */
  violationOf(action: string, kind: 'req' | 'conf', payload: unknown, howMuch?: 'first' | 'all'): Violation | null;
}

/** The schemas of a version from the package `ocpp-rpc`; `name` is the name for messages about them. */
export function ocppSchemas(file: 'ocpp1_6' | 'ocpp2_0_1', name: string): OcppSchemas {
  const schemas = createRequire(import.meta.url)(`ocpp-rpc/lib/schemas/${file}.json`) as { $id: string }[];
  return schemasByName(new Map(schemas.map((schema) => [schema.$id.slice('urn:'.length), usable(schema)])), name);
}

/** Schemas by `<action>.req` and `<action>.conf`; `name` is their version. */
export function schemasByName(byName: ReadonlyMap<string, object>, name: string): OcppSchemas {
  const first = compiler(byName, name, false);
  const all = compiler(byName, name, true);
  return {
    actions: [...byName.keys()].filter((name) => name.endsWith('.req')).map((name) => name.slice(0, -'.req'.length)),
    isKnownAction: (action) => byName.has(`${action}.req`),
    schemaOf: (action, kind) => withUsedDefinitions(byName.get(`${action}.${kind}`)),
    violationOf(action, kind, payload, howMuch = 'first') {
      const validate = (howMuch === 'all' ? all : first)(`${action}.${kind}`);
      if (validate(payload)) return null;
      const errors = validate.errors ?? [];
      const [error] = errors;
      if (!error) return { code: 'FormationViolation', description: 'violates its schema', errors };
      return { code: codeOf(error), description: describe(error), errors };
    },
  };
}

/** A schema without the definitions that it does not refer to. Each schema of OCPP 2.1 contains all definitions. */
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

/** The error code of OCPP-J 1.6 §4.2.3 for a schema violation. */
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

/** A violation as text that names the field. */
export function describe(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'payload' : error.instancePath.slice(1).replaceAll('/', '.');
  const extra =
    error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty).slice(0, 60)}` : '';
  return `${place.slice(0, 100)} ${error.message ?? 'is not valid'}${extra}`;
}

/** Validators are compiled when first needed: most charge points use only a few of the actions. */
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
 * A schema in the form that ajv accepts: without `$id` (they are invalid URNs, and nothing refers to them) and without
 * `multipleOf: 0.1`, which refuses most tenths because of binary fractions.
 */
export function usable<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'multipleOf' || key === '$id' ? undefined : value,
  );
}
