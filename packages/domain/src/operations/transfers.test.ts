import { expect, test } from 'vitest';
import { EXECUTION_REASONS } from './executions.ts';
import {
  DEVICE_LOG_LIMIT,
  FILE_REFUSALS,
  firmwareFileFault,
  firmwareIsFetched,
  isSameVersion,
  plainFileName,
  TRANSFER_STATES,
  TRANSFER_TIMEOUT_MS,
  transferIsOver,
  transferOf,
  transferResult,
} from './transfers.ts';

test('the reason of a rejected file is the reason with which an execution ends', () => {
  expect(EXECUTION_REASONS).toEqual(expect.arrayContaining([...FILE_REFUSALS]));
});

test.each([
  ['2.0', '2.0', true],
  ['v2.0', ' 2.0 ', true],
  ['V2.0', '2.0', true],
  ['vega', 'ega', false],
  ['2.0-v1', '2.0-1', false],
  ['2.0', '2.0.0', false],
  ['', '', false],
])('%j and %j are the same version: %s', (one, other, expected) => {
  expect(isSameVersion(one, other)).toBe(expected);
});

test.each([
  ['firmware 2.0 (final).bin', 'firmware_2.0_final_.bin'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['.hidden', 'hidden'],
  ['固件.bin', 'bin'],
  ['固件', 'file.bin'],
  ['a\r\nb.bin', 'a_b.bin'],
  [`${'x'.repeat(200)}.tar`, `${'x'.repeat(76)}.tar`],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), 'x'.repeat(80)],
  [`${'x'.repeat(76)}.tar`, `${'x'.repeat(76)}.tar`],
  [`${'x'.repeat(90)}.${'e'.repeat(10)}`, `${'x'.repeat(69)}.${'e'.repeat(10)}`],
  [`${'x'.repeat(90)}.${'e'.repeat(11)}`, 'x'.repeat(80)],
])('the safe file name for %j is %s', (name, expected) => {
  expect(plainFileName(name, 'file.bin')).toBe(expected);
});

test.each([
  [{ name: 'a.bin', size: 1 }, null],
  [{ name: 'a', size: 1 }, 'nameless'],
  [{ name: 'a.bin', size: 0 }, 'empty'],
  [{ name: 'a.bin', size: 209_715_200 }, null],
  [{ name: 'a.bin', size: 209_715_201 }, 'tooLarge'],
])('a firmware file %j: %s', (file, expected) => {
  expect(firmwareFileFault(file)).toBe(expected);
});

test('a transfer has a result exactly when it has ended', () => {
  for (const state of TRANSFER_STATES) expect(transferResult({ state }) !== 'underWay').toBe(transferIsOver({ state }));
  expect([transferResult({ state: 'verified' }), transferResult({ state: 'stored' })]).toEqual(['done', 'done']);
  expect([transferResult({ state: 'failed' }), transferResult({ state: 'timedOut' })]).toEqual(['failed', 'timedOut']);
});

test.each([
  ['upgradeSoftware', 'software'],
  ['updatePlcFirmware', 'plc'],
  ['uploadLog', 'log'],
  ['softReset', null],
] as const)('%s transfers %s', (command, kind) => {
  expect(transferOf(command)).toBe(kind);
});

test.each([
  ['requested', false],
  ['downloading', false],
  ['downloaded', true],
  ['installing', true],
  ['installed', true],
  ['failed', true],
] as const)('for firmware that is %s, the device has the file: %s', (state, fetched) => {
  expect(firmwareIsFetched(state)).toBe(fetched);
});

test('a firmware may take a day, a log an hour and 100 MiB', () => {
  expect(TRANSFER_TIMEOUT_MS).toEqual({ software: 86_400_000, plc: 86_400_000, log: 3_600_000 });
  expect(DEVICE_LOG_LIMIT).toBe(104_857_600);
});
