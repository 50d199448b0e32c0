import { ALARM_LEVELS } from '@chargehand/domain';
import { Ajv, type ValidateFunction } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { ANSWER_WORDS } from '../facts.ts';
import type { JsonLeaf } from '../topics.ts';

/** Plain JSON messages (docs/mqtt.md). Unknown fields are allowed, for newer devices. */
const at = Type.Optional(Type.String({ minLength: 10, maxLength: 40 }));
const connector = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 }));
const Key = Type.String({ minLength: 1, maxLength: 100 });
const Scalar = Type.Union([Type.Number(), Type.Boolean()]);
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
export const Texts = Type.Object({ at, connector, values: values(Type.String({ maxLength: 4_000 })) });
export const Alarm = Type.Object({
  at,
  connector,
  code: Type.String({ minLength: 1, maxLength: 64 }),
  active: Type.Boolean(),
  level: Type.Optional(Type.Union(ALARM_LEVELS.map((level) => Type.Literal(level)))),
  kind: Type.Optional(Type.Union([Type.Literal('alarm'), Type.Literal('fault'), Type.Literal('unavailable')])),
  info: Type.Optional(Type.String({ maxLength: 255 })),
});
export const Parameters = Type.Object({
  complete: Type.Optional(Type.Boolean()),
  values: values(Type.Union([Entry, Type.Object({ value: Entry, readonly: Type.Optional(Type.Boolean()) })])),
});
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
  const check = CHECKS[leaf];
  if (check(message)) return null;
  const [error] = check.errors ?? [];
  return `${error?.instancePath || 'the message'} ${error?.message ?? 'is not valid'}`.slice(0, 300);
}
