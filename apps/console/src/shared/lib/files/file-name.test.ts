import { expect, it } from 'vitest';
import { fileNameOf } from './file-name.ts';

it.each([
  [null, null],
  ['attachment', null],
  ['attachment; filename="devices.xlsx"', 'devices.xlsx'],
  ['attachment; filename=devices.xlsx', 'devices.xlsx'],
  ['attachment; filename="devices.xlsx"; filename*=UTF-8\'\'%E8%AE%BE%E5%A4%87.xlsx', '设备.xlsx'],
])('Content-Disposition %j names %j', (header, name) => expect(fileNameOf(header)).toBe(name));
