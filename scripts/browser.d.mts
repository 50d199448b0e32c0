/** The path of a Chromium, installed if necessary. @throws Error with a message that names what to install */
export function requireBrowser(): string;
export const BROWSER_FLAGS: string[];
export function findBrowser(): string | undefined;
