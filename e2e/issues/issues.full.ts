import { ENDPOINTS, issueEndpoints } from '@chargehand/contract';
import { beforeAll, describe, expect } from 'vitest';
import { looker } from '../harness/axe.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const TITLE = 'The plug is too hot to touch';
let id: number;
let link: string;

const words = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
});

beforeAll(async () => {
  const { world } = chargehand.server;
  // Staff may assign it to root, who then has a message about it.
  const admin = await chargehand.server.as('vendorStaff');
  const issue = await admin.data(issueEndpoints.createDeviceIssue, {
    params: { id: world.devices.northQuay1.id },
    body: {
      title: TITLE,
      type: 3,
      body: words('It smells, too.'),
      assigneeId: world.users.root,
      labels: ['plug'],
    },
  });
  id = issue.id;
  const params = { id };
  await admin.data(issueEndpoints.commentIssue, { params, body: { body: words('The fan turns.') } });
  await admin.data(issueEndpoints.commentIssue, { params, body: { body: words('Call the maker.'), internal: true } });
  const share = await admin.data(ENDPOINTS.shareIssue, { params, body: { days: 7, code: false, comments: true } });
  link = `/share/file?s=${share.token}`;
});

describe('in light and dark mode', () => {
  journey(chargehand, 'issues have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found, dialog, press, shows } = looker(visitor);
    const { world } = chargehand.server;
    await look('/manage/issue/list', shows(TITLE));
    await look('/manage/issue/list?display=board', shows(TITLE));
    await look('/manage/issue/list?display=times', () => page.getByRole('table').first().waitFor());
    await look(`/manage/issue/detail/${id}`, shows('Call the maker.'));
    await look(`/manage/issue/detail/${id}?tab=evidence`, () => page.getByRole('tabpanel').first().waitFor());
    await look(`/manage/issue/detail/${id}`, async () => {
      await visitor.button(t('issue:action.close')).click();
      await dialog.waitFor();
    });
    await look(`/manage/issue/detail/${id}`, press('messages:why.issue'));
    await look('/manage/issue/add', () => page.getByRole('textbox').first().waitFor());
    await look(`/manage/issue/update/${id}`, () => page.getByRole('textbox').first().waitFor());
    await look(`/manage/device/detail/${world.devices.northQuay1.id}?tab=details&section=issues`, shows(TITLE));
    await look(`/manage/site/detail/${world.sites.northQuay}?tab=issues`, shows(TITLE));
    await look(`/manage/customer/detail/${world.customers.north}?tab=issues`, shows(TITLE));
    await look(link, shows('The fan turns.'));
    await page.getByText('Call the maker.').waitFor({ state: 'detached' });
    await look('/share/issue');
    expect(found).toEqual([]);
  });

  journey(chargehand, 'messages have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found, press, shows } = looker(visitor);
    const { world, database } = chargehand.server;
    await look('/manage/message/list', shows(TITLE));
    await look('/manage/message/setting', () => page.getByRole('table').first().waitFor());
    await look('/manage/message/channels');
    await look('/manage/message/channels?tab=templates', () =>
      visitor.main.getByRole('list', { name: t('channels:templates') }).waitFor(),
    );
    await look('/manage/message/channels?tab=sends');
    const role = await database.pool.query(`select id from roles where name = 'Assigned sites'`);
    await look(`/manage/role/auth/message/${role.rows[0].id}`, () => page.getByRole('table').first().waitFor());
    await look(`/manage/system/role/auth/message/${role.rows[0].id}`, () => page.getByRole('table').first().waitFor());
    await look(`/manage/site/detail/${world.sites.northQuay}?tab=onCall`);
    await look(`/manage/site/detail/${world.sites.northQuay}`, press('messages:why.site'));
    await look(`/manage/customer/detail/${world.customers.north}?tab=onCall`);
    expect(found).toEqual([]);
  });
});
