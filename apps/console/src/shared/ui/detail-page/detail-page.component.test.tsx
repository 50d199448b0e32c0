import { messageOf } from '@chargehand/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure, Refused } from '../../../testing/stub-server.ts';
import type { Answer } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { tabLabels } from '../../hooks/use-tab-label.ts';
import { DetailPage, Headline, TabbedPage } from './detail-page.tsx';

const site = sample('readSite', { id: 4, name: 'North quay' });
const TABS = ['Overview', 'Devices', 'Faults', 'Events', 'Statistics', 'Administrators', 'Receivers', 'Pictures'];

/** A page of tabs; the last but one is not for everybody. */
function SitePage() {
  return (
    <DetailPage read="readSite" input={{ params: { id: 4 } }} nameOf={({ name }) => name}>
      {(row) => (
        <TabbedPage
          headline={
            <Headline
              title={row.name}
              status="faulted"
              marks={<span>3 alarms</span>}
              actions={<button type="button">Edit</button>}
            >
              <p>Quay 7</p>
            </Headline>
          }
          tabs={TABS.map(
            (name) =>
              name !== 'Receivers' && { key: name.toLowerCase(), label: name, children: <p>{`All ${name}`}</p> },
          )}
        />
      )}
    </DetailPage>
  );
}

const open = (path = '/site', readSite: Answers['readSite'] = site, size?: [number, number]) =>
  show(<SitePage />, { path, answers: { readSite }, ...(size && { size }) });
const tab = (name: string) => page.getByRole('tab', { name, exact: true });

beforeEach(() => {
  tabLabels.set({});
});

describe('a page of one object', () => {
  test('shows that it is loading, then the object, and names its history tab', async () => {
    const answer = Promise.withResolvers<Answer<'readSite'>>();
    const { t } = await open('/site', () => answer.promise);
    await expect.element(page.getByRole('status', { name: t('common:loading') })).toBeInTheDocument();
    expect(tabLabels.get()).toEqual({});
    answer.resolve(site);
    await sees(page.getByRole('heading', { level: 1, name: 'North quay' }), '3 alarms', 'Quay 7', 'All Overview');
    await expect.poll(() => tabLabels.get()).toEqual({ '/site': 'North quay' });
  });

  test('that cannot be fetched says so, and is fetched again on request', async () => {
    let broken = true;
    const { button } = await open('/site', () => {
      if (broken) throw new HttpFailure(500);
      return site;
    });
    await sees(page.getByRole('alert'));
    broken = false;
    await button('common:error.retry').click();
    await sees(page.getByRole('heading', { name: 'North quay' }));
  });

  test('stays while the server cannot be reached, but not when the object is gone', async () => {
    let failure: Error | null = null;
    const { server } = await open('/site', () => {
      if (failure) throw failure;
      return site;
    });
    await sees('All Overview');
    failure = new HttpFailure(503);
    await refresh('readSite');
    expect(server.sent('readSite').length).toBeGreaterThan(1);
    await sees('All Overview');
    failure = new Refused('notFound', { object: 'site' });
    await refresh('readSite');
    await sees(messageOf('notFound', 'en-US', { object: 'site' }));
    await misses(page.getByRole('heading', { name: 'North quay' }));
  });

  test.each([
    ['/site', 'Overview'],
    ['/site?tab=events', 'Events'],
    ['/site?tab=receivers', 'Overview'],
    ['/site?tab=nothing', 'Overview'],
  ])('%s opens the tab %s', async (path, name) => {
    await open(path);
    await sees(`All ${name}`);
    await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true');
    await misses(tab('Receivers'));
  });

  test('writes its open tab to the address, in the history entry of the page', async () => {
    const { path } = await open();
    const before = history.length;
    await tab('Faults').click();
    await sees('All Faults');
    await misses(page.getByText('All Overview'));
    expect(path()).toBe('/site?tab=faults');
    expect(history.length).toBe(before);
  });

  test('has tabs for the arrow keys', async () => {
    await open();
    await sees('All Overview');
    (tab('Overview').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    await sees('All Faults');
    expect(document.activeElement?.textContent).toContain('Faults');
  });

  test('fits a phone, and tabs beyond its edge are in a menu', async () => {
    const { path, button } = await open('/site', site, [390, 844]);
    await sees('All Overview');
    expect(tooWide()).toEqual([]);
    await button('common:moreTabs').click();
    await page.getByRole('option', { name: 'Pictures' }).click();
    await sees('All Pictures');
    expect(path()).toBe('/site?tab=pictures');
    await expect.poll(() => tab('Pictures').element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  });

  test('shows the whole open tab next to the menu', async () => {
    const { button } = await open('/site?tab=statistics', site, [390, 844]);
    await sees('All Statistics');
    const menu = button('common:moreTabs').element();
    await expect
      .poll(() => menu.getBoundingClientRect().left - tab('Statistics').element().getBoundingClientRect().right)
      .toBeGreaterThanOrEqual(0);
  });
});
