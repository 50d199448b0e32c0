import { issueEndpoints, LOCALES } from '@chargehand/contract';
import { expect } from 'vitest';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const PHONE = { width: 390, height: 844 };

const words = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
});

journey(
  chargehand,
  'an issue is shared with someone outside, who comments, and who sees nothing that is internal',
  { as: 'northAdmin', locales: LOCALES, size: PHONE },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { server } = chargehand;
    const fits = async (on = page) => expect(await on.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const staff = await server.as('northAdmin');
    const title = `The cable is cut ${locale}`;
    const { id } = await staff.data(issueEndpoints.createDeviceIssue, {
      params: { id: server.world.devices.northQuay1.id },
      body: { title, type: 3, body: words('Cut close to the plug.') },
    });
    const comment = async (text: string, internal: boolean) =>
      await staff.data(issueEndpoints.commentIssue, { params: { id }, body: { body: words(text), internal } });
    await comment('Which cable fits?', false);
    await comment('They still owe us money.', true);

    await page.goto(`/manage/issue/detail/${id}`);
    await visitor.button(t('issue:share.do')).click();
    await page.getByRole('checkbox', { name: t('shares:withCode') }).uncheck();
    await page.getByRole('radio', { name: t('shares:access.comment'), exact: true }).check();
    await fits();
    await visitor.button(t('shares:dialog.create')).click();
    const link = await page
      .getByText(/\/share\/file\?s=/)
      .first()
      .innerText();
    await page.keyboard.press('Escape');

    const guest = await visit(chargehand, locale, { size: PHONE });
    try {
      const phone = guest.page;
      await phone.goto(`${link.trim()}&lang=${locale}`);
      await phone.getByRole('heading', { level: 1, name: title }).waitFor();
      await phone.getByText('Which cable fits?').waitFor();
      const hidden = async () => {
        const shown = await phone.content();
        for (const text of ['They still owe us money.', 'Site northQuay', 'northQuay-1'])
          expect(shown).not.toContain(text);
      };
      await hidden();
      await phone.getByRole('button', { name: t('share:issue.comment.send') }).click();
      await phone.getByRole('alert').getByText(t('share:issue.comment.nameMissing')).waitFor();
      await phone.getByLabel(t('share:issue.comment.name'), { exact: true }).fill('Kim of the factory');
      await phone.getByLabel(t('share:issue.comment.label'), { exact: true }).fill(`Part 4711 ${locale}`);
      await phone.getByRole('button', { name: t('share:issue.comment.send') }).click();
      await phone.getByText(t('share:issue.comment.sent')).waitFor();
      const sent = phone.getByRole('listitem').filter({ hasText: `Part 4711 ${locale}` });
      await sent.getByText('Kim of the factory').waitFor();
      await fits(phone);

      // A colleague reads it in the issue, with what is internal, and answers.
      const colleague = await visit(chargehand, locale, { as: 'northAssigned', size: PHONE });
      try {
        await colleague.page.goto(`/manage/issue/detail/${id}`);
        const item = (text: string) => colleague.main.getByRole('listitem').filter({ hasText: text });
        await colleague.sees(item(`Part 4711 ${locale}`).getByText(/Kim of the factory/));
        await colleague.sees(item('They still owe us money.').getByText(t('issue:internal.mark'), { exact: true }));
        await fits(colleague.page);
        const answer = async (text: string, internal: boolean) => {
          await colleague.button(t('issue:comment.open')).click();
          await colleague.page.getByRole('textbox', { name: t('issue:comment.new') }).pressSequentially(text);
          if (internal) await colleague.page.getByRole('checkbox', { name: t('issue:internal.check') }).check();
          await colleague.button(t('issue:comment.send')).click();
          await colleague.sees(item(text));
        };
        await answer('Do not tell them.', true);
        await answer('Please send two.', false);
        expect(colleague.problems).toEqual([]);
      } finally {
        await colleague.context.close();
      }

      await phone.reload();
      await phone.getByText('Please send two.').waitFor();
      await hidden();
      expect(await phone.content()).not.toContain('Do not tell them.');
      expect(guest.problems).toEqual([]);
    } finally {
      await guest.context.close();
    }
  },
);
