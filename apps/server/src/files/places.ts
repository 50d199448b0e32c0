import { UPLOAD_FOLDERS } from '@chargehand/domain';

/*
 * Where objects lie in the main bucket. Temporary credentials open whole prefixes, so that a place says who may do what:
 *
 *   <folder>/incoming/u<user>/…     put there by that user alone, read by the server alone, swept after a day
 *   images/quarantine/<random>/…    the same, for somebody who is not signed in
 *   images/customers/<customer>/…   put there by the server alone, read by who sees the customer
 *   images/platform/…               put there by the server alone, read by everybody who is signed in
 *   public/…                        put there by the server alone, read by everybody
 */

/** Pictures of rows of all customers. */
export const KEPT_IMAGES = 'images/customers/';
/** Pictures of rows without a customer. */
export const PLATFORM_IMAGES = 'images/platform/';
export const QUARANTINE = 'images/quarantine/';
export const PUBLIC = 'public/';
/** What is swept when it was not used within a day. */
export const ARRIVALS: readonly string[] = [...UPLOAD_FOLDERS.map((folder) => `${folder}/incoming/`), QUARANTINE];

/** Pictures of rows of one customer, or of rows without one. */
export function imagesOf(customerId: number | null): string {
  return customerId === null ? PLATFORM_IMAGES : `${KEPT_IMAGES}${customerId}/`;
}

/** The folder for a user's uploads, by folder name. */
export function arrivalsOf(userId: number): string[] {
  return UPLOAD_FOLDERS.map((folder) => `${folder}/incoming/u${userId}/`);
}
