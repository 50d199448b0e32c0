/** The largest office file that is shown. Larger ones are only downloaded. Bytes. */
export const OFFICE_LIMIT = 20 * 1024 * 1024;
