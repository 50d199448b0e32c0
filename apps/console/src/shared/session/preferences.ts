import type { Locale, ThemeChoice, UserInfo } from '@chargehand/contract';
import { call } from '../api/client.ts';
import { chooseLocale, i18n } from '../i18n/i18n.ts';
import { chooseTheme, themeChoice } from '../theme/theme.ts';
import { type Session, session, sessionOf } from './session.ts';

/** A user's preferences; omitted ones stay unchanged. */
export interface Preferences {
  locale?: Locale;
  theme?: ThemeChoice;
}

/** Applies preferences here immediately, and saves them to the account for other browsers. @throws ApiProblem */
export async function prefer(choice: Preferences): Promise<void> {
  if (choice.theme) chooseTheme(choice.theme);
  if (choice.locale) await chooseLocale(choice.locale);
  await call('setPreferences', { body: choice });
  const now = session.get();
  if (now.status !== 'signedIn') return;
  session.set({ ...now, info: { ...now.info, preferences: { ...now.info.preferences, ...choice } } });
}

/** The session of a user known to the server, after applying preferences saved in other browsers. */
export async function enteredSession(info: UserInfo): Promise<Session> {
  const { locale, theme } = info.preferences;
  if (theme && theme !== themeChoice()) chooseTheme(theme);
  if (locale && locale !== i18n.language) await chooseLocale(locale);
  return sessionOf(info);
}
