import type { CommandKind } from '@chargehand/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { ACCEPTS_EVERYONE } from '../../../ports/devices/authorizer.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import { type SteppedClock, steppedClock } from '../../../testing/clock.ts';
import { connectorLimit } from '../../connector-limit.ts';
import { OCPP16 } from '../../ocpp16/index.ts';
import { OCPP21 } from '../../ocpp21/index.ts';
import { OCPP201 } from '../../ocpp201/index.ts';
import type { Dialect } from '../dialect.ts';
import { gatewayMetrics } from '../metrics.ts';
import { CALL, CALLERROR, CALLRESULT, type ResultFrame, readFrame, SEND } from '../wire.ts';
import { type AnswerContext, answerCall, readSend } from './answer-call.ts';
import { type PendingCalls, pendingCalls } from './pending-calls.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
/** A valid id of an execution, by its last digits. */
const execution = (digits: number) => `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`;

describe('calls of the server', () => {
  let clock: SteppedClock;
  let calls: PendingCalls;
  beforeEach(() => {
    clock = steppedClock(AT);
    calls = pendingCalls(OCPP16, OCPP16.connection(clock), () => false, clock);
  });

  const put = (digits: number, kind: CommandKind = 'softReset', params: object = {}) =>
    calls.put({ executionId: execution(digits), kind, connector: 0, params });
  const result = (digits: number, payload: unknown, to = calls) =>
    to.answered({ type: CALLRESULT, id: execution(digits), payload }, AT);
  const answer = (digits: number, more: object = {}) => ({
    ...{ kind: 'answer', executionId: execution(digits), at: AT, success: true, reason: 'accepted', detail: null },
    ...more,
  });
  const received = (digits: number) => ({ kind: 'messageReceived', executionId: execution(digits), at: AT });
  const trigger = (digits: number, message = 'Heartbeat') => put(digits, 'triggerMessage', { message });

  test('a command is one frame with the id of its execution', () => {
    expect(put(1)).toEqual({ action: 'Reset', text: `[2,"${execution(1)}","Reset",{"type":"Soft"}]` });
    expect(calls.unanswered()).toBe(execution(1));
  });

  test.each<[string, CommandKind, object]>([
    ['the protocol has no such command', 'triggerMessage', { message: 'TransactionEvent' }],
    ['a value is too long for its field', 'setParameter', { key: 'k'.repeat(51), value: '1' }],
    ['a message is unknown', 'sendMessage', { action: 'Explode', payload: {} }],
  ])('nothing is sent when %s', (_, kind, params) => {
    expect(put(1, kind, params)).toBeNull();
    expect([calls.unanswered(), calls.isWaiting(AT.getTime())]).toEqual([null, false]);
  });

  test('a command waits for its answer for at most a minute', () => {
    expect(calls.isWaiting(AT.getTime())).toBe(false);
    put(1);
    expect(calls.isWaiting(AT.getTime() + 59_999)).toBe(true);
    expect(calls.isWaiting(AT.getTime() + 60_000)).toBe(false);
    result(1, { status: 'Accepted' });
    expect([calls.isWaiting(AT.getTime()), calls.unanswered()]).toEqual([false, null]);
  });

  test('an answer is the result', () => {
    put(1);
    expect(result(1, { status: 'Accepted' })).toEqual({
      ...{ action: 'Reset', unexpected: false, note: null, violation: null, fault: null },
      events: [answer(1, { answer: { status: 'Accepted' } })],
    });
  });

  test('an error is the result, with its text', () => {
    put(1);
    const details = { part: 'relay' };
    const frame = { type: CALLERROR, id: execution(1), code: 'InternalError', description: 'stuck', details } as const;
    expect(calls.answered(frame, AT)).toEqual({
      ...{ action: 'Reset', unexpected: false, note: null, violation: null, fault: null },
      events: [
        answer(1, {
          ...{ success: false, reason: 'callError', detail: 'InternalError: stuck' },
          answer: { code: 'InternalError', description: 'stuck', details },
        }),
      ],
    });
  });

  test.each([[null], ['Accepted'], [[{ status: 'Accepted' }]]])('the answer %j is no object', (payload) => {
    put(1);
    const note = 'the payload is not an object';
    expect(result(1, payload)).toMatchObject({
      ...{ note, violation: null },
      events: [answer(1, { success: false, reason: 'badAnswer', detail: note, answer: payload })],
    });
  });

  test('a response that breaks off ends its call at once', () => {
    put(1);
    const frame = readFrame(`[3,"${execution(1)}",{"status":`) as ResultFrame;
    expect(calls.answered(frame, AT)).toMatchObject({
      ...{ action: 'Reset', note: 'not JSON', violation: { code: 'FormationViolation' } },
      events: [answer(1, { success: false, reason: 'badAnswer', detail: 'not JSON', answer: null })],
    });
    expect(calls.unanswered()).toBeNull();
  });

  test('an answer that violates its schema is a failure, unless the device is read tolerantly', () => {
    const payload = { status: 'Accepted', extra: 1 };
    put(1);
    const strict = result(1, payload);
    expect(strict.events).toMatchObject([{ success: false, reason: 'badAnswer', detail: strict.note }]);
    expect(strict.violation?.description).toBe(strict.note);
    const tolerant = pendingCalls(OCPP16, OCPP16.connection(clock), () => true, clock);
    tolerant.put({ executionId: execution(2), kind: 'softReset', connector: 0, params: {} });
    expect(result(2, payload, tolerant)).toMatchObject({
      ...{ note: expect.stringContaining('tolerated'), violation: null },
      events: [{ success: true, reason: 'accepted' }],
    });
  });

  test.each([false, true])('an answer keeps its good entries, and the others are named (tolerant: %s)', (tolerant) => {
    const some = pendingCalls(OCPP16, OCPP16.connection(clock), () => tolerant, clock);
    some.put({ executionId: execution(3), kind: 'refreshConfiguration', connector: 0, params: {} });
    const good = { key: 'HeartbeatInterval', readonly: false, value: '60' };
    const configurationKey = [{ key: 'A', readonly: 'perhaps', value: '1' }, good, null];
    const read = result(3, { configurationKey }, some);
    expect(read.note).toContain('left out: configurationKey.0.readonly must be boolean of A');
    expect(read.note).toContain('left out: configurationKey.2');
    expect(read.fault).toMatchObject({ outcome: 'partial', reason: expect.stringContaining('configurationKey.0') });
    expect(read.events).toMatchObject([
      { kind: 'answer', success: true },
      { kind: 'parameters', entries: [good] },
    ]);
  });

  test('a late answer is read, and noted', () => {
    put(1);
    put(2);
    expect(result(1, { status: 'Rejected' })).toMatchObject({
      ...{ action: 'Reset', unexpected: true, note: 'a late answer' },
      events: [{ executionId: execution(1), success: false, reason: 'rejected' }],
    });
    expect(calls.unanswered()).toBe(execution(2));
    expect(result(2, { status: 'Accepted' })).toMatchObject({ unexpected: false, note: null });
  });

  test('the last eight calls are remembered; the answer to an older one is read without its call', () => {
    for (let digits = 1; digits <= 9; digits += 1) put(digits);
    const note = 'answers a call that this connection did not send';
    expect(result(1, { status: 'Accepted' })).toMatchObject({ action: null, unexpected: true, note });
    expect(result(2, { status: 'Accepted' })).toMatchObject({ action: 'Reset', note: 'a late answer' });
    // A repeated answer has no call any more.
    expect(result(2, { status: 'Accepted' })).toMatchObject({ action: null, note, events: [{ kind: 'answer' }] });
  });

  test('the calls of another connection are not its own', () => {
    const other = pendingCalls(OCPP16, OCPP16.connection(clock), () => false, clock);
    put(1);
    other.put({ executionId: execution(2), kind: 'softReset', connector: 0, params: {} });
    const note = 'answers a call that this connection did not send';
    expect(result(1, { status: 'Accepted' }, other)).toMatchObject({ action: null, unexpected: true, note });
  });

  test('a long list of tokens is sent completely; what the protocol log stores of it is shorter', () => {
    const entry = { type: 'ISO14443', status: 'Accepted', group: null, until: null } as const;
    const entries = Array.from({ length: 25 }, (_, n) => ({ ...entry, value: `T${n}` }));
    const added = put(1, 'updateTokenList', { tokenList: { do: 'send', full: true, version: 1, entries } });
    expect(added?.text).toContain('"T24"');
    expect(added?.logged?.text).not.toContain('"T24"');
    expect(added?.logged?.text).toContain(`[2,"${execution(1)}","SendLocalList",`);
  });

  test('a message of the workbench is sent as it is', () => {
    const sent = put(1, 'sendMessage', { action: 'Reset', payload: { type: 'Hard' } });
    expect(sent).toEqual({ action: 'Reset', text: `[2,"${execution(1)}","Reset",{"type":"Hard"}]` });
  });

  test('without a result in its answer, the device is working on the command', () => {
    const plan = () => ({ action: 'Reset', payload: { type: 'Soft' }, read: () => null });
    const working = pendingCalls(OCPP16, { ...OCPP16.connection(clock), plan }, () => false, clock);
    working.put({ executionId: execution(1), kind: 'softReset', connector: 0, params: {} });
    expect(result(1, { status: 'Accepted' }, working)).toEqual({
      ...{ action: 'Reset', unexpected: false, note: null, violation: null, fault: null },
      events: [{ kind: 'executionProgress', executionId: execution(1), at: AT, state: 'working', detail: null }],
    });
  });

  test.each([
    'x',
    `${execution(1)}0`,
    `0${execution(1)}`,
    execution(1).replaceAll('-', ''),
    execution(1).replace('0', 'G'),
  ])('an answer with the id %s answers no call', (id) => {
    put(1);
    expect(calls.answered({ type: CALLRESULT, id, payload: {} }, AT)).toEqual({
      ...{ action: null, unexpected: true, note: 'answers no call; ignored', events: [], violation: null, fault: null },
    });
    expect(calls.unanswered()).toBe(execution(1));
  });

  test('parameters in an answer are reported with the execution', () => {
    put(1, 'refreshConfiguration');
    const configurationKey = [{ key: 'HeartbeatInterval', readonly: false, value: '60' }];
    expect(result(1, { configurationKey }).events).toEqual([
      answer(1, { answer: { configurationKey } }),
      {
        ...{ kind: 'parameters', at: AT, executionId: execution(1), unknownKeys: [], complete: true },
        entries: configurationKey,
      },
    ]);
  });

  test('a requested message counts once after the device accepted, and other messages do not', () => {
    trigger(1);
    expect(result(1, { status: 'Accepted' }).events).toHaveLength(1);
    expect(calls.progressOf('BootNotification', {}, AT)).toEqual([]);
    expect(calls.progressOf('Heartbeat', {}, AT)).toEqual([received(1)]);
    expect(calls.progressOf('Heartbeat', {}, AT)).toEqual([]);
  });

  test('a requested message that arrives before the answer counts with the answer', () => {
    trigger(1);
    expect(calls.progressOf('Heartbeat', {}, AT)).toEqual([]);
    expect(result(1, { status: 'Accepted' }).events).toEqual([
      answer(1, { answer: { status: 'Accepted' } }),
      received(1),
    ]);
    // It is used up: the same request again needs another message.
    trigger(2);
    expect(result(2, { status: 'Accepted' }).events).toHaveLength(1);
  });

  test('a requested message does not count when the device refuses', () => {
    trigger(1);
    calls.progressOf('Heartbeat', {}, AT);
    expect(result(1, { status: 'Rejected' }).events).toMatchObject([{ kind: 'answer', reason: 'rejected' }]);
    expect(calls.progressOf('Heartbeat', {}, AT)).toEqual([]);
  });

  test('eight requested messages are remembered', () => {
    for (let digits = 1; digits <= 9; digits += 1) {
      trigger(digits, digits === 2 ? 'BootNotification' : 'Heartbeat');
      result(digits, { status: 'Accepted' });
    }
    expect(calls.progressOf('Heartbeat', {}, AT)).toEqual([3, 4, 5, 6, 7, 8, 9].map(received));
    expect(calls.progressOf('BootNotification', {}, AT)).toEqual([received(2)]);
  });
});

