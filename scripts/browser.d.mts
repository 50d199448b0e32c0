/** The path of a Chromium, installed now if need be. @throws Error with a sentence that says what to install */
export function requireBrowser(): string;
export const BROWSER_FLAGS: string[];
export function findBrowser(): string | undefined;
