import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { deviceDetail } from '../../testing/devices.ts';
import { sees } from '../../testing/on-screen.ts';
import { listed, sample } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';

/** More than the number of tab stops on these pages. */
const STOPS = 80;

/** Tab stops without a focus ring, in the order of a keyboard user. */
async function withoutRing(): Promise<string[]> {
  const lost = new Set<string>();
  const seen = new Set<Element>();
  for (let stop = 0; stop < STOPS; stop += 1) {
    await userEvent.tab();
    const element = document.activeElement;
    if (!element || element === document.body || seen.has(element)) continue;
    seen.add(element);
    // Fields show the focus with their border, checkboxes with the box next to the hidden input.
    if (element.matches('input, textarea')) continue;
    const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(element);
    const ring = `${outlineWidth} ${outlineStyle} ${outlineColor}`;
    if (!/^2px solid rgb\(/.test(ring)) lost.add(`${ring}: ${element.outerHTML.slice(0, 100)}`);
  }
  expect(seen.size).toBeGreaterThan(10);
  return [...lost];
}

const rows = [{ id: 7, sn: 'PILE-7', name: 'Pile 7', status: 'idle' as const, siteName: 'North quay', enabled: true }];

const user = sample('readUser', {
  userName: 'mandy_ho',
  may: { ...sample('readUser').may, edit: true, assign: true },
});

describe('the focus ring', () => {
  test('is shown on every link, heading and button of a list', async () => {
    await showConsole('/manage/device/list', { answers: { listDevices: listed('listDevices', () => rows) } });
    await sees('Pile 7');
    expect(await withoutRing()).toEqual([]);
  });

  test('is shown on every tab and button of a device', async () => {
    await showConsole('/manage/device/detail/7', { answers: { readDevice: deviceDetail() } });
    await sees(page.getByRole('tab').first());
    expect(await withoutRing()).toEqual([]);
  });
});

describe('a button that links to a page', () => {
  test.each(['/manage/device/list', '/manage/site/list', '/manage/user/list', '/manage/user/detail/1'])(
    'is a single element on %s',
    async (path) => {
      const { settled } = await showConsole(path, { answers: { readUser: user } });
      await sees(page.getByRole('heading', { level: 1 }));
      await settled();
      const nested = document.querySelectorAll('a button, button a, a [role=button]');
      expect([...nested].map((one) => one.outerHTML.slice(0, 100))).toEqual([]);
    },
  );
});
