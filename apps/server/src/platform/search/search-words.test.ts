import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each<[string, string]>([
  ['Depot 7', ''],
  ['', ''],
  ['深圳', 'shenzhen sz 圳 z'],
  ['重庆北站', 'chongqingbeizhan cqbz 庆北 北站 站 qb bz z'],
  ['绿地', 'lvdi ld 地 d'],
  ['深圳湾1号', 'shenzhenwan1hao szw1h 圳湾 湾1 1号 号 zw w1 1h h'],
  ['DC-01 深圳', 'shenzhen sz 圳 z dc-01shenzhen dc-01sz'],
  ['深圳 南山', 'shenzhen sz 圳 z nanshan ns 山 s shenzhennanshan szns'],
  ['ＤＣ０１', 'dc01'],
])('%s is also found by: %s', (name, words) => {
  expect(searchWords(name)).toBe(words);
});
