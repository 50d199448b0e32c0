/** The shortcut of the global search, as it is printed on the keys of this machine. */
export const SEARCH_KEYS = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? ['⌘', 'K'] : ['Ctrl', 'K'];
