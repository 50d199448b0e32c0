import { describe, expect, test } from 'vitest';
import { OCPP16 } from '../ocpp16/index.ts';
import { OCPP201 } from '../ocpp201/index.ts';
import { ANSWER_MS, ConnectionQuestions, type Question } from './questions.ts';
import { CALLERROR, CALLRESULT } from './wire.ts';

const nothing = { connectors: [], updating: false, uploading: null };
const actions = (questions: readonly Question[]) =>
  questions.map(({ action, payload }) => `${action} ${JSON.stringify(payload)}`);

test.each([
  [OCPP16, nothing, ['TriggerMessage {"requestedMessage":"StatusNotification"}']],
  [OCPP16, { ...nothing, connectors: [1, 2] }, ['TriggerMessage {"requestedMessage":"StatusNotification"}']],
  [
    OCPP16,
    { ...nothing, updating: true, uploading: 'diagnostics' as const },
    [
      'TriggerMessage {"requestedMessage":"StatusNotification"}',
      'TriggerMessage {"requestedMessage":"FirmwareStatusNotification"}',
      'TriggerMessage {"requestedMessage":"DiagnosticsStatusNotification"}',
    ],
  ],
  [
    OCPP16,
    { ...nothing, uploading: 'security' as const },
    [
      'TriggerMessage {"requestedMessage":"StatusNotification"}',
      'ExtendedTriggerMessage {"requestedMessage":"LogStatusNotification"}',
    ],
  ],
  [
    OCPP201,
    nothing,
    ['TriggerMessage {"requestedMessage":"StatusNotification"}', 'GetMonitoringReport {"requestId":1}'],
  ],
  [
    OCPP201,
    { connectors: [1, 257], updating: true, uploading: 'diagnostics' as const },
    [
      'TriggerMessage {"requestedMessage":"StatusNotification","evse":{"id":1,"connectorId":1}}',
      'TriggerMessage {"requestedMessage":"StatusNotification","evse":{"id":1,"connectorId":2}}',
      'TriggerMessage {"requestedMessage":"FirmwareStatusNotification"}',
      'TriggerMessage {"requestedMessage":"LogStatusNotification"}',
      'GetMonitoringReport {"requestId":1}',
    ],
  ],
])(
  '%#: unknown state of a device is requested with the messages of its protocol, valid by the official schemas',
  (dialect, open, expected) => {
    const questions = dialect.questionsOf(open);
    expect(actions(questions)).toEqual(expected);
    for (const { action, payload } of questions) expect(dialect.schemas.violationOf(action, 'req', payload)).toBeNull();
  },
);

const question = (message: string): Question => ({ action: 'TriggerMessage', payload: {}, message });
const WORDS = [question('Status'), question('Status'), question('Firmware')];
let ids = 0;
const newId = () => String(++ids);
const answer = (id: string, status: string) => ({ type: CALLRESULT, id, payload: { status } }) as const;

test('a device that boots reports everything by itself: nothing is requested', () => {
  const questions = new ConnectionQuestions(10_000);
  questions.onCall('BootNotification');
  expect(questions.isDue(20_000)).toBe(false);
});

test('a device that sends messages without booting, or sends nothing, is queried after the delay, one request at a time', () => {
  const questions = new ConnectionQuestions(10_000);
  questions.onCall('Heartbeat');
  expect(questions.isDue(9_999)).toBe(false);
  expect(questions.isDue(10_000)).toBe(true);
  expect(questions.isDue(10_001)).toBe(false);
  questions.put(WORDS);
  const first = questions.next(10_001, newId)!;
  expect(questions.next(10_002, newId)).toBeNull();
  expect(questions.answered(answer('another', 'Accepted'))).toBeNull();
  expect(questions.answered(answer(first.id, 'Accepted'))).toEqual({ question: WORDS[0], note: null });
  expect(questions.answered(answer(first.id, 'Accepted'))).toBeNull();
  for (const word of WORDS.slice(1)) {
    const next = questions.next(10_003, newId)!;
    expect(next.question).toBe(word);
    questions.answered(answer(next.id, 'Accepted'));
  }
  expect(questions.next(10_004, newId)).toBeNull();
  questions.requestAll(10_005);
  expect(questions.isDue(10_005)).toBe(true);
});

