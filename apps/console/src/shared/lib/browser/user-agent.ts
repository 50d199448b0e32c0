import Bowser from 'bowser';

/** A short description of a browser, such as `Chrome 140 · Windows 11`; null when it is unknown. */
export function browserOf(userAgent: string): string | null {
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  const system = [os.name, os.versionName ?? os.version].filter(Boolean).join(' ');
  return browser.name && name ? [name, system].filter(Boolean).join(' · ') : null;
}
