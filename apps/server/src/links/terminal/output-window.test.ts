import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputWindow } from './output-window.ts';

test('what is not acknowledged can be read from any position in it', () => {
  const step = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: -5, max: 400 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const window = outputWindow();
      let all = Buffer.alloc(0);
      let start = 0;
      for (const one of steps) {
        if (typeof one === 'number') {
          const forgotten = one > start && one <= all.length ? one - start : 0;
          expect(window.acknowledge(one)).toBe(forgotten);
          start += forgotten;
        } else {
          window.add(Buffer.from(one));
          all = Buffer.concat([all, one]);
        }
        for (const position of [start, Math.floor((start + all.length) / 2), all.length]) {
          expect(Buffer.concat(window.from(position) ?? [])).toEqual(all.subarray(position));
        }
        expect(window.from(start - 1)).toBeNull();
        expect(window.from(all.length + 1)).toBeNull();
        expect(window.size()).toBe(all.length - start);
      }
    }),
  );
});
