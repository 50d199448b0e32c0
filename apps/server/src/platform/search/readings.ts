import { isSyllable } from '@chargehand/domain';
import { pinyin } from 'pinyin-pro';

/** Readings of a character that are indexed, the most frequent first. Further ones are mostly found in names and verse. */
const COMMON = 3;

const known = new Map<string, readonly string[]>();

/** The common readings of a Han character in pinyin, without tones, `ü` as `v`. */
export function readingsOf(character: string): readonly string[] {
  let readings = known.get(character);
  if (!readings) {
    const all = pinyin(character, { multiple: true, type: 'array', toneType: 'none', v: true });
    readings = [...new Set(all.filter(isSyllable))].slice(0, COMMON);
    known.set(character, readings);
  }
  return readings;
}
