/** Builds the server if its sources changed since the last build. @throws Error with a message when the build fails */
export function buildServer(): void;
/** The built server. */
export const SERVER: string;
/** Environment of the server, unless it is set: less memory for garbage. */
export const SMALL_MEMORY: Record<string, string>;
