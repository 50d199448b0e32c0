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

/** The rooms of start-words, which every page needs. */
const START_ROOMS = ['common', 'routes', 'access'] as const satisfies Room[];

/** Words are fetched a room at a time, in the language of the user only. */
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

/** The locale of the cookie; anything that is not ours is the default (spec §1). */
function localeOfCookies(cookies: string): Locale {
  const wanted = readCookie(cookies, LOCALE_COOKIE);
  return LOCALES.find((locale) => locale === wanted) ?? DEFAULT_LOCALE;
}

/** The locale that a link asks for, which a mail does for the page it leads to: `?lang=zh-CN`; it is not kept. */
function localeOfLink(search: string): Locale | undefined {
  const wanted = new URLSearchParams(search).get('lang');
  return LOCALES.find((locale) => locale === wanted);
}

let started: Promise<unknown> = Promise.resolve();

/** Reads the words that every page needs. */
export async function startWords(): Promise<void> {
  started = i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: localeOfLink(location.search) ?? localeOfCookies(document.cookie),
      fallbackLng: false,
      load: 'currentOnly',
      // A copy: i18next adds the rooms that are loaded later.
      ns: [...START_ROOMS],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  await started;
  document.documentElement.lang = i18n.language;
}

/** Fetches the words of rooms before their screen is shown. */
export async function loadWords(rooms: readonly Room[]): Promise<void> {
  // Before it knows the language, i18next loads nothing and says nothing.
  await started;
  if (rooms.length > 0) await i18n.loadNamespaces(rooms);
}

/** Changes the language now and for the next visits. */
export async function chooseLocale(locale: Locale): Promise<void> {
  writeCookie(document, LOCALE_COOKIE, locale);
  await i18n.changeLanguage(locale);
  document.documentElement.lang = locale;
}
