import { describe, expect, test } from 'vitest';
import { checkShape, isAction, REQUEST_SHAPES } from './shapes.ts';
import { CallError } from './wire.ts';

function problem(action: keyof typeof REQUEST_SHAPES, payload: unknown): string {
  try {
    checkShape(REQUEST_SHAPES[action], payload);
    return 'good';
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}

describe('checkShape', () => {
  test.each([
    ['Reset', { type: 'Soft' }, 'good'],
    ['Reset', { type: 'Gentle' }, 'PropertyConstraintViolation'],
    ['Reset', { type: 1 }, 'TypeConstraintViolation'],
    ['Reset', {}, 'OccurenceConstraintViolation'],
    ['Reset', { type: 'Soft', when: 'now' }, 'FormationViolation'],
    ['Reset', [], 'FormationViolation'],
    ['Reset', null, 'FormationViolation'],
    ['Reset', 'Soft', 'FormationViolation'],
    ['ClearCache', {}, 'good'],
    ['ClearCache', undefined, 'FormationViolation'],
    ['ChangeAvailability', { connectorId: 1.5, type: 'Operative' }, 'TypeConstraintViolation'],
    ['ChangeConfiguration', { key: 'x'.repeat(51), value: '' }, 'PropertyConstraintViolation'],
    ['GetConfiguration', { key: 'HeartbeatInterval' }, 'TypeConstraintViolation'],
    ['SetChargingProfile', { connectorId: 1, csChargingProfiles: [] }, 'TypeConstraintViolation'],
    ['SignedUpdateFirmware', { requestId: 1, firmware: {} }, 'good'],
    ['SignedUpdateFirmware', { requestId: 1 }, 'OccurenceConstraintViolation'],
    ['SignedUpdateFirmware', { requestId: 'a', firmware: {} }, 'TypeConstraintViolation'],
    ['UpdateFirmware', { location: 'ftp://h/f', retrieveDate: 'soon' }, 'PropertyConstraintViolation'],
    ['UpdateFirmware', { location: 'ftp://h/f', retrieveDate: '2026-01-01T00:00:00Z' }, 'good'],
  ] as const)('%s %j is %s', (action, payload, expected) => {
    expect(problem(action, payload)).toBe(expected);
  });

  test.each([
    ['Reset', true],
    ['MakeCoffee', false],
    ['toString', false],
    ['__proto__', false],
  ])('knows whether %s is an action', (action, known) => {
    expect(isAction(action)).toBe(known);
  });
});
