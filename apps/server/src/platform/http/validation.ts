import { isWritableTime } from '@chargehand/domain';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { Problem } from './problem.ts';

const formats = new Ajv();
addFormats.default(formats);
const isDay = formats.compile({ type: 'string', format: 'date' });
const isTime = formats.compile({ type: 'string', format: 'date-time' });

/**
 * The formats of JSON Schema, without dates and times that cannot be parsed or stored here: leap seconds and offsets
 * without minutes, which `Date` does not support, and years that do not have four digits or are 0.
 */
function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  ajv.addFormat('date', (day) => isDay(day) && isWritableTime(new Date(day)));
  ajv.addFormat('date-time', (time) => isTime(time) && isWritableTime(new Date(time)));
  return ajv;
}

/** `verbose` adds the schema of the input to an error. */
const OPTIONS = { strict: false, verbose: true };
const body = withFormats(new Ajv({ ...OPTIONS, useDefaults: true }));
const text = withFormats(new Ajv({ ...OPTIONS, useDefaults: true, coerceTypes: true }));

/**
 * Bodies are not converted. Parts of the URL are texts, which are converted to the numbers and booleans of their
 * schema. A schema is compiled when the first request needs it: compiling all of them would be a fifth of the start.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let compiled: ValidateFunction | undefined;
  return (value: unknown) => {
    compiled ??= (httpPart === 'body' ? body : text).compile(schema);
    if (compiled(value)) return { value };
    const error = compiled.errors?.[0];
    return { error: error ? problemOf(error) : new Problem('badBody') };
  };
};

const whole = withFormats(new Ajv({ ...OPTIONS, allErrors: true }));

/** All schema violations of a value, with their places: `configs/3/readLevel`. At most `most` violations. */
export function schemaProblems(schema: object, value: unknown, most: number): { path: string; problem: Problem }[] {
  const validate = whole.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'anyOf')
    .slice(0, most)
    .map((error) => ({ path: error.instancePath.slice(1), problem: problemOf(error) }));
}

/** Examples of the formats, for messages. */
const FORMAT_EXAMPLES: Record<string, string> = {
  date: '2026-05-04',
  'date-time': '2026-05-04T08:30:00Z',
  email: 'name@example.org',
  uuid: 'UUID',
};

/** The message for the first violation of an input, with the field and the expected value. */
function problemOf(error: ErrorObject): Problem {
  const path = error.instancePath.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  const field = path.at(-1);
  const params = error.params as Record<string, unknown>;
  const schema = (error.parentSchema ?? {}) as { minItems?: number; maxItems?: number; 'x-expected'?: string };
  const at = (name: string | undefined) => (name === undefined ? {} : { field: name });
  switch (error.keyword) {
    case 'required':
      return new Problem('fieldRequired', at(String(params.missingProperty)));
    case 'additionalProperties':
      return new Problem('fieldUnknown', at(String(params.additionalProperty).slice(0, 64)));
    case 'type':
      return field === undefined
        ? new Problem('badBody')
        : new Problem('fieldType', { ...at(field), values: { expected: String(params.type) } });
    case 'minLength':
      return Number(params.limit) === 1
        ? new Problem('fieldRequired', at(field))
        : new Problem('fieldTooShort', { ...at(field), values: { limit: Number(params.limit) } });
    case 'maxLength':
      return new Problem('fieldTooLong', { ...at(field), values: { limit: Number(params.limit) } });
    case 'minimum':
    case 'exclusiveMinimum':
      return new Problem('fieldTooSmall', { ...at(field), values: { limit: Number(params.limit) } });
    case 'maximum':
    case 'exclusiveMaximum':
      return new Problem('fieldTooLarge', { ...at(field), values: { limit: Number(params.limit) } });
    case 'enum':
      return new Problem('fieldChoice', {
        ...at(field),
        values: { expected: (params.allowedValues as unknown[]).join(', ') },
      });
    case 'const':
      return new Problem('fieldChoice', { ...at(field), values: { expected: String(params.allowedValue) } });
    case 'minItems':
    case 'maxItems':
      return new Problem('fieldItems', {
        ...at(field),
        values: { min: schema.minItems ?? 0, max: schema.maxItems ?? Number(params.limit) },
      });
    case 'uniqueItems':
      return new Problem('fieldRepeated', at(field));
    default:
      return new Problem('fieldFormat', {
        ...at(field),
        values: {
          expected:
            schema['x-expected'] ?? FORMAT_EXAMPLES[String(params.format)] ?? String(params.format ?? error.keyword),
        },
      });
  }
}
