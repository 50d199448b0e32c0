import { expect, test } from 'vitest';
import type { UploadTotal } from './upload-item.ts';
import { uploadTabs } from './upload-tabs.ts';

const total = (open: number): UploadTotal => ({
  ...{ sent: 1, size: 4 * open, counts: open > 0 ? { sending: open } : {}, done: 0, failed: 0, open },
});

test('each tab knows the uploads of the others, and continues those of a tab that closes', async () => {
  let [first, closed] = [total(2), 0];
  const one = uploadTabs(
    1,
    () => first,
    () => undefined,
  );
  const other = uploadTabs(
    1,
    () => total(0),
    () => {
      closed += 1;
    },
  );
  const stranger = uploadTabs(
    2,
    () => total(9),
    () => undefined,
  );
  await expect.poll(() => other.others.get()?.open).toBe(2);
  first = { ...total(3), counts: { sending: 1, interrupted: 2 } };
  one.publish();
  await expect.poll(() => other.others.get()?.counts).toEqual({ sending: 1, interrupted: 2 });
  expect(one.others.get()?.open).toBe(0);
  one.close();
  await expect.poll(() => other.others.get()).toBe(null);
  expect([closed, stranger.others.get()]).toEqual([1, null]);
  other.close();
  stranger.close();
});
