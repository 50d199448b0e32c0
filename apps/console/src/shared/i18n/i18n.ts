import type { Locale } from '@chargehand/contract';
import { LOCALE_COOKIE } from '@chargehand/contract/constants';
import i18next, { type BackendModule, type ReadCallback } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { writeCookie } from '../lib/browser/cookie.ts';
import { readStartWords, START_ROOMS, startLocale } from './start-locale.ts';
import type { Room } from './words.ts';

/** Other locale files are loaded one at a time, only in the user's language. */
const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (locale: string, room: string, done: ReadCallback) => {
    readRoom(locale, room).then(
      (words) => done(null, words as Parameters<ReadCallback>[1]),
      (error: Error) => done(error, false),
    );
  },
};

async function readRoom(locale: string, room: string): Promise<unknown> {
  if ((START_ROOMS as readonly string[]).includes(room)) return (await readStartWords(locale))?.[room];
  // The sign-in page needs no other, and not the list of them.
  const { readWords } = await import('./word-files.ts');
  const words = await readWords(locale, room);
  if (!words) throw new Error(`There are no words for ${room} in ${locale}`);
  return words;
}

export const i18n = i18next.createInstance();

let started: Promise<unknown> = Promise.resolve();

/** Loads the texts that every page needs. */
export async function startWords(): Promise<void> {
  started = i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: startLocale(),
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
