import type { Locale } from '@chargehand/contract';
import { DEFAULT_LOCALE, LOCALE_COOKIE, LOCALES } from '@chargehand/contract/constants';
import { readCookie } from '../lib/browser/cookie.ts';
import type { Room } from './words.ts';

const files = import.meta.glob<Record<string, Record<string, unknown>>>('./start-words.*.ts', { import: 'default' });

/** The locale files that every page needs, which are loaded as one. */
export const START_ROOMS = ['common', 'routes', 'access'] as const satisfies Room[];

/** Loads the locale files that every page needs. */
export function readStartWords(locale: string): Promise<Record<string, Record<string, unknown>>> | undefined {
  return files[`./start-words.${locale}.ts`]?.();
}

/** The language of a new page: that of the link, otherwise that of the cookie, otherwise the default (spec §1). */
export function startLocale(): Locale {
  const fallback = location.pathname.startsWith('/share/') ? localeOfBrowser() : DEFAULT_LOCALE;
  return localeOfLink(location.search) ?? localeOfCookies(document.cookie) ?? fallback;
}

/** The locale of the cookie; undefined for unsupported values. */
function localeOfCookies(cookies: string): Locale | undefined {
  const wanted = readCookie(cookies, LOCALE_COOKIE);
  return LOCALES.find((locale) => locale === wanted);
}

/** The language of the browser, for visitors without an account, who have never chosen one. */
function localeOfBrowser(): Locale {
  return navigator.languages.some((language) => /^zh\b/i.test(language)) ? 'zh-CN' : DEFAULT_LOCALE;
}

/** The locale of a link, as in mails: `?lang=zh-CN`. It is not stored. */
function localeOfLink(search: string): Locale | undefined {
  const wanted = new URLSearchParams(search).get('lang');
  return LOCALES.find((locale) => locale === wanted);
}
