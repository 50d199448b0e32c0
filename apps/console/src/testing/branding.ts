import { branding } from '../shared/branding/branding.ts';
import { atEnd } from './show.tsx';

/** The installation requires this many characters of a password, until the end of the test. */
export function requirePasswordLength(passwordLength: number): void {
  const before = branding.get();
  branding.set({ ...before, passwordLength });
  atEnd(() => branding.set(before));
}
