import { COMMAND_TEXTS, LEVEL_TEXTS } from '@chargehand/contract';
import { expect, it } from 'vitest';
import commonEn from '../../locales/en-US/common.json';
import operationsEn from '../../locales/en-US/operations.json';
import commonZh from '../../locales/zh-CN/common.json';
import operationsZh from '../../locales/zh-CN/operations.json';

const texts = <K extends string>(all: Readonly<Record<K, { en: string; zh: string }>>, locale: 'en' | 'zh') =>
  Object.fromEntries(Object.entries<{ en: string; zh: string }>(all).map(([key, text]) => [key, text[locale]]));
const named = (kinds: Readonly<Record<string, object>>) =>
  Object.fromEntries(Object.entries(kinds).flatMap(([kind, text]) => ('do' in text ? [[kind, text.do]] : [])));

it('exported files name levels and commands as the console does', () => {
  expect(texts(LEVEL_TEXTS, 'en')).toEqual(commonEn.level);
  expect(texts(LEVEL_TEXTS, 'zh')).toEqual(commonZh.level);
  expect(texts(COMMAND_TEXTS, 'en')).toEqual(named(operationsEn.kinds));
  expect(texts(COMMAND_TEXTS, 'zh')).toEqual(named(operationsZh.kinds));
});
