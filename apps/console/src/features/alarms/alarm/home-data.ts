/** The alarms on Home: the ten open ones with the highest level. */
export const WORST_FIRST = { state: 'open', suppressed: false, sort: '-level', limit: 10 } as const;
/** The number of device events on Home. */
export const EVENTS_SHOWN = 10;
