import { LOCALES } from '@chargehand/contract';
import { beforeAll, describe } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'LIFE-', devices: LOCALES.length });
});

describe('the life of an issue', () => {
  journey(
    chargehand,
    'is reported from an alarm, discussed with a colleague, closed and reopened',
    { as: 'northAdmin', locales: LOCALES, size: { width: 390, height: 844 } },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { pile, name, sn, id } = piles.devices[LOCALES.indexOf(locale)]!;
      const dialog = page.getByRole('dialog').last();

      await page.goto(`/manage/device/detail/${id}?tab=details&section=alarms`);
      await visitor.sees(visitor.heading(name), t('common:live.on'));
      pile.fault(1, 'GroundFailure');
      const report = t('common:issue.reportOf', { name: `GroundFailure · ${name}` });
      await visitor.follow(visitor.link(report), { path: '/manage/issue/add', heading: t('issue:form.add') });
      const title = page.getByRole('textbox', { name: t('issues:title') });
      await title.fill(`Trips at once ${locale}`);
      const heading = new RegExp(`Trips at once ${locale}`);
      await visitor.button(t('issue:form.report')).click();
      await visitor.isAt(/^\/manage\/issue\/detail\/\d+$/);
      await visitor.main.getByRole('heading', { level: 1, name: heading }).waitFor();
      const issue = new URL(page.url()).pathname;

      await page.goto(`${issue}?tab=evidence`);
      const evidence = page.getByRole('tabpanel');
      await visitor.sees(evidence.getByText(sn, { exact: true }));
      await visitor.sees(evidence.getByRole('table', { name: t('issue:evidence.alarms') }).getByText('GroundFailure'));

      await page.goto(issue);
      await visitor.button(t('issue:comment.open')).click();
      const comment = page.getByRole('textbox', { name: t('issue:comment.new') });
      await comment.pressSequentially('@assigned');
      await page
        .getByRole('listbox', { name: t('editor:mention.label') })
        .getByRole('option', { name: 'north_assigned' })
        .waitFor();
      await comment.press('Enter');
      await comment.pressSequentially(' the breaker is warm');
      await visitor.button(t('issue:comment.send')).click();
      await visitor.sees(visitor.main.getByRole('listitem').filter({ hasText: 'the breaker is warm' }));

      const colleague = await visit(chargehand, locale, { as: 'northAssigned', size: { width: 390, height: 844 } });
      try {
        await colleague.page.goto('/manage/message/list');
        const message = colleague.main.getByText(heading).first();
        await message.waitFor();
        await message.click();
        await colleague.isAt(issue);
        await colleague.sees(colleague.main.getByText('the breaker is warm').first());
      } finally {
        await colleague.context.close();
      }

      await visitor.button(t('issue:action.close')).click();
      const choose = async (label: string, option: string) => {
        await dialog.getByRole('combobox', { name: label }).click();
        await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).click();
      };
      await choose(t('issues:end.cause'), t('issues:cause.hardware'));
      await choose(t('issues:end.remedy'), t('issues:remedy.replaced'));
      await dialog.getByRole('textbox', { name: t('issues:end.remedyText') }).fill('New breaker');
      await dialog.getByRole('button', { name: t('issues:board.closeOk'), exact: true }).click();
      await visitor.sees(t('issues:status.closed'), 'New breaker');
      await visitor.button(t('issue:action.reopen')).click();
      await visitor.sees(t('issues:status.reopen'));
      await visitor.misses(visitor.heading(t('issue:solution')));
      await visitor.sees(visitor.button(t('issue:action.close')));
      pile.clearFault(1);
    },
  );
});
