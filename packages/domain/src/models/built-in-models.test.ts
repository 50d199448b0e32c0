import { expect, test } from 'vitest';
import { modelNames, modelsWithChinese, storedModelName } from './built-in-models.ts';

test.each([
  ['a built-in model', 'Home storage unit', '家用储能设备'],
  ['a model that a user named', 'Quick 60', 'Quick 60'],
  ['the name of an object property', 'constructor', 'constructor'],
])('%s', (_, name, zh) => {
  expect(modelNames(name)).toEqual({ en: name, zh });
  expect(storedModelName(zh)).toBe(name);
});

test('built-in models are found by a part of their Chinese name', () => {
  expect(modelsWithChinese('储能')).toEqual(['Home storage unit']);
  expect(modelsWithChinese('v2g 充')).toEqual(['V2G pile']);
  expect(modelsWithChinese('')).toEqual([]);
});
