/** Builds the console if its sources changed since the last build. @throws Error with a message when the build fails */
export function buildConsole(options?: { force?: boolean }): void;
/** The file of the build that tells from which sources it was made. */
export const STAMP: string;
