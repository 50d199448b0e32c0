import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { show } from '../../../testing/show.tsx';
import { SiteForm } from './site-form.tsx';

describe('the position of a site', () => {
  test.each(LANGUAGES)('requires both degrees, within their ranges (%s)', async (locale) => {
    const { field, text, button } = await show(<SiteForm onSave={async () => '/'} />, { locale });
    await field('places:site.latitude').fill('91');
    await expect.element(text('places:form.latitudeRange')).toBeVisible();
    await field('places:site.latitude').fill('22.5');
    await button('places:site.add').click();
    await expect.element(text('places:form.bothDegrees')).toBeVisible();
    await field('places:site.longitude').fill('181');
    await expect.element(text('places:form.longitudeRange')).toBeVisible();
    await field('places:site.longitude').fill('114');
    await expect.element(text('places:form.longitudeRange')).not.toBeInTheDocument();
    await expect.element(text('places:form.bothDegrees')).not.toBeInTheDocument();
  });
});

test.each([
  ['en-US', 'Grid operator'],
  ['zh-CN', '供电公司'],
] as const)('a field of the declaration is in the form (%s)', async (locale, label) => {
  await show(<SiteForm onSave={async () => '/'} />, { locale });
  await page.getByLabelText(label, { exact: true }).fill('CLP Power');
});

describe('the picture field of a form', () => {
  test.each(LANGUAGES)('rejects a file that is not a picture before the upload (%s)', async (locale) => {
    const { t } = await show(<SiteForm onSave={async () => '/'} />, { locale });
    const input = page
      .getByRole('region', { name: t('places:picture'), exact: true })
      .getByLabelText(t('places:picture'));
    const fault = (kind: string, name: string) =>
      page.getByText(t(`files:fault.${kind}`, { name, types: 'jpg, jpeg, png', limit: '20 MB' }), { exact: true });
    await input.upload(new File(['no picture'], 'fake.png', { type: 'image/png' }));
    await expect.element(fault('content', 'fake.png')).toBeVisible();
    await input.upload(new File(['<svg/>'], 'drawing.svg', { type: 'image/svg+xml' }));
    await expect.element(fault('type', 'drawing.svg')).toBeVisible();
  });
});
