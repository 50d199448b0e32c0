import type { Locale, ThemeChoice, UserInfo } from '@chargehand/contract';
import { call } from '../api/client.ts';
import { chooseLocale, i18n } from '../i18n/i18n.ts';
import { chooseTheme, themeChoice } from '../theme/theme.ts';
import { type Session, session, sessionOf } from './session.ts';

/** What a person chooses for themselves; what is left out stays. */
export interface Preferences {
  locale?: Locale;
  theme?: ThemeChoice;
}

/** Takes what a person chose: here at once, and on their account, so that it follows to another browser. @throws ApiProblem */
export async function prefer(choice: Preferences): Promise<void> {
  if (choice.theme) chooseTheme(choice.theme);
  if (choice.locale) await chooseLocale(choice.locale);
  await call('setPreferences', { body: choice });
  const now = session.get();
  if (now.status !== 'signedIn') return;
  session.set({ ...now, info: { ...now.info, preferences: { ...now.info.preferences, ...choice } } });
}

/** The session of somebody the server knows, after what they chose elsewhere was taken over here. */
export async function enteredSession(info: UserInfo): Promise<Session> {
  const { locale, theme } = info.preferences;
  if (theme && theme !== themeChoice()) chooseTheme(theme);
  if (locale && locale !== i18n.language) await chooseLocale(locale);
  return sessionOf(info);
}
