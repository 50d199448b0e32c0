import { ALARM_LEVELS } from '@chargehand/domain';
import { Ajv, type ValidateFunction } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { BoundedNotes } from '../../bounded-notes.ts';
import { ANSWER_WORDS } from '../facts.ts';
import type { JsonLeaf } from '../topics.ts';

/** Plain JSON messages (docs/mqtt.md). Unknown fields are allowed, for newer devices. */
const at = Type.Optional(Type.String({ minLength: 10, maxLength: 40 }));
const connector = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 }));
const MOST_KEY_CHARACTERS = 100;
const Key = Type.String({ minLength: 1, maxLength: MOST_KEY_CHARACTERS });
/** The digits of a whole number that JavaScript cannot represent. It is stored as text. */
const Digits = Type.String({ pattern: '^-?[0-9]{16,40}$' });
const Scalar = Type.Union([Type.Number(), Type.Boolean(), Digits]);
const Measured = Type.Union([
  Scalar,
  Type.Object({
    value: Scalar,
    unit: Type.Optional(Type.String({ maxLength: 20 })),
    counter: Type.Optional(Type.Boolean()),
  }),
]);
const Entry = Type.Union([Type.String({ maxLength: 4_000 }), Type.Number(), Type.Boolean(), Type.Null()]);

/** The maximum number of values in a message. Larger devices use Sparkplug. */
const MOST_VALUES = 500;
const values = <Value extends TSchema>(value: Value) => Type.Record(Key, value, { maxProperties: MOST_VALUES });

const Telemetry = Type.Object({ at, connector, values: values(Measured) });

export const Status = Type.Object({
  status: Type.Union([Type.Literal('online'), Type.Literal('offline')]),
  at,
  connector,
  softVersion: Type.Optional(Type.String({ maxLength: 100 })),
  state: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Integer()])),
  fault: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])),
  info: Type.Optional(Type.String({ maxLength: 255 })),
  firmwareStatus: Type.Optional(Type.String({ maxLength: 64 })),
  logStatus: Type.Optional(Type.String({ maxLength: 64 })),
  requestId: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Integer()])),
});
export const TelemetryOrList = Type.Union([Telemetry, Type.Array(Telemetry, { minItems: 1, maxItems: 500 })]);
const Text = Type.String({ maxLength: 4_000 });
export const Texts = Type.Object({ at, connector, values: values(Text) });
export const Alarm = Type.Object({
  at,
  connector,
  code: Type.String({ minLength: 1, maxLength: 64 }),
  active: Type.Boolean(),
  level: Type.Optional(Type.Union(ALARM_LEVELS.map((level) => Type.Literal(level)))),
  kind: Type.Optional(Type.Union([Type.Literal('alarm'), Type.Literal('fault'), Type.Literal('unavailable')])),
  info: Type.Optional(Type.String({ maxLength: 255 })),
});
const Parameter = Type.Union([Entry, Type.Object({ value: Entry, readonly: Type.Optional(Type.Boolean()) })]);
export const Parameters = Type.Object({ complete: Type.Optional(Type.Boolean()), values: values(Parameter) });
export const Answer = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  status: Type.Union(ANSWER_WORDS.map((word) => Type.Literal(word))),
  detail: Type.Optional(Type.String({ maxLength: 500 })),
});

const ajv = new Ajv({ strict: false });
const CHECKS: Readonly<Record<JsonLeaf, ValidateFunction>> = {
  status: ajv.compile(Status),
  telemetry: ajv.compile(TelemetryOrList),
  texts: ajv.compile(Texts),
  alarm: ajv.compile(Alarm),
  parameters: ajv.compile(Parameters),
  answer: ajv.compile(Answer),
};

/** What is wrong with a message, for the device and the log; null if it is valid. */
export function problemOf(leaf: JsonLeaf, message: unknown): string | null {
  return checkProblem(CHECKS[leaf], message);
}

function checkProblem(check: ValidateFunction, message: unknown): string | null {
  if (check(message)) return null;
  const [error] = check.errors ?? [];
  return `${error?.instancePath || 'the message'} ${error?.message ?? 'is not valid'}`.slice(0, 300);
}

const VALUE_CHECKS: Readonly<Partial<Record<JsonLeaf, ValidateFunction>>> = {
  telemetry: ajv.compile(Measured),
  texts: ajv.compile(Text),
  parameters: ajv.compile(Parameter),
};
/** The refused values that are named. */
const MOST_NAMED = 20;

/**
 * A message without the values that are not valid, and their names with what is wrong; null when all values are valid or
 * none is. A device sends null or a word for what it cannot measure, which says nothing about its other values, and the
 * samples of a list do not depend on each other.
 */
export function withoutFaultyValues(leaf: JsonLeaf, message: unknown): { message: unknown; refused: string[] } | null {
  const check = VALUE_CHECKS[leaf];
  const refused = new BoundedNotes(MOST_NAMED);
  let kept = 0;
  const judged = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part).filter(([field, value]) => {
      const isGood = value !== null || field === 'values' || (leaf === 'status' && field === 'fault');
      if (!isGood) refused.add(`${field.slice(0, 60)} is null`);
      return isGood;
    });
    const rest = Object.fromEntries(fields);
    const { values: all } = rest;
    if (!check) kept += 1;
    if (!check || typeof all !== 'object' || all === null || Array.isArray(all)) return rest;
    const good = Object.entries(all).filter(([key, value]) => {
      const isGood = key.length > 0 && key.length <= MOST_KEY_CHARACTERS && check(value);
      if (!isGood) refused.add(`${key.slice(0, 60)} ${value === null ? 'is null' : 'is not valid'}`);
      return isGood;
    });
    kept += good.length;
    return { ...rest, values: Object.fromEntries(good) };
  };
  const isSample = (part: unknown, index: number) => {
    const problem = checkProblem(CHECKS[leaf], part);
    if (problem !== null) refused.add(`sample ${index}: ${problem}`);
    return problem === null;
  };
  const rest = Array.isArray(message) ? message.map(judged).filter(isSample) : judged(message);
  if (refused.list.length === 0 || kept === 0 || (Array.isArray(rest) && rest.length === 0)) return null;
  return { message: rest, refused: refused.list };
}