describe('calls of a device', () => {
  const metrics = gatewayMetrics();
  beforeEach(() => {
    metrics.callErrors.reset();
    metrics.tolerated.reset();
  });
  const context = (more: Partial<AnswerContext> = {}): AnswerContext => {
    const { dialect = OCPP16 } = more;
    return {
      ...{ dialect, connection: dialect.connection(steppedClock(AT)), tolerant: false, receivedAt: AT },
      ...{ heartbeatSeconds: 60, signs: false, metrics },
      connectors: connectorLimit({ connectors: [1], connectorCount: 1 } as never),
      ...more,
    };
  };
  const call = (action: string, payload: object, more?: Partial<AnswerContext>) =>
    answerCall({ type: CALL, id: 'c1', action, payload }, context(more));
  const refused = (code: string, description: string) => ({
    ...{ events: [], notes: [description], deviceTime: null, taken: null, token: null, request: null, followUps: [] },
    fault: { outcome: 'rejected', reason: description },
    text: JSON.stringify([4, 'c1', code, description, {}]),
  });
  const errorsOf = async () => (await metrics.callErrors.get()).values.map(({ labels, value }) => [labels.code, value]);
  const status = (connectorId: number) => ({ connectorId, errorCode: 'NoError', status: 'Available' });

  test('a valid call is answered, with its events', () => {
    const payload = status(1);
    expect(call('StatusNotification', payload)).toEqual({
      ...{
        notes: [],
        text: '[3,"c1",{}]',
        deviceTime: null,
        taken: payload,
        token: null,
        request: null,
        followUps: [],
      },
      fault: null,
      events: [expect.objectContaining({ kind: 'connectorStatus', connector: 1, status: 'Available' })],
    });
  });

  test('an answer may depend on a decision and on what was stored', async () => {
    const payload = { connectorId: 1, idTag: 'CARD', meterStart: 5, timestamp: AT.toISOString() };
    const { token } = call('StartTransaction', payload);
    if (!token) throw new Error('the answer does not depend on a decision');
    const text = token.text(await ACCEPTS_EVERYONE.decide(1, token.request));
    if (typeof text === 'string') throw new Error('the answer does not depend on what was stored');
    expect(JSON.parse(text({ transactionId: 7 }))[2]).toMatchObject({ transactionId: 7 });
  });

  test.each<[string, string, object, string, string]>([
    ['an unknown action', 'Explode', {}, 'NotImplemented', 'Explode is not an action of OCPP 1.6'],
    ['a long unknown action', 'E'.repeat(80), {}, 'NotImplemented', `${'E'.repeat(60)} is not an action of OCPP 1.6`],
    [
      'an action for devices',
      'Reset',
      { type: 'Soft' },
      'NotSupported',
      'Reset is not supported by this central system',
    ],
  ])('%s is refused', async (_, action, payload, code, description) => {
    expect(call(action, payload)).toEqual(refused(code, description));
    expect(await errorsOf()).toEqual([[code, 1]]);
  });

  test('a connector beyond the limit is refused', async () => {
    const description = 'connector 2 exceeds the limit: its model says that it has 1 at most';
    expect(call('StatusNotification', status(2))).toEqual(refused('PropertyConstraintViolation', description));
    expect(await errorsOf()).toEqual([['PropertyConstraintViolation', 1]]);
  });

  test('a number that cannot be stored is refused', () => {
    const { taken, text } = call('StatusNotification', status(40_000));
    expect(taken).toBeNull();
    expect(JSON.parse(String(text))[2]).toBe('PropertyConstraintViolation');
  });

  test('a payload that violates its schema is refused, unless the device is read tolerantly', async () => {
    const strict = call('StatusNotification', { ...status(1), extra: 1 });
    expect(strict).toMatchObject({ events: [], taken: null });
    expect(JSON.parse(String(strict.text))[0]).toBe(4);
    const tolerant = call('StatusNotification', { ...status(1), extra: 1 }, { tolerant: true });
    expect(tolerant).toMatchObject({
      text: '[3,"c1",{}]',
      taken: status(1),
      notes: [expect.stringContaining('tolerated')],
    });
    expect((await metrics.tolerated.get()).values).toEqual([{ labels: { action: 'StatusNotification' }, value: 1 }]);
    const hopeless = call('StatusNotification', { connectorId: 'one' }, { tolerant: true });
    expect(hopeless).toMatchObject({ events: [], taken: null });
  });

  test.each<[string, string, object, object, string?]>([
    [
      'words in other letter case',
      'StatusNotification',
      { ...status(1), status: 'faulted', errorCode: 'groundFAILURE' },
      { status: 'Faulted', errorCode: 'GroundFailure' },
    ],
    [
      'an object for a list of one, a unit in other letter case, null, and an entry that is none',
      'MeterValues',
      {
        ...{ connectorId: 1, transactionId: null },
        meterValue: {
          timestamp: AT.toISOString(),
          sampledValue: [{ value: '1.2', measurand: 'Power.Active.Import', unit: 'KW' }, { value: null }, 7],
        },
      },
      { values: [{ key: 'Power.Active.Import', unit: 'W', value: 1_200 }] },
      'partial',
    ],
  ])('a tolerant model reads %s', (_, action, payload, expected, outcome = 'tolerated') => {
    expect(call(action, payload, { tolerant: true })).toMatchObject({
      ...{ events: [expected], fault: { outcome } },
    });
    expect(call(action, payload).fault?.outcome).toBe('rejected');
  });

  const sample = (value: unknown, measurand = 'Voltage') => ({ value, measurand });
  const meterValue = (...sampledValue: unknown[]) => ({ timestamp: AT.toISOString(), sampledValue });
  const event = (value: unknown) => ({
    ...{ eventId: 1, timestamp: AT.toISOString(), trigger: 'Delta', actualValue: value },
    ...{ eventNotificationType: 'CustomMonitor', component: { name: 'C' }, variable: { name: 'V' } },
  });
  const report = (value: unknown) => ({ ...C_V, variableAttribute: [{ value, mutability: 'ReadOnly' }] });
  const C_V = { component: { name: 'C' }, variable: { name: 'V' } };
  const generatedAt = AT.toISOString();

  test.each<[string, Dialect, string, object, unknown, string]>([
    [
      ...(['one sampled value of MeterValues', OCPP16, 'MeterValues'] as const),
      { connectorId: 1, meterValue: [meterValue(sample('230'), sample(null, 'SoC')), meterValue(sample(null))] },
      [{ kind: 'reading', values: [{ key: 'Voltage', value: 230 }] }],
      'left out: meterValue.0.sampledValue.1.value must be string',
    ],
    [
      ...(['all meter values of a StopTransaction', OCPP16, 'StopTransaction'] as const),
      { transactionId: 7, meterStop: 5, timestamp: AT.toISOString(), transactionData: [meterValue(sample(null))] },
      [{ kind: 'transactionStopped', meterStop: 5 }],
      'left out: transactionData.0.sampledValue.0.value must be string',
    ],
    [
      ...(['all meter values of a TransactionEvent', OCPP201, 'TransactionEvent'] as const),
      {
        ...{ eventType: 'Updated', timestamp: AT.toISOString(), triggerReason: 'MeterValuePeriodic', seqNo: 1 },
        ...{ transactionInfo: { transactionId: 'T' }, meterValue: [meterValue(sample(null))] },
      },
      [{ kind: 'transactionEvent', transaction: 'T' }],
      'left out: meterValue.0.sampledValue.0.value must be number',
    ],
    [
      ...(['one event of NotifyEvent', OCPP201, 'NotifyEvent'] as const),
      { generatedAt, seqNo: 0, eventData: [event(null), event('7')] },
      [{ kind: 'reading', values: [{ key: 'C.V', value: 7 }] }],
      'left out: eventData.0.actualValue must be string',
    ],
    [
      ...(['one variable of a NotifyReport of 3,000 values', OCPP201, 'NotifyReport'] as const),
      { requestId: 1, generatedAt, seqNo: 0, reportData: [report(null), ...Array(500).fill(report('7'))] },
      [{ kind: 'parameters' }, { kind: 'reading', values: [{ key: 'C.V', value: 7 }] }],
      'left out: reportData.0.variableAttribute.0.value must be string',
    ],
    [
      ...(['a number that loses digits', OCPP201, 'MeterValues'] as const),
      { evseId: 1, meterValue: [meterValue(sample('9007199254740993', 'Energy.Active.Import.Register'), sample(1))] },
      [{ kind: 'reading', values: [{ key: 'Voltage', value: 1 }] }],
      'left out: meterValue.0.sampledValue.0.value must be number',
    ],
  ])('a strict model keeps the good parts of a message without %s', (_, dialect, action, payload, events, reason) => {
    const read = call(action, payload, { dialect });
    expect(read).toMatchObject({ events, text: '[3,"c1",{}]', fault: { outcome: 'partial' } });
    expect(read.fault?.reason).toContain(reason);
    expect(read.notes).toContain(reason);
  });

  test('a message without a good part is refused', () => {
    const payload = { connectorId: 1, meterValue: [meterValue(sample(null))] };
    expect(call('MeterValues', payload).fault?.outcome).toBe('rejected');
  });

  test('error codes are spelt as in the version of the device', () => {
    const { text } = call('BootNotification', {}, { dialect: OCPP201 });
    expect(JSON.parse(String(text))[2]).toBe('OccurrenceConstraintViolation');
  });

  test('the refusal of a certificate is a valid answer too', () => {
    const csr = '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----';
    const { request, text } = call('SignCertificate', { csr }, { signs: true });
    expect(text).toBe('[3,"c1",{"status":"Accepted"}]');
    expect(request?.csr).toBe(csr);
    expect(request?.refused('unproven')).toBe('[3,"c1",{"status":"Rejected"}]');
    expect(call('SignCertificate', { csr }).request).toBeNull();
  });

  test('notes and the time of the device are returned with the answer', () => {
    const meterValue = [{ timestamp: AT.toISOString(), sampledValue: [{ value: 'many' }] }];
    const { notes, deviceTime } = call('MeterValues', { connectorId: 1, meterValue });
    expect(notes).not.toEqual([]);
    expect(deviceTime).toEqual(AT);
  });

  describe('without an answer (OCPP 2.1)', () => {
    const send = (action: string, payload: object, more: Partial<AnswerContext> = {}) =>
      readSend({ type: SEND, id: 's1', action, payload }, context({ dialect: OCPP21, ...more }));
    const ignored = (note: string) => ({
      ...{ events: [], notes: [note], followUps: [], fault: { outcome: 'rejected', reason: note } },
    });

    test('an unknown action, or one that needs an answer, is ignored', () => {
      expect(send('E'.repeat(80), {})).toEqual(ignored(`${'E'.repeat(60)} is not an action of OCPP 2.1`));
      expect(send('Heartbeat', {})).toEqual(
        ignored('Heartbeat needs an answer, but was sent as a message without one; ignored'),
      );
    });

    test('an invalid payload is ignored, with the violation', () => {
      const { events, notes } = send('NotifyPeriodicEventStream', { id: 1 });
      expect(events).toEqual([]);
      expect(notes).toEqual([expect.stringContaining('required')]);
    });

    test('an older version accepts none', () => {
      expect(send('Heartbeat', {}, { dialect: OCPP201 }).notes).toEqual([
        'Heartbeat needs an answer, but was sent as a message without one; ignored',
      ]);
    });

    test('events, notes and requests of a message are returned, within the limit of connectors', () => {
      const connection = OCPP21.connection(steppedClock(AT));
      const event: UplinkEvent = { kind: 'clock', skewMs: 1 };
      const handled = { events: [event], notes: ['read'], deviceTime: null };
      const with_ = (more: object) =>
        send('Heartbeat', {}, { connection: { ...connection, receive: () => ({ ...handled, ...more }) } });
      expect(with_({})).toEqual({ events: [event], notes: ['read'], followUps: [], fault: null });
      const followUp = { action: 'GetReport', payload: {}, read: () => [] };
      expect(with_({ followUps: [followUp] }).followUps).toEqual([followUp]);
      expect(with_({ events: [{ kind: 'reading', connector: 2 }] })).toEqual(
        ignored('connector 2 exceeds the limit: its model says that it has 1 at most'),
      );
    });
  });

  test('an answer of ours that violates its schema is an error of ours', () => {
    const connection = OCPP16.connection(steppedClock(AT));
    const handle = () => ({ events: [], notes: [], answer: { wrong: 1 }, deviceTime: null });
    expect(() => call('Heartbeat', {}, { connection: { ...connection, handle } })).toThrow(
      /^Our answer to Heartbeat violates its schema: ./,
    );
  });
});
