/** Builds the console if its sources changed since the last time. @throws Error with a sentence when the build fails */
export function buildConsole(options?: { force?: boolean }): void;
