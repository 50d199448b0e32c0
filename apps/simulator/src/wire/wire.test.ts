import { describe, expect, test } from 'vitest';
import { callText, errorText, readFrame, resultText } from './wire.ts';

describe('readFrame', () => {
  test.each([
    ['[2,"a","Reset",{"type":"Soft"}]', { kind: 'call', id: 'a', action: 'Reset', payload: { type: 'Soft' } }],
    ['[3,"a",{}]', { kind: 'result', id: 'a', payload: {} }],
    ['[4,"a","GenericError","no",{}]', { kind: 'error', id: 'a', code: 'GenericError', description: 'no' }],
    ['[4,"a","GenericError"]', { kind: 'error', id: 'a', code: 'GenericError', description: '' }],
    ['[2,"a","Reset"]', { kind: 'malformed', id: 'a' }],
    ['[2,"a",7,{}]', { kind: 'malformed', id: 'a' }],
    ['[2,"a","Reset",{},{}]', { kind: 'malformed', id: 'a' }],
    ['[9,"a",{}]', { kind: 'ignored' }],
    ['[2,5,"Reset",{}]', { kind: 'ignored' }],
    ['[]', { kind: 'ignored' }],
    ['{}', { kind: 'ignored' }],
    ['null', { kind: 'ignored' }],
    ['[2,"a","Re', { kind: 'ignored' }],
    ['', { kind: 'ignored' }],
  ])('parses %s', (text, frame) => {
    expect(readFrame(text)).toMatchObject(frame);
  });

  test.each([
    [callText('1', 'Heartbeat', {}), { kind: 'call', id: '1', action: 'Heartbeat', payload: {} }],
    [resultText('1', { a: 1 }), { kind: 'result', id: '1', payload: { a: 1 } }],
    [errorText('1', 'NotImplemented', 'x'), { kind: 'error', id: '1', code: 'NotImplemented', description: 'x' }],
  ])('parses %s again', (text, frame) => {
    expect(readFrame(text)).toEqual(frame);
  });
});
