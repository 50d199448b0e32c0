/** Builds the console if its sources changed since the last build. @throws Error with a message when the build fails */
export function buildConsole(options?: { force?: boolean }): void;
