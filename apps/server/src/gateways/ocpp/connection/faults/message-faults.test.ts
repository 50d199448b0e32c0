import { expect, test } from 'vitest';
import { type MessageFault, MessageFaults } from './message-faults.ts';

const at = (seconds: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1_000);
const REJECTED: MessageFault = { outcome: 'rejected', reason: 'errorCode must be equal to one of the allowed values' };
const alarm = (active: boolean) => ({ kind: 'alarm', code: 'StatusRejected', connector: 0, active });

test('a fault is stored at once, and its repetitions are counted for a minute', () => {
  const faults = new MessageFaults(false);
  const tolerated: MessageFault = { outcome: 'tolerated', reason: 'x' };
  expect(faults.after('MeterValues', tolerated, at(0))).toMatchObject([{ kind: 'messageFault', count: 1 }]);
  for (const seconds of [1, 30, 59]) expect(faults.after('MeterValues', tolerated, at(seconds))).toEqual([]);
  expect(faults.after('MeterValues', tolerated, at(60))).toMatchObject([
    { action: 'MeterValues', count: 4, at: at(60) },
  ]);
  expect(faults.after('MeterValues', null, at(61))).toEqual([]);
});

test('a rejected status report raises an alarm until one is accepted', () => {
  const faults = new MessageFaults(false);
  const raised = { ...alarm(true), info: REJECTED.reason };
  expect(faults.after('StatusNotification', REJECTED, at(0))).toMatchObject([{ kind: 'messageFault' }, raised]);
  expect(faults.after('StatusNotification', REJECTED, at(1))).toEqual([]);
  expect(faults.after('StatusNotification', { outcome: 'tolerated', reason: '' }, at(2))).toMatchObject([
    { outcome: 'tolerated' },
    alarm(false),
  ]);
});

test('an alarm of an earlier connection ends with the first accepted status report', () => {
  const faults = new MessageFaults(true);
  expect(faults.after('Heartbeat', null, at(0))).toEqual([]);
  expect(faults.after('StatusNotification', null, at(1))).toMatchObject([alarm(false)]);
  expect(faults.after('StatusNotification', null, at(2))).toEqual([]);
});
