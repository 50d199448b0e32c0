import type { ProtocolFrameRow } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { decode, isCallError, joinFrames, pairFrames, prettyBody, withoutResponses } from './frames.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');

function frame(id: number, type: number, body: string | null, more: Partial<ProtocolFrameRow> = {}): ProtocolFrameRow {
  const [, messageId = null] = /^\[\d,"([^"]*)"/.exec(body ?? '') ?? [];
  const at = new Date(T0 + id * 100).toISOString();
  return { id, at, type, action: null, messageId, body, bytes: body?.length ?? 0, note: null, ...more };
}

describe('an OCPP-J message', () => {
  it.each([
    ['[2,"a","Heartbeat",{}]', { kind: 'call', action: 'Heartbeat', payload: {} }],
    ['[3,"a",{"status":"Accepted"}]', { kind: 'result', action: null, payload: { status: 'Accepted' } }],
    [
      '[4,"a","FormationViolation","why",{}]',
      {
        kind: 'error',
        action: null,
        payload: { errorCode: 'FormationViolation', errorDescription: 'why', errorDetails: {} },
      },
    ],
    ['[9,"a"]', null],
    ['{"a":1}', null],
    ['[2,"a",', null],
    ['', null],
  ])('%s', (body, expected) => {
    expect(decode(body)).toEqual(expected);
  });

  it('is formatted when it is JSON, and unchanged otherwise', () => {
    expect(prettyBody('[2,"a"]')).toBe('[\n  2,\n  "a"\n]');
    expect(prettyBody('[2,')).toBe('[2,');
  });

  it('is an error only if it is a CALLERROR', () => {
    expect([isCallError(frame(1, 2, '[4,"a","x","",{}]')), isCallError(frame(1, 2, '[3,"a",{}]'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('pairing requests with responses', () => {
  it('pairs a request and its response by message id, with the duration and the action', () => {
    const pairs = pairFrames([
      frame(3, 3, '[3,"a",{}]'),
      frame(2, 2, '[2,"b","StatusNotification",{}]', { action: 'StatusNotification' }),
      frame(1, 2, '[2,"a","Heartbeat",{}]', { action: 'Heartbeat' }),
    ]);
    expect(pairs.get(1)).toEqual({ otherId: 3, action: 'Heartbeat', ms: null });
    expect(pairs.get(3)).toEqual({ otherId: 1, action: 'Heartbeat', ms: null });
    expect(pairs.has(2)).toBe(false);
  });

  it('returns the response time of the device', () => {
    const pairs = pairFrames([frame(3, 2, '[3,"a",{}]'), frame(1, 3, '[2,"a","Reset",{}]', { action: 'Reset' })]);
    expect(pairs.get(3)).toEqual({ otherId: 1, action: 'Reset', ms: 200 });
  });

  it('separates the two directions when both sides use the same id', () => {
    const pairs = pairFrames([
      frame(4, 2, '[3,"1",{}]'),
      frame(3, 3, '[3,"1",{}]'),
      frame(2, 3, '[2,"1","Reset",{}]', { action: 'Reset' }),
      frame(1, 2, '[2,"1","Heartbeat",{}]', { action: 'Heartbeat' }),
    ]);
    expect(pairs.get(3)?.otherId).toBe(1);
    expect(pairs.get(4)?.otherId).toBe(2);
  });

  it('pairs a response with the nearest request when an id is used again', () => {
    const pairs = pairFrames([
      frame(4, 3, '[3,"a",{}]'),
      frame(3, 2, '[2,"a","Heartbeat",{}]'),
      frame(2, 3, '[3,"a",{}]'),
      frame(1, 2, '[2,"a","Heartbeat",{}]'),
    ]);
    expect([pairs.get(4)?.otherId, pairs.get(2)?.otherId]).toEqual([3, 1]);
  });

  it('pairs messages over MQTT, which have a message id and no kind, and only those of the same device', () => {
    const of = (deviceId: number, id: number, type: number) => ({
      ...frame(id, type, '{"a":1}', { messageId: 'm' }),
      ...{ deviceId, sn: `SN-${deviceId}`, deviceName: '' },
    });
    const frames = [of(7, 4, 2), of(8, 3, 2), of(7, 2, 3), of(8, 1, 2)];
    const pairs = pairFrames(frames);
    expect(pairs.get(4)).toEqual({ otherId: 2, action: null, ms: 200 });
    expect([pairs.has(3), pairs.has(1)]).toEqual([false, false]);
    expect(withoutResponses(frames, pairs).map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('does not pair responses without a request, or frames that are not messages', () => {
    expect(pairFrames([frame(2, 2, '[3,"x",{}]'), frame(1, 0, null), frame(3, 2, 'rubbish')]).size).toBe(0);
  });
});

describe('merging parts of the log', () => {
  it('contains every frame once, newest first, up to the limit', () => {
    const one = [frame(3, 2, null), frame(2, 2, null)];
    const other = [frame(4, 2, null), frame(3, 2, null), frame(1, 2, null)];
    expect(joinFrames(one, other).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    expect(joinFrames(one, other, 2).map(({ id }) => id)).toEqual([4, 3]);
  });
});
