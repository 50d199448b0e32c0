import { expect, test } from 'vitest';
import { readRow } from './import-rows.ts';

test.each(['sn', 'name', 'site', 'customer', 'model', 'gatewayPassword'])(
  'a text of %s that is too long is refused for its length, before its characters are looked at',
  (field) => {
    const { problems } = readRow({ row: 2, values: { [field]: `${'x'.repeat(200_000)}\u0000` } });
    expect(problems.filter(({ code }) => code === 'fieldCharacters')).toEqual([]);
    expect(problems.map(({ code }) => code)).toContain('fieldTooLong');
  },
);
