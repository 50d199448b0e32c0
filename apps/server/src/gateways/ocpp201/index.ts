import type { CallContext, Dialect, DialectLine } from '../ocpp/dialect.ts';
import { ocppSchemas } from '../ocpp/schemas.ts';
import { CALLS } from './calls.ts';
import { planOf, readUnexpected } from './commands.ts';
import { questionsOf } from './questions.ts';
import { rangeViolation } from './ranges.ts';
import { lineState } from './state.ts';

/** OCPP 2.0.1 in JSON. */
export const OCPP201: Dialect = {
  subprotocol: 'ocpp2.0.1',
  name: 'OCPP 2.0.1',
  // OCPP-J 2.0.1 §3.4 asks it of every CSMS.
  compresses: true,
  schemas: ocppSchemas('ocpp2_0_1', 'OCPP 2.0.1'),
  standIns: {
    StatusNotification: { timestamp: 'now', connectorId: 1 },
    TransactionEvent: { timestamp: 'now' },
    SecurityEventNotification: { timestamp: 'now' },
  },
  // OCPP-J 2.0.1 §4.3 spells two codes in another way.
  codes: {
    FormationViolation: 'FormatViolation',
    OccurenceConstraintViolation: 'OccurrenceConstraintViolation',
  },
  answersUnreadable: true,
  rangeViolation,
  questionsOf,
  line: ocpp201Line,
};

function ocpp201Line(): DialectLine {
  const line = lineState();
  return {
    takes: (action) => Object.hasOwn(CALLS, action),
    handle(action: string, payload: object, context: CallContext) {
      const handler = CALLS[action];
      if (!handler) throw new Error(`OCPP 2.0.1: ${action} is not taken`);
      return handler(payload as never, { ...context, line });
    },
    plan: (call) => planOf(call, line),
    readUnexpected,
    tick: (now) => line.asked?.tick(now) ?? NOTHING,
  };
}

const NOTHING: [] = [];
