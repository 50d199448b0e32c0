import type { Enforcer } from '../../platform/http/server.ts';

/** Allows every call, for tests of what comes before or after policies. */
export const OPEN_ENFORCER: Enforcer = { enforce: async () => [], enforceEach: async () => new Map() };
