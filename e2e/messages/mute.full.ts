import { LOCALES } from '@chargehand/contract';
import { beforeAll, expect } from 'vitest';
import type { SiteName } from '../../apps/server/src/testing/world.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const SITES = ['northQuay', 'northMill'] as const satisfies SiteName[];
const piles: Piles[] = [];
/** Different causes for each language, so that their faults are different incidents. */
const CAUSES = [
  ['GroundFailure', 'HighTemperature', 'UnderVoltage'],
  ['OverCurrentFailure', 'PowerMeterFailure', 'OverVoltage'],
] as const;

beforeAll(async () => {
  for (const [index, site] of SITES.entries()) {
    piles.push(await connectPiles(chargehand, { prefix: `MUTE${index}-`, devices: LOCALES.length, site }));
  }
});

journey(
  chargehand,
  'a device is muted from its page, its next alarm sends no message, and the dialog says why not',
  { as: 'northAdmin', locales: LOCALES, size: { width: 390, height: 844 } },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const index = LOCALES.indexOf(locale);
    const muted = piles[index]!.devices[index]!;
    const other = piles[1 - index]!.devices[index]!;
    const [mutedCause, otherCause, laterCause] = CAUSES[index]!;
    const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const dialog = page.getByRole('dialog').filter({ hasText: t('messages:mute.doOf', { name: muted.name }) });
    const row = (name: string) => page.getByRole('main').getByRole('row').filter({ hasText: name });

    await page.goto(`/manage/device/detail/${muted.id}?tab=details&section=alarms`);
    await visitor.sees(visitor.heading(muted.name), t('common:live.on'));
    await visitor.button(t('messages:mute.do')).click();
    await visitor.sees(dialog.getByText(t('messages:why.notified'), { exact: true }));
    await fits();
    await dialog.getByRole('button', { name: t('messages:mute.hours_other', { count: 8 }), exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const ofMute = page.getByRole('button', { name: new RegExp(t('messages:mute.until', { time: '.+' })) });
    await visitor.sees(ofMute);
    await fits();

    // The alarm is shown; only the message is missing. One of another device, raised later, arrives.
    muted.pile.fault(1, mutedCause);
    await visitor.sees(page.getByRole('main').getByText(mutedCause).first());
    other.pile.fault(1, otherCause);
    await page.goto('/manage/message/list');
    await visitor.sees(row(other.name));
    expect(await row(muted.name).count()).toBe(0);

    await page.goto(`/manage/device/detail/${muted.id}`);
    await ofMute.click();
    await visitor.sees(dialog.getByText(t('messages:refusals.muted')));
    await fits();
    await dialog.getByRole('button', { name: t('messages:mute.endNow'), exact: true }).click();
    await visitor.sees(visitor.button(t('messages:mute.do')));
    muted.pile.fault(2, laterCause);
    await page.goto('/manage/message/list');
    await visitor.sees(row(muted.name).getByText(t('messages:ongoing'), { exact: true }));
    await visitor.sees(row(muted.name).getByText(new RegExp(laterCause)).first());
  },
);
