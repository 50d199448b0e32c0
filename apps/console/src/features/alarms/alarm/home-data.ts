/** The number of incidents on Home. */
export const INCIDENTS_SHOWN = 8;
/** The number of device events on Home. */
export const EVENTS_SHOWN = 10;
