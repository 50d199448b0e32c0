import type { CodeExplanation } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { show } from '../../../testing/show.tsx';
import { Explanation, ExplanationButton } from './explanation.tsx';
import { useExplanations } from './use-explanations.ts';

const TYPE = DOCUMENT_TYPES.alarm;
const ground: CodeExplanation = {
  ...{ key: 'GroundFailure', deviceModelId: null, documentId: 4, title: 'Current leaks to earth', locale: 'en-US' },
  description: 'Keep the connector out of service.',
};
const answers = { explainCodes: { items: [ground] } };

function Codes({ codes, note = false }: { codes: readonly string[]; note?: boolean }) {
  const explanationOf = useExplanations(TYPE, codes, 7);
  const Part = note ? Explanation : ExplanationButton;
  return codes.map((code, index) => (
    <div key={`${code} ${String(index)}`}>
      {code} <Part of={explanationOf(code)} type={TYPE} deviceModelId={7} />
    </div>
  ));
}

/** Rows of several models with the same code. */
function Rows({ models }: { models: readonly number[] }) {
  const explanationOf = useExplanations(
    TYPE,
    models.map(() => ground.key),
    models,
  );
  return [...new Set(models)].map((model) => (
    <div key={model} data-testid={model}>
      {explanationOf(ground.key, model)?.title}
    </div>
  ));
}

const SHOWN = [['A'], ['A', 'B'], ['B'], ['A']];

/** Rows that come and go. */
function ChangingCodes() {
  const [step, setStep] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setStep(step + 1)}>
        step {step}
      </button>
      <Codes codes={SHOWN[step] ?? []} />
    </>
  );
}

describe('short answers of documents', () => {
  test('are requested once for all codes of a page, and shown where there is a document', async () => {
    const codes = ['Unknown', 'GroundFailure', 'GroundFailure'];
    const { server, button, t } = await show(<Codes codes={codes} />, { answers });
    await expect.poll(() => button('explanations:open', { code: 'GroundFailure' }).elements()).toHaveLength(2);
    expect(server.sent('explainCodes').map(({ query }) => query)).toEqual([
      { type: '100', codes: 'GroundFailure,Unknown', deviceModelIds: '7' },
    ]);
    expect(page.getByRole('button', { name: t('explanations:open', { code: 'Unknown' }) }).elements()).toEqual([]);
  });

  test('open with the keyboard, and lead to the whole document', async () => {
    const { button, t } = await show(<Codes codes={['GroundFailure']} />, { answers });
    const opener = button('explanations:open', { code: 'GroundFailure' });
    await expect.element(opener).toBeVisible();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(ground.description)).toBeVisible();
    await expectAccessible();
    const link = page.getByRole('link', { name: t('explanations:more') });
    expect(link.element().getAttribute('href')).toBe('/manage/docs/detail/type/100?code=GroundFailure&deviceModelId=7');
  });

  test('are in the flow of a page, marked when they are in the other language', async () => {
    const { text } = await show(<Codes codes={['GroundFailure']} note />, { answers, locale: 'zh-CN' });
    await expect.element(page.getByText(ground.title)).toBeVisible();
    expect(page.getByText(ground.title).element().getAttribute('lang')).toBe('en-US');
    await expect.element(text('explanations:otherLanguage')).toBeVisible();
    await expectAccessible();
  });

  test('of rows of several models come in one request, the one for the model of the row first', async () => {
    const special = { ...ground, deviceModelId: 9, title: 'Check the isolation monitor' };
    const { server } = await show(<Rows models={[7, 9, 7]} />, {
      answers: { explainCodes: { items: [special, ground] } },
    });
    await expect.element(page.getByTestId('7')).toHaveTextContent(ground.title);
    await expect.element(page.getByTestId('9')).toHaveTextContent(special.title);
    expect(server.sent('explainCodes').map(({ query }) => query)).toEqual([
      { type: '100', codes: 'GroundFailure', deviceModelIds: '7,9' },
    ]);
  });

  test('are requested again only for new codes', async () => {
    const { server } = await show(<ChangingCodes />, { answers: { explainCodes: { items: [] } } });
    const requested = () => server.sent('explainCodes').map(({ query }) => query.codes);
    await page.getByRole('button', { name: 'step 0' }).click();
    await expect.poll(requested).toEqual(['A', 'A,B']);
    for (const step of [1, 2]) await page.getByRole('button', { name: `step ${step}` }).click();
    await expect.element(page.getByRole('button', { name: 'step 3' })).toBeVisible();
    expect(requested()).toEqual(['A', 'A,B']);
  });

  test('are not requested for users who may not read documents', async () => {
    const user = { root: false, keys: ['auth_device_detail'] } as const;
    const { server } = await show(<Codes codes={['GroundFailure']} />, {
      answers,
      user: { ...user, keys: [...user.keys] },
    });
    await expect.element(page.getByText('GroundFailure')).toBeVisible();
    expect(server.calls).toEqual([]);
  });

  test('of very many codes need several requests, each short enough for a URL', async () => {
    const codes = Array.from({ length: 500 }, (_, index) => `Controller${index}.Variable`);
    const { server } = await show(<Codes codes={codes} />, { answers: { explainCodes: { items: [] } } });
    await expect
      .poll(() => server.sent('explainCodes').flatMap(({ query }) => query.codes!.split(',')))
      .toHaveLength(500);
    for (const { query } of server.sent('explainCodes')) expect(query.codes!.length).toBeLessThanOrEqual(4_000);
  });
});
