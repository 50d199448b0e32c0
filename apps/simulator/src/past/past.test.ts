import { describe, expect, test } from 'vitest';
import { drawPast, drawStoragePast, type Interruption, type StationPast } from './index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2026, 2, 2);
const TO = FROM + 14 * DAY;
const ZONE = 8 * HOUR;

const dark: Interruption = { kind: 'power', from: FROM + 3 * DAY, to: FROM + 3 * DAY + 9 * HOUR };
const pastOf = (sn: string, planned: readonly Interruption[] = []): StationPast =>
  drawPast({
    ...{ sn, seed: 7, protocol: '1.6', placeType: 'highway', zoneOffsetMs: ZONE, sampleMs: 300_000 },
    ...{ from: FROM, to: TO, planned },
  });
const SNS = Array.from({ length: 12 }, (_, index) => `SIM${index}`);

describe('drawPast', () => {
  test('gives the same past for the same plan, and another one for another charge point', () => {
    expect(pastOf('SIM1')).toEqual(pastOf('SIM1'));
    expect(pastOf('SIM1').sessions[0]).not.toEqual(pastOf('SIM2').sessions[0]);
  });

  test.each(SNS)('%s: sessions of a connector follow one another, and their registers only grow', (sn) => {
    const { sessions, registersWh } = pastOf(sn);
    for (const [index, last] of registersWh.entries()) {
      const own = sessions.filter(({ connector }) => connector === index + 1);
      expect(own.length).toBeGreaterThan(3);
      for (const [number, session] of own.entries()) {
        const next = own[number + 1];
        expect(session.startedAt).toBeGreaterThanOrEqual(session.pluggedAt - 1_000);
        expect(session.samples.at(-1)).toMatchObject({ at: session.stoppedAt, registerWh: session.meterStop });
        expect(session.meterStop).toBeGreaterThanOrEqual(session.meterStart);
        expect(session.unpluggedAt).toBeLessThan(next?.pluggedAt ?? TO);
        expect(next?.meterStart ?? last).toBe(session.meterStop);
      }
    }
  });

  test.each(SNS)('%s: nobody charges at a faulted connector or without power', (sn) => {
    const { sessions, faults } = pastOf(sn, [dark]);
    const serious = faults.filter(({ fault }) => !fault.warning);
    for (const { connector, startedAt, stoppedAt } of sessions) {
      const blocked = [dark, ...serious.filter((one) => one.connector === 0 || one.connector === connector)];
      expect(blocked.filter(({ from, to }) => from < stoppedAt - 1_000 && startedAt < to)).toEqual([]);
    }
  });

  test('everything has ended when the past ends', () => {
    for (const { sessions, faults, interruptions } of SNS.map((sn) => pastOf(sn))) {
      const ends = [
        ...sessions.map(({ unpluggedAt }) => unpluggedAt),
        ...[...faults, ...interruptions].map(({ to }) => to),
      ];
      expect(Math.max(...ends)).toBeLessThan(TO);
    }
  });
});

test('a storage unit charges by day, and its counters only grow', () => {
  const { states, last } = drawStoragePast({
    ...{ sn: 'ESS1', seed: 7, from: FROM, to: TO, zoneOffsetMs: ZONE, sampleMs: 900_000, planned: [] },
  });
  const localHour = (at: number) => Math.floor(((at + ZONE) / HOUR) % 24);
  const powerAt = (hour: number) =>
    states.filter(({ at }) => localHour(at) === hour).reduce((sum, { state }) => sum + state.pv, 0);
  expect(powerAt(12)).toBeGreaterThan(5 * powerAt(6));
  expect(powerAt(0)).toBe(0);
  expect(Math.max(...states.slice(200).map(({ state }) => state.soc))).toBeLessThan(96);
  for (const [index, { state }] of states.entries()) {
    expect(state.charged).toBeLessThanOrEqual(states[index + 1]?.state.charged ?? last.charged);
  }
});
