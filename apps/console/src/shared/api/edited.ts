/**
 * Options for a query that fills a form: it is never refetched automatically, so that unsaved edits are kept, even on a
 * bad network.
 */
export const EDITED = { refetchOnWindowFocus: false, refetchOnReconnect: false, meta: { edited: true } } as const;
