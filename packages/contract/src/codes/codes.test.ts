import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { APPLICATION_CODES } from '../applications/application-codes.ts';
import { CODES } from '../codes.ts';
import { ERROR_LOG_CODES } from '../errors/codes.ts';
import { ISSUE_CODES } from '../issues/codes.ts';
import { LINK_CODES } from '../links/codes.ts';
import { MESSAGE_CODES } from '../messages/message-codes.ts';
import { RANGE_FAULTS } from '../models/range-faults.ts';
import { BRANDING_CODES, SYSTEM_CODES, SYSTEM_PARAMETER_CODES } from '../system/codes.ts';
import { DICTIONARY_CODES } from '../system/dictionary-codes.ts';
import { TOKEN_CODES } from '../tokens/token-codes.ts';

const isRoom = (file: string) => !file.endsWith('.test');

test('every error has its own number; session errors share one number per cause', () => {
  const numbers = Object.values(CODES).flatMap(({ code }) => (code < 20_000 ? [code] : []));
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
});

test('the codes of every area are included, and no name is used twice', async () => {
  const rooms = readdirSync(new URL('.', import.meta.url)).map((file) => basename(file, '.ts'));
  const modules = await Promise.all(rooms.filter(isRoom).map((room) => import(`./${room}.ts`)));
  const names = modules.flatMap((module) => Object.values<object>(module)).flatMap((codes) => Object.keys(codes));
  const others = [
    RANGE_FAULTS,
    ISSUE_CODES,
    MESSAGE_CODES,
    LINK_CODES,
    ERROR_LOG_CODES,
    APPLICATION_CODES,
    SYSTEM_CODES,
    SYSTEM_PARAMETER_CODES,
    BRANDING_CODES,
    DICTIONARY_CODES,
    TOKEN_CODES,
  ].flatMap((codes) => Object.keys(codes));
  expect([...names, ...others].sort()).toEqual(Object.keys(CODES).sort());
});
