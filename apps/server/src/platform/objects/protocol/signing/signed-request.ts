import type { CredentialIssuer, EVERYTHING } from '../../embedded/grants.ts';
import type { Grant } from '../../store.ts';

/** A signed URL lives at most as long as spec §9 says. Seconds. */
export const LONGEST_SIGNED_URL = 3_600;

/** A request as it is signed. */
export interface SignedRequest {
  method: string;
  /** the path as it came, with its percent signs */
  path: string;
  query: URLSearchParams;
  /** by names in small letters */
  headers: Record<string, string | undefined>;
}

/** Who signed a request, and how its body is signed. */
export interface Signer {
  grant: Grant | typeof EVERYTHING;
  /** the value of `x-amz-content-sha256`, UNSIGNED-PAYLOAD for signed URLs */
  payload: string;
  /** for the chunks of a signed body, which carry on from it */
  signature: string;
  /** when and where it was signed: `<long date>` and `<short date>/<region>/s3/aws4_request` */
  longDate: string;
  scope: string;
  /** Signs further texts with the same key. */
  sign(text: string): Promise<string>;
}

export interface KeyRing {
  region: string;
  tickets: CredentialIssuer;
  /** the operator's own key, which opens everything; null when none is set */
  operator: { accessKeyId: string; secretAccessKey: string } | null;
}
