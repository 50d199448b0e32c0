import { describe, expect, test } from 'vitest';
import { OCPP16 } from '../ocpp16/index.ts';
import { OCPP201 } from '../ocpp201/index.ts';
import { ANSWER_MS, type ServerRequest, ServerRequests } from './server-requests.ts';
import { CALLERROR, CALLRESULT } from './wire.ts';

const nothing = { connectors: [], updating: false, uploading: null };
const actions = (requests: readonly ServerRequest[]) =>
  requests.map(({ action, payload }) => `${action} ${JSON.stringify(payload)}`);

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
    const requests = dialect.requestsFor(open, false);
    expect(actions(requests)).toEqual(expected);
    for (const { action, payload } of requests) expect(dialect.schemas.violationOf(action, 'req', payload)).toBeNull();
  },
);

const question = (message: string): ServerRequest => ({ action: 'TriggerMessage', payload: {}, message });
const WORDS = [question('Status'), question('Status'), question('Firmware')];
let ids = 0;
const newId = () => String(++ids);
const answer = (id: string, status: string) => ({ type: CALLRESULT, id, payload: { status } }) as const;

test('a device that boots reports everything by itself, except for its transfers: those are requested after the delay', () => {
  const requests = new ServerRequests(0, 10_000);
  requests.onCall('BootNotification', 9_000);
  expect([requests.isDue(18_999), requests.isDue(19_000), requests.booted]).toEqual([false, true, true]);
  for (const dialect of [OCPP16, OCPP201]) {
    expect(dialect.requestsFor(nothing, requests.booted)).toEqual([]);
    const transfers = dialect.requestsFor({ connectors: [1], updating: true, uploading: 'security' }, requests.booted);
    expect(transfers.map(({ message }) => message)).toEqual(['FirmwareStatusNotification', 'LogStatusNotification']);
  }
  requests.requestAll(20_000);
  expect(requests.booted).toBe(false);
});

test('a device that sends messages without booting, or sends nothing, is queried after the delay, one request at a time', () => {
  const requests = new ServerRequests(0, 10_000);
  requests.onCall('Heartbeat', 1);
  expect(requests.isDue(9_999)).toBe(false);
  expect(requests.isDue(10_000)).toBe(true);
  expect(requests.isDue(10_001)).toBe(false);
  requests.put(WORDS);
  const first = requests.next(10_001, newId)!;
  expect(requests.next(10_002, newId)).toBeNull();
  expect(requests.answered(answer('another', 'Accepted'))).toBeNull();
  expect(requests.answered(answer(first.id, 'Accepted'))).toEqual({ request: WORDS[0], note: null });
  expect(requests.answered(answer(first.id, 'Accepted'))).toBeNull();
  for (const word of WORDS.slice(1)) {
    const next = requests.next(10_003, newId)!;
    expect(next.request).toBe(word);
    requests.answered(answer(next.id, 'Accepted'));
  }
  expect(requests.next(10_004, newId)).toBeNull();
  requests.requestAll(10_005);
  expect(requests.isDue(10_005)).toBe(true);
});

test.each(['Rejected', 'NotImplemented', 'nonsense'])(
  'a request that the device answers with %s is not repeated',
  (status) => {
    const requests = new ServerRequests(0, 0);
    requests.put(WORDS);
    const { id } = requests.next(0, newId)!;
    expect(requests.answered(answer(id, status))?.note).toMatch(/Status is not requested again/);
    expect(requests.next(1, newId)?.request.message).toBe('Firmware');
    requests.answered(answer(String(requests.open(1)?.id), 'Accepted'));
    requests.requestAll(2);
    requests.put(WORDS);
    expect(requests.next(2, newId)?.request.message).toBe('Firmware');
  },
);

test('a device that does not support triggers, or does not answer, is not queried again', () => {
  const unsupporting = new ServerRequests(0, 0);
  unsupporting.put(WORDS);
  const { id } = unsupporting.next(0, newId)!;
  unsupporting.answered({ type: CALLERROR, id, code: 'NotImplemented', description: '', details: {} });
  const silent = new ServerRequests(0, 0);
  silent.put(WORDS);
  silent.next(0, newId);
  expect(silent.open(ANSWER_MS - 1)).not.toBeNull();
  expect(silent.open(ANSWER_MS)).toBeNull();
  for (const requests of [unsupporting, silent]) {
    requests.requestAll(ANSWER_MS + 1);
    expect(requests.isDue(ANSWER_MS + 1)).toBe(false);
    requests.put(WORDS);
    expect(requests.next(ANSWER_MS + 2, newId)).toBeNull();
  }
});

test('a request that gave way to a command is still answered, and the others follow', () => {
  const requests = new ServerRequests(0, 0);
  requests.put(WORDS);
  const { id } = requests.next(0, newId)!;
  requests.giveWay();
  expect(requests.open(1)).toBeNull();
  const second = requests.next(1, newId)!;
  expect(second.request).toBe(WORDS[1]);
  expect(requests.answered(answer(id, 'Rejected'))?.note).toMatch(/Status is not requested again/);
  expect(requests.open(2)).toBe(second);
});

describe('what a device has requested', () => {
  const brought = (): ServerRequest => ({
    ...question('Certificate'),
    readAnswer: () => ({ note: 'taken', stored: Promise.resolve() }),
  });

  test('is sent first, whether or not the device supports triggers', () => {
    const requests = new ServerRequests(0, null);
    expect(requests.isDue(Number.MAX_SAFE_INTEGER)).toBe(false);
    requests.put(WORDS);
    requests.request(brought());
    const first = requests.next(0, newId);
    expect(first?.request.message).toBe('Certificate');
    expect(requests.next(1, newId)).toBeNull();
    expect(requests.answered(answer(first!.id, 'Rejected'))).toMatchObject({ request: { message: 'Certificate' } });
    const second = requests.next(2, newId);
    expect(second?.request.message).toBe('Status');
    requests.answered({ type: CALLERROR, id: second!.id, code: 'NotImplemented', description: '', details: {} });
    expect(requests.next(3, newId)).toBeNull();
    requests.request(brought());
    expect(requests.next(4, newId)?.request.message).toBe('Certificate');
  });

  test('an error in the answer to it does not hold back other requests', () => {
    const requests = new ServerRequests(0, null);
    requests.put(WORDS);
    requests.request(brought());
    const { id } = requests.next(0, newId)!;
    requests.answered({ type: CALLERROR, id, code: 'InternalError', description: '', details: {} });
    expect(requests.next(1, newId)?.request.message).toBe('Status');
  });

  test('a late answer is still accepted, once, and the connection continues meanwhile', () => {
    const requests = new ServerRequests(0, null);
    requests.put(WORDS);
    requests.request(brought());
    const { id } = requests.next(0, newId)!;
    expect(requests.open(ANSWER_MS)).toBeNull();
    expect(requests.next(ANSWER_MS, newId)?.request.message).toBe('Status');
    expect(requests.answered(answer(id, 'Accepted'))).toMatchObject({ request: { message: 'Certificate' } });
    expect(requests.answered(answer(id, 'Accepted'))).toBeNull();
    expect(requests.open(ANSWER_MS + 1)?.request.message).toBe('Status');
  });
});
