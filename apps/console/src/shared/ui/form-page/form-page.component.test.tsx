import { messageOf } from '@chargehand/contract';
import { Form, Input, InputNumber } from 'antd';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure, Refused } from '../../../testing/stub-server.ts';
import { type Answer, call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { EditPage } from './edit-page.tsx';
import { FormPanel } from './form-panel.tsx';

type Site = Answer<'readSite'>;
const site = sample('readSite', { id: 4, name: 'North quay', code: 'NQ', contact: 'Ada', revision: 'r1' });

/** The smallest page of a form. */
function SiteEditPage() {
  return (
    <EditPage title="Edit site" read="readSite" input={{ params: { id: 4 } }} nameOf={({ name }) => name}>
      {(row) => <SiteForm row={row} />}
    </EditPage>
  );
}

function SiteForm({ row }: { row: Site }) {
  const [form] = Form.useForm<Pick<Site, 'name' | 'code' | 'contact'>>();
  return (
    <FormPanel
      form={form}
      label="Site"
      initialValues={{ name: row.name, code: row.code, contact: row.contact }}
      onSave={async (values) => {
        await call('updateSite', { params: { id: 4 }, body: { ...values, revision: row.revision } }, { quiet: true });
        return '/site';
      }}
    >
      <Form.Item name="name" label="Name" rules={[{ required: true, message: 'Enter a name' }]}>
        <Input />
      </Form.Item>
      <Form.Item name="code" label="Code">
        <Input />
      </Form.Item>
      <Form.Item name="contact" label="Contact" className="form-wide">
        <Input />
      </Form.Item>
      <Form.Item label="Places">
        <InputNumber aria-label="Places" />
      </Form.Item>
    </FormPanel>
  );
}

const open = (answers: Answers = {}, size?: [number, number]) =>
  show(<SiteEditPage />, {
    path: '/site/edit',
    route: '/site/edit',
    answers: { readSite: site, updateSite: null, ...answers },
    ...(size && { size }),
  });
const field = (name: string) => page.getByLabelText(name, { exact: true });
const box = (name: string) => field(name).element().getBoundingClientRect();

describe('a form page', () => {
  test('shows that it is loading, and then what is saved now', async () => {
    const answer = Promise.withResolvers<Site>();
    const { t } = await open({ readSite: () => answer.promise });
    await expect.element(page.getByRole('status', { name: t('common:loading') })).toBeInTheDocument();
    await sees(page.getByRole('heading', { name: 'Edit site' }));
    answer.resolve(site);
    await expect.element(field('Name')).toHaveValue('North quay');
    await sees(page.getByText('North quay', { exact: true }));
  });

  test('that cannot be fetched says so, and is fetched again on request', async () => {
    let broken = true;
    const { button } = await open({
      readSite: () => {
        if (broken) throw new HttpFailure(500);
        return site;
      },
    });
    await sees(page.getByRole('alert'));
    broken = false;
    await button('common:error.retry').click();
    await expect.element(field('Name')).toHaveValue('North quay');
  });

  test('is saved by Enter, and leads on without a question', async () => {
    const { path, server, text } = await open();
    await field('Name').fill('South quay');
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/site');
    expect(server.sent('updateSite').map(({ body }) => body)).toEqual([
      { name: 'South quay', code: 'NQ', contact: 'Ada', revision: 'r1' },
    ]);
    await misses(text('common:leave.text'));
  });

  test('is not sent while a field is wrong, and goes to that field', async () => {
    const { button, server } = await open();
    await field('Name').fill('');
    await button('common:save').click();
    await sees('Enter a name');
    await expect.element(field('Name')).toHaveFocus();
    expect(server.sent('updateSite')).toEqual([]);
  });

  test('shows an error of the server at the field that it names', async () => {
    const taken = messageOf('siteCodeExists', 'en-US');
    const { button, path, server } = await open({
      updateSite: () => {
        throw new Refused('siteCodeExists', {}, 'code');
      },
    });
    await field('Code').fill('TAKEN');
    await button('common:save').click();
    await sees(taken);
    await expect.element(field('Code')).toHaveFocus();
    await expect.element(field('Code')).toHaveAccessibleDescription(taken);
    await expect.element(field('Code')).toHaveValue('TAKEN');
    expect(path()).toBe('/site/edit');
    expect(server.sent('updateSite')).toHaveLength(1);
  });

  test('shows an error that names no field above its buttons', async () => {
    const { button } = await open({
      updateSite: () => {
        throw new Refused('notFound', { object: 'site' });
      },
    });
    await field('Code').fill('NEW');
    await button('common:save').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(messageOf('notFound', 'en-US', { object: 'site' }));
    await expect.element(field('Code')).toHaveValue('NEW');
  });

  test('keeps the next label clear of an error', async () => {
    const { button } = await open({}, [390, 844]);
    await field('Name').fill('');
    await button('common:save').click();
    await sees('Enter a name');
    const error = page.getByText('Enter a name').element().getBoundingClientRect();
    const label = page.getByText('Code', { exact: true }).element().getBoundingClientRect();
    expect(label.top - error.bottom).toBeGreaterThan(8);
  });

  test('asks before unsaved changes are left, and only then', async () => {
    const { button, text, go, path, server } = await open();
    await field('Name').fill('Half');
    await go('/elsewhere');
    await sees(text('common:leave.text'));
    expect(path()).toBe('/site/edit');
    await button('common:leave.stay').click();
    await expect.element(text('common:leave.text')).not.toBeVisible();
    await expect.element(field('Name')).toHaveValue('Half');
    await go('/elsewhere');
    await button('common:leave.leave').click();
    await expect.poll(path).toBe('/elsewhere');
    await misses(field('Name'));
    expect(server.sent('updateSite')).toEqual([]);
  });

  test('asks before it is left while it is being saved, and keeps what was entered when that fails', async () => {
    let answer = Promise.withResolvers<null>();
    const { button, text, go, path } = await open({ updateSite: () => answer.promise });
    await field('Code').fill('NEW');
    await button('common:save').click();
    await expect.element(button('common:cancel')).toBeDisabled();
    await go('/elsewhere');
    await sees(text('common:leave.pendingText'));
    await button('common:leave.stay').click();
    answer.reject(new Refused('notFound', { object: 'site' }));
    await expect.element(page.getByRole('alert')).toHaveTextContent(messageOf('notFound', 'en-US', { object: 'site' }));
    await expect.element(field('Code')).toHaveValue('NEW');

    // An answer that arrives after the page was left does not lead the user away from the next one.
    answer = Promise.withResolvers();
    await page.getByRole('button', { name: /Save$/ }).click();
    await go('/elsewhere');
    await button('common:leave.leave').click();
    await expect.poll(path).toBe('/elsewhere');
    answer.resolve(null);
    await expect.poll(() => queryClient.isMutating()).toBe(0);
    expect(path()).toBe('/elsewhere');
  });

  test('is left without a question while nothing was changed', async () => {
    const { go, path, text } = await open();
    await expect.element(field('Name')).toHaveValue('North quay');
    await go('/elsewhere');
    await expect.poll(path).toBe('/elsewhere');
    await misses(text('common:leave.text'));
  });

  test('has two columns on a wide screen, and one on a phone', async () => {
    await open();
    await expect.element(field('Name')).toHaveValue('North quay');
    expect(box('Code').top).toBe(box('Name').top);
    expect(box('Contact').width).toBeGreaterThan(box('Name').width * 2);
    const places = page.getByRole('spinbutton', { name: 'Places' }).element().closest('.number-field')!;
    expect(places.getBoundingClientRect().width).toBe(box('Name').width);
    await page.viewport(390, 844);
    await expect.poll(() => box('Code').top).toBeGreaterThan(box('Name').bottom);
    expect(tooWide()).toEqual([]);
    await page.viewport(1280, 800);
  });
});