test.each(['Rejected', 'NotImplemented', 'nonsense'])(
  'a request that the device answers with %s is not repeated',
  (status) => {
    const questions = new ConnectionQuestions(0);
    questions.put(WORDS);
    const { id } = questions.next(0, newId)!;
    expect(questions.answered(answer(id, status))?.note).toMatch(/Status is not requested again/);
    expect(questions.next(1, newId)?.question.message).toBe('Firmware');
    questions.answered(answer(String(questions.open(1)?.id), 'Accepted'));
    questions.requestAll(2);
    questions.put(WORDS);
    expect(questions.next(2, newId)?.question.message).toBe('Firmware');
  },
);

test('a device that does not support triggers, or does not answer, is not queried again', () => {
  const unknowing = new ConnectionQuestions(0);
  unknowing.put(WORDS);
  const { id } = unknowing.next(0, newId)!;
  unknowing.answered({ type: CALLERROR, id, code: 'NotImplemented', description: '', details: {} });
  const silent = new ConnectionQuestions(0);
  silent.put(WORDS);
  silent.next(0, newId);
  expect(silent.open(ANSWER_MS - 1)).not.toBeNull();
  expect(silent.open(ANSWER_MS)).toBeNull();
  for (const questions of [unknowing, silent]) {
    questions.requestAll(ANSWER_MS + 1);
    expect(questions.isDue(ANSWER_MS + 1)).toBe(false);
    questions.put(WORDS);
    expect(questions.next(ANSWER_MS + 2, newId)).toBeNull();
  }
});

describe('what a device has requested', () => {
  const brought = (): Question => ({
    ...question('Certificate'),
    settle: () => ({ note: 'taken', stored: Promise.resolve() }),
  });

  test('is sent first, whether or not the device supports triggers', () => {
    const questions = new ConnectionQuestions(null);
    expect(questions.isDue(Number.MAX_SAFE_INTEGER)).toBe(false);
    questions.put(WORDS);
    questions.request(brought());
    const first = questions.next(0, newId);
    expect(first?.question.message).toBe('Certificate');
    expect(questions.next(1, newId)).toBeNull();
    expect(questions.answered(answer(first!.id, 'Rejected'))).toMatchObject({ question: { message: 'Certificate' } });
    const second = questions.next(2, newId);
    expect(second?.question.message).toBe('Status');
    questions.answered({ type: CALLERROR, id: second!.id, code: 'NotImplemented', description: '', details: {} });
    expect(questions.next(3, newId)).toBeNull();
    questions.request(brought());
    expect(questions.next(4, newId)?.question.message).toBe('Certificate');
  });

  test('an error in the answer to it does not hold back other requests', () => {
    const questions = new ConnectionQuestions(null);
    questions.put(WORDS);
    questions.request(brought());
    const { id } = questions.next(0, newId)!;
    questions.answered({ type: CALLERROR, id, code: 'InternalError', description: '', details: {} });
    expect(questions.next(1, newId)?.question.message).toBe('Status');
  });

  test('a late answer is still accepted, once, and the connection continues meanwhile', () => {
    const questions = new ConnectionQuestions(null);
    questions.put(WORDS);
    questions.request(brought());
    const { id } = questions.next(0, newId)!;
    expect(questions.open(ANSWER_MS)).toBeNull();
    expect(questions.next(ANSWER_MS, newId)?.question.message).toBe('Status');
    expect(questions.answered(answer(id, 'Accepted'))).toMatchObject({ question: { message: 'Certificate' } });
    expect(questions.answered(answer(id, 'Accepted'))).toBeNull();
    expect(questions.open(ANSWER_MS + 1)?.question.message).toBe('Status');
  });
});
