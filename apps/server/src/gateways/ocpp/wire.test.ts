import { expect, test } from 'vitest';
import { type Frame, readFrame } from './wire.ts';

/** The parts of a frame that decide about its answer. */
function summary(frame: Frame) {
  if (frame.type !== 'bad') return [frame.type, frame.id, 'broken' in frame];
  return ['bad', frame.answer?.rawId ?? null, frame.unreadable];
}

test.each([
  ['a byte order mark', '\uFEFF[2,"a","Heartbeat",{}]', [2, 'a', false]],
  ['NUL characters at the end', '[2,"a","Heartbeat",{}]\0\0', [2, 'a', false]],
  ['a call with an empty value', '[2,"a","MeterValues",{"transactionId":,"meterValue":[]}]', ['bad', 'a', false]],
  ['a call that breaks off', '[2, "a", "MeterValues", {"connectorId":1,', ['bad', 'a', false]],
  ['a call that breaks off after its id', '[2,"a"', ['bad', 'a', false]],
  ['a call that breaks off in its id', '[2,"a', ['bad', null, true]],
  ['two calls in one frame', '[2,"a","Heartbeat",{}][2,"b","Heartbeat",{}]', ['bad', 'a', false]],
  ['a call with its type as text', '["2","a","Heartbeat",{}]', ['bad', 'a', false]],
  ['a call with a numeric id that breaks off', '[2,17,"Heartbeat",{', ['bad', 17, false]],
  ['a call beyond the limits of JSON', `[2,"a","Heartbeat",${'['.repeat(40)}`, ['bad', 'a', false]],
  ['a response that breaks off', '[3,"a",{"configurationKey":[]', [3, 'a', true]],
  ['a response without a payload', '[3,"a"]', [3, 'a', true]],
  ['an error that breaks off', '[4,"a","InternalErr', [3, 'a', true]],
  ['a response with its type as text', '["3","a",{}]', [3, 'a', true]],
  ['a message of an unknown type', '[7,"a","Heartbeat",{', ['bad', null, true]],
  ['an id with an escape', '[2,"a\\u0000","Heartbeat",{', ['bad', null, true]],
  ['an id that is too long', `[2,"${'x'.repeat(300)}","Heartbeat",{`, ['bad', null, true]],
  ['text', 'hello', ['bad', null, true]],
])('%s', (_, text, expected) => {
  expect(summary(readFrame(text))).toEqual(expected);
});
