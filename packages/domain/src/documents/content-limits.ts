import { JSON_LIMITS } from '../text/json-limits.ts';

/**
 * The limits of a document's content. The editor keeps to them, so that the server never refuses to save what the author
 * could enter.
 */

/**
 * Maximum number of nested blocks: a text on level 1, a text in an item of a list on level 3. A block adds two levels
 * to the JSON text of a request, and a link in the innermost text, the request itself and its document seven.
 */
export const CONTENT_LEVELS = Math.floor((JSON_LIMITS.depth - 7) / 2);

/** Maximum number of values of a content as JSON, without the title and the other fields of the request. */
export const CONTENT_VALUES = JSON_LIMITS.values - 100;

/** Maximum size of a request with a content in bytes: a text of 200 screens with its markup. */
export const CONTENT_BYTES = 4 * 1024 * 1024;
