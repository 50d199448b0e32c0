import { CHANGE_TOPICS, ENDPOINTS } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { gather, isTouched, TOPIC_READS } from './changes.ts';

describe('what a change asks again', () => {
  const touched = gather(new Map(), { changes: [{ deviceId: 7, topics: ['state', 'frames'] }] });

  it.each([
    ['the list, which shows every device', ['listDevices', { query: { page: 1 } }], true],
    ['the page of the device', ['readDevice', { params: { id: 7 } }], true],
    ['its frames', ['listFrames', { params: { id: 7 }, query: {} }], true],
    ['not the page of another device', ['readDevice', { params: { id: 8 } }], false],
    ['not what is of another topic', ['listAlarms', { query: { deviceId: 7 } }], false],
    ['not what is no read of the contract', ['something'], false],
  ])('%s', (_title, key, expected) => expect(isTouched(touched, key)).toBe(expected));

  it('gathers several messages', () => {
    const both = gather(touched, { changes: [{ deviceId: 8, topics: ['alarms'] }] });
    expect(isTouched(both, ['listAlarms', { query: { deviceId: 8 } }])).toBe(true);
    expect(isTouched(both, ['listAlarms', { query: { deviceId: 7 } }])).toBe(false);
    expect(isTouched(both, ['readAlarm', { params: { id: 12_345 } }])).toBe(true);
    expect(isTouched(both, ['readDevice', { params: { id: 7 } }])).toBe(true);
  });

  it('has reads for every topic, and only reads of the contract', () => {
    for (const topic of CHANGE_TOPICS) expect(TOPIC_READS[topic].length).toBeGreaterThan(0);
    expect(
      Object.values(TOPIC_READS)
        .flat()
        .filter((name) => !(name in ENDPOINTS)),
    ).toEqual([]);
  });
});
