import type { Branding } from '@chargehand/contract';
import { useLocale } from '../i18n/use-locale.ts';
import { external, useExternal } from '../lib/external.ts';

/** How the installation presents itself. The server writes it into the page. */
export const branding = external<Branding>(inPage());

function inPage(): Branding {
  const data = document.getElementById('branding')?.textContent;
  if (data) return JSON.parse(data);
  // The page was not sent by the server: in development and in tests.
  const name = 'Chargehand';
  return { nameEn: name, nameZh: name, logo: '', color: '', signInTextEn: '', signInTextZh: '', passwordLength: 8 };
}

/** The branding of the installation. */
export function useBranding(): Branding {
  return useExternal(branding);
}

/** The name of the product in the language of the user. */
export function useProductName(): string {
  const { nameEn, nameZh } = useBranding();
  return useLocale() === 'zh-CN' ? nameZh : nameEn;
}
