import type { Locale } from '@chargehand/contract';
import { DEFAULT_LOCALE, LOCALE_COOKIE, LOCALES } from '@chargehand/contract/constants';
import i18next, { type BackendModule, type ReadCallback } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readCookie, writeCookie } from '../lib/browser/cookie.ts';
import type { Room } from './words.ts';

type RoomWords = Record<string, unknown>;
const files = import.meta.glob<RoomWords>(['../../locales/*/*.json', '!../../locales/*/{access,common,routes}.json'], {
  import: 'default',
});
const startFiles = import.meta.glob<Record<string, RoomWords>>('./start-words.*.ts', { import: 'default' });

/** The locale files that every page needs. */
const START_ROOMS = ['common', 'routes', 'access'] as const satisfies Room[];

/** Other locale files are loaded one at a time, only in the user's language. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (locale: string, room: string, done: ReadCallback) => {
    const start = (START_ROOMS as readonly string[]).includes(room) && startFiles[`./start-words.${locale}.ts`];
    const load = start ? async () => (await start())[room] : files[`../../locales/${locale}/${room}.json`];
    if (!load) return done(new Error(`There are no words for ${room} in ${locale}`), false);
    load().then(
      (words) => done(null, words as Parameters<ReadCallback>[1]),
      (error: Error) => done(error, false),
    );
  },
};

export const i18n = i18next.createInstance();

/** The locale of the cookie; the default for unsupported values (spec §1). */
function localeOfCookies(cookies: string): Locale {
  const wanted = readCookie(cookies, LOCALE_COOKIE);
  return LOCALES.find((locale) => locale === wanted) ?? DEFAULT_LOCALE;
}

/** The locale of a link, as in mails: `?lang=zh-CN`. It is not stored. */
function localeOfLink(search: string): Locale | undefined {
  const wanted = new URLSearchParams(search).get('lang');
  return LOCALES.find((locale) => locale === wanted);
}

let started: Promise<unknown> = Promise.resolve();

/** Loads the texts that every page needs. */
export async function startWords(): Promise<void> {
  started = i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: localeOfLink(location.search) ?? localeOfCookies(document.cookie),
      fallbackLng: false,
      load: 'currentOnly',
      // A copy, because i18next adds the files that are loaded later.
      ns: [...START_ROOMS],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  await started;
  document.documentElement.lang = i18n.language;
}

/** Loads locale files before their page is shown. */
export async function loadWords(rooms: readonly Room[]): Promise<void> {
  // Until the language is known, i18next loads and returns nothing.
  await started;
  if (rooms.length > 0) await i18n.loadNamespaces(rooms);
}

/** Changes the language now and for future visits. */
export async function chooseLocale(locale: Locale): Promise<void> {
  writeCookie(document, LOCALE_COOKIE, locale);
  await i18n.changeLanguage(locale);
  document.documentElement.lang = locale;
}
