/**
 * Every page except the public ones starts with a request for the signed-in user. public/start.js sends it before the
 * scripts are loaded, so that it does not wait for them on a slow network. The names of cookies and headers there are
 * those of the contract. The file has no comments, because it is sent unprocessed.
 */
interface EarlyRequest {
  /** method and URL, such as `POST /api/unauth/info` */
  of: string;
  response: Promise<Response>;
}

declare global {
  /** Set by public/start.js; used once. */
  var chargehandEarly: EarlyRequest | undefined;
}

/**
 * The response to a request that public/start.js has already sent; undefined when there is none, or it was already
 * used.
 */
export function takeEarlyResponse(of: string): Promise<Response> | undefined {
  const early = globalThis.chargehandEarly;
  if (early?.of !== of) return undefined;
  globalThis.chargehandEarly = undefined;
  return early.response;
}
