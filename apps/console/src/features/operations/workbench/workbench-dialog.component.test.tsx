import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { deviceDetail } from '../../../testing/devices.ts';
import { misses, pick, sees } from '../../../testing/on-screen.ts';
import { showConsole } from '../../../testing/show-console.tsx';

/** A message with a required `id` and an optional token. */
const SCHEMA = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    groupIdToken: { type: 'object', properties: { idToken: { type: 'string' } } },
  },
};
const WITHOUT_ID = { path: '', keyword: 'required', params: { missingProperty: 'id' } };

/** Opens the dialog on the page of an OCPP 2.0.1 device, with the message selected. */
async function open() {
  const stage = await showConsole('/manage/device/detail/7?tab=operations', {
    answers: {
      readDevice: deviceDetail({ protocol: 'ocpp2.0.1' }),
      listControls: {
        items: [
          {
            ...{ type: 17, kinds: ['sendMessage'], name: null, param1: null, param2: null },
            ...{ precondition: null, unmet: false, may: true },
          },
        ],
      },
      listMessages: { protocol: 'ocpp2.0.1', items: ['ClearCache', 'ReserveNow'] },
      readMessage: { action: 'ReserveNow', protocol: 'ocpp2.0.1', schema: SCHEMA },
      checkMessage: ({ input }) => ({ faults: 'id' in input.body.payload ? [] : [WITHOUT_ID] }),
    },
  });
  const { t, dialog } = stage;
  await page.getByRole('button', { name: t('operations:kinds.sendMessage.do'), exact: true }).click();
  await pick(t('workbench:message'), 'ReserveNow');
  return {
    ...stage,
    send: dialog.getByRole('button', { name: t('workbench:send'), exact: true }),
    id: dialog.getByRole('spinbutton'),
    fault: dialog.getByText(t('workbench:fault.required'), { exact: true }),
    checked: () => expect.poll(() => stage.server.sent('checkMessage').length).toBeGreaterThan(0),
  };
}

describe('the dialog for protocol messages', () => {
  test('names the protocol as in its specification', async () => {
    const { t, dialog } = await open();
    await sees(dialog.getByText(t('workbench:note', { protocol: 'OCPP 2.0.1' }), { exact: true }));
  });

  test('shows missing fields only after the message was changed', async () => {
    const { t, dialog, send, id, fault, checked } = await open();
    await checked();
    await sees(t('workbench:incomplete'));
    await misses(fault);
    await expect.element(send).toBeDisabled();
    await id.fill('7');
    await sees(t('workbench:valid'));
    await expect.element(send).toBeEnabled();
    await id.fill('');
    await sees(fault);
    await expect.element(send).toBeDisabled();
    await expect.element(dialog.getByText(t('workbench:incomplete'), { exact: true })).not.toBeInTheDocument();
  });

  test('frames a group of fields only when it has some', async () => {
    const { t, dialog } = await open();
    const group = dialog.getByRole('group', { name: /groupIdToken/ });
    const border = () => getComputedStyle(group.element()).borderLeftColor;
    await expect.poll(border).toBe('rgba(0, 0, 0, 0)');
    await dialog.getByRole('button', { name: t('workbench:addNamed', { name: 'groupIdToken' }) }).click();
    await expect.poll(border).not.toBe('rgba(0, 0, 0, 0)');
  });
});
