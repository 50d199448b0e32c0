/** The path of a Chromium, installed if necessary. @throws Error with a message that names what to install */
export function requireBrowser(): string;
export const BROWSER_FLAGS: string[];
export const COMPONENT_BROWSER_FLAGS: string[];
/** Path of a Chromium for most tests: the headless shell if there is one. */
export function findHeadlessBrowser(): string | undefined;
