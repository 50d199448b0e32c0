import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

journey(
  chargehand,
  'a stored failure of mails is a problem on the dashboard, and a job is run on request',
  { as: 'root' },
  async (visitor) => {
    const { page, t } = visitor;
    await chargehand.server.database.pool.query(
      `insert into outgoing_mails (receiver, locale, subject, body_text, body_html, next_attempt_at)
       values ('ada@example.org', 'en-US', 'Harbour', 'Harbour', '<p>Harbour</p>', null)`,
    );
    await page.goto('/manage/system/dashboard');
    await visitor.sees(visitor.heading(t('system:problems.title')));
    await visitor.sees(t('system:problems.mailsFail.text', { count: 1 }), t('system:problems.mailsFail.remedy'));
    await page.getByRole('tab', { name: t('system:tabs.jobs') }).click();
    const job = t('system:jobNames.certificateCheck');
    await visitor.button(t('system:jobs.runJob', { job })).click();
    await visitor.sees(t('system:jobs.started', { job }));
    await visitor.button(t('system:jobs.open', { job })).click();
    const requested = t('system:jobs.requestedBy', { user: 'root_user' });
    await expect.poll(() => page.getByRole('dialog').getByText(requested).count()).toBeGreaterThan(0);
  },
);
