/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** the version of the console; undefined in tests without a browser */
  readonly CHARGEHAND_VERSION: string | undefined;
}

declare module 'virtual:endpoints' {
  import type { ENDPOINTS } from '@chargehand/contract';

  /** Method and path of the endpoints of the first pages, computed from the contract when the console is built. */
  export const endpoints: Partial<Record<keyof typeof ENDPOINTS, readonly [method: string, path: string]>>;
}

declare module 'virtual:more-endpoints' {
  import type { ENDPOINTS } from '@chargehand/contract';

  /** The same for the endpoints of the other pages that need a session. */
  export const endpoints: Partial<Record<keyof typeof ENDPOINTS, readonly [method: string, path: string]>>;
}

declare module 'virtual:public-endpoints' {
  import type { ENDPOINTS } from '@chargehand/contract';

  /** The same for the endpoints that need no session. */
  export const publicEndpoints: Partial<Record<keyof typeof ENDPOINTS, readonly [method: string, path: string]>>;
}

declare module 'virtual:policies' {
  import type { ENDPOINTS } from '@chargehand/contract';
  import type { RolePolicy } from '@chargehand/contract/role-preview';

  /** The role requirements of each endpoint of the contract; null if it requires nothing. */
  export const policies: Record<keyof typeof ENDPOINTS, RolePolicy | null>;
}

declare module 'virtual:pinyin' {
  /** The Chinese names of pages and commands in pinyin, by the key of their text: in full, and as initials. */
  export const pinyin: { pages: Readonly<Record<string, string>>; commands: Readonly<Record<string, string>> };
}

declare module 'virtual:coasts' {
  /** part of the names of the files with detailed coasts */
  export const edition: number;
  /** the cells of the map that have such a file, as `column-row` */
  export const cells: ReadonlySet<string>;
}
