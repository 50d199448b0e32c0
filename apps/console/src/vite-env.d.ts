/// <reference types="vite/client" />

declare module 'virtual:endpoints' {
  import type { ENDPOINTS } from '@chargehand/contract';

  /** Method and path of every endpoint, computed from the contract when the console is built. */
  export const endpoints: Record<keyof typeof ENDPOINTS, readonly [method: string, path: string]>;
}
