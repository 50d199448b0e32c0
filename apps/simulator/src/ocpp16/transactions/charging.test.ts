import { describe, expect, test } from 'vitest';
import { advanceCharge, beginCharge, type Car, type Outlet, powerAt, readingsOf } from './charging.ts';

const fast: Outlet = { kind: 'dc', phases: 3, maxPowerW: 120_000 };
const slow: Outlet = { kind: 'ac', phases: 3, maxPowerW: 22_080 };
const car: Car = { capacityWh: 60_000, startSoc: 20, targetSoc: 90, maxPowerW: 100_000 };

describe('powerAt', () => {
  test.each([
    ['the vehicle is the limit at medium charge', fast, 40, 100_000],
    ['the outlet is the limit of a slow post', slow, 40, 22_080],
    ['the power tapers at 80 %', fast, 80, 42_000],
    ['no power at the target', fast, 90, 0],
    ['no power above it', slow, 97, 0],
  ])('%s', (_, outlet, soc, watts) => {
    expect(powerAt(outlet, car, soc)).toBeCloseTo(watts, 6);
  });

  test('never rises again after the taper has started', () => {
    const powers = Array.from({ length: 39 }, (_, index) => powerAt(fast, { ...car, targetSoc: 100 }, 52 + index));
    expect(powers).toEqual([...powers].sort((a, b) => b - a));
  });
});

describe('advanceCharge', () => {
  test('charges up to the target and is then full', () => {
    const end = advanceCharge(fast, car, beginCharge(car), 4 * 3600);
    expect(end).toMatchObject({ soc: 90, full: true, powerW: 0 });
    expect(end.energyWh).toBeCloseTo(42_000, 3);
  });

  test('adds as many Wh per hour as the constant power in W', () => {
    const big: Car = { capacityWh: 200_000, startSoc: 10, targetSoc: 100, maxPowerW: 11_000 };
    expect(advanceCharge(slow, big, beginCharge(big), 3600).energyWh).toBeCloseTo(11_000, 3);
  });

  test('has the same result in many steps as in one', () => {
    let steps = beginCharge(car);
    for (let i = 0; i < 60; i++) steps = advanceCharge(fast, car, steps, 30);
    expect(steps.energyWh).toBeCloseTo(advanceCharge(fast, car, beginCharge(car), 1800).energyWh, 6);
  });

  test('warms up the outlet, and lets it cool when the vehicle is full', () => {
    const warm = advanceCharge(fast, car, beginCharge(car), 900);
    const later = advanceCharge(fast, car, warm, 4 * 3600);
    expect(warm.temperatureC).toBeGreaterThan(35);
    expect(later.temperatureC).toBeLessThan(26);
  });

  test('changes nothing in zero seconds', () => {
    const state = advanceCharge(fast, car, beginCharge(car), 600);
    expect(advanceCharge(fast, car, state, 0)).toEqual(state);
  });
});

describe('readingsOf', () => {
  test.each([
    ['three phases', slow, 3],
    ['one phase', { ...slow, phases: 1 as const, maxPowerW: 7_360 }, 1],
    ['direct current', fast, 1],
  ])('voltage times current is the power: %s', (_, outlet, lines) => {
    const { voltageV, currentA, powerW } = readingsOf(outlet, advanceCharge(outlet, car, beginCharge(car), 300));
    expect(voltageV).toHaveLength(lines);
    const product = voltageV.reduce((sum, voltage, line) => sum + voltage * currentA[line]!, 0);
    expect(product).toBeCloseTo(powerW, 3);
  });

  test('the mains voltage stays within 1 % of 230 V', () => {
    for (let seconds = 0; seconds < 20_000; seconds += 97) {
      const { voltageV } = readingsOf(slow, { ...beginCharge(car), seconds });
      for (const voltage of voltageV) expect(Math.abs(voltage - 230)).toBeLessThan(2.3);
    }
  });
});
