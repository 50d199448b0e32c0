/**
 * Options of a query that fills a form: it is fetched again only on purpose, so that what somebody is editing stays as they
 * left it, on a bad network, too.
 */
export const EDITED = { refetchOnWindowFocus: false, refetchOnReconnect: false, meta: { edited: true } } as const;
