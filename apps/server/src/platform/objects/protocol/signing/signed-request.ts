import type { CredentialIssuer, EVERYTHING } from '../../embedded/grants.ts';
import type { Grant } from '../../store.ts';

/** The maximum validity of a signed URL by spec §9. Seconds. */
export const LONGEST_SIGNED_URL = 3_600;

/** A request in the form that is signed. */
export interface SignedRequest {
  method: string;
  /** the path as received, percent-encoded */
  path: string;
  query: URLSearchParams;
  /** by names in lower case */
  headers: Record<string, string | undefined>;
}

/** The signer of a request, and how its body is signed. */
export interface Signer {
  grant: Grant | typeof EVERYTHING;
  /** the value of `x-amz-content-sha256`, UNSIGNED-PAYLOAD for signed URLs */
  payload: string;
  /** for the chunks of a signed body, which are signed in a chain */
  signature: string;
  /** time and scope of the signature: `<long date>` and `<short date>/<region>/s3/aws4_request` */
  longDate: string;
  scope: string;
  /** Signs further texts with the same key. */
  sign(text: string): Promise<string>;
}

export interface KeyRing {
  region: string;
  tickets: CredentialIssuer;
  /** the operator's own key, which gives access to everything; null when none is set */
  operator: { accessKeyId: string; secretAccessKey: string } | null;
}
