import { UPLOAD_FOLDERS, type UploadFolder } from '@chargehand/domain';

/*
 * The folders of objects in the main bucket. Temporary credentials give access to prefixes, so the folder decides who may
 * do what:
 *
 *   <folder>/incoming/u<user>/…     written only by that user, read only by the server, swept after a day
 *   images/quarantine/<random>/…    the same, for a client without a session
 *   images/customers/<customer>/…   written only by the server, read by users who see the customer
 *   images/platform/…               written only by the server, read by every signed-in user
 *   public/…                        written only by the server, read by everyone
 */

/** Pictures of rows of all customers. */
export const CUSTOMER_IMAGES = 'images/customers/';
/** Pictures of rows without a customer. */
export const PLATFORM_IMAGES = 'images/platform/';
export const QUARANTINE = 'images/quarantine/';
export const PUBLIC = 'public/';
/** What is swept when it was not used within a day. */
export const INCOMING_PREFIXES: readonly string[] = [
  ...UPLOAD_FOLDERS.map((folder) => `${folder}/incoming/`),
  QUARANTINE,
];

/** Pictures of rows of one customer, or of rows without one. */
export function imagesOf(customerId: number | null): string {
  return customerId === null ? PLATFORM_IMAGES : `${CUSTOMER_IMAGES}${customerId}/`;
}

/** The folder for a user's uploads in one of the folders of the specification. */
export function incomingPrefixOf(folder: UploadFolder, userId: number): string {
  return `${folder}/incoming/u${userId}/`;
}

/** The folders for a user's uploads. */
export function incomingPrefixesOf(userId: number): string[] {
  return UPLOAD_FOLDERS.map((folder) => incomingPrefixOf(folder, userId));
}
