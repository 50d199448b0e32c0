import { forbiddenCharacter } from '@chargehand/domain';
import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { Problem } from './problem.ts';

const body = new Ajv({ useDefaults: true, strict: false });
const text = new Ajv({ useDefaults: true, strict: false, coerceTypes: true });
addFormats.default(body);
addFormats.default(text);

/** Bodies are taken as they are; parts of the URL are text and are read as the numbers and booleans their schema names. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? body : text).compile(schema);
  return (value: unknown) => {
    if (validate(value)) return { value };
    const error = validate.errors?.[0];
    return { error: error ? problemOf(error) : new Problem('badBody') };
  };
};

const whole = new Ajv({ allErrors: true, strict: false });
addFormats.default(whole);

/** Everything in a value that does not fit a schema, and where: `configs/3/readLevel`. At most `most` faults. */
export function schemaProblems(schema: object, value: unknown, most: number): { path: string; problem: Problem }[] {
  const validate = whole.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'anyOf')
    .slice(0, most)
    .map((error) => ({ path: error.instancePath.slice(1), problem: problemOf(error) }));
}

/** The sentence for the first rule that an input breaks, naming the field and what would be right. */
function problemOf(error: ErrorObject): Problem {
  const path = error.instancePath.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  const field = path.at(-1);
  const params = error.params as Record<string, unknown>;
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
    default:
      return new Problem('fieldFormat', {
        ...at(field),
        values: { expected: String(params.format ?? params.pattern ?? error.keyword) },
      });
  }
}

/** The first text in an input with a character that no text may hold: its field and the character. */
export function forbiddenText(value: unknown, field = ''): { field: string; character: string } | null {
  if (typeof value === 'string') {
    const character = forbiddenCharacter(value);
    return character === null ? null : { field, character };
  }
  if (value === null || typeof value !== 'object') return null;
  for (const [key, part] of Object.entries(value)) {
    const found = forbiddenText(part, Array.isArray(value) ? field : key);
    if (found !== null) return found;
  }
  return null;
}
