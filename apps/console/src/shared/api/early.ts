/**
 * Every page but the public ones begins with who is signed in. public/start.js sends that request before the scripts
 * come, so that on a slow network it does not wait for them. The names of cookies and headers there are those of the
 * contract; it carries no comments, because it is sent as it is.
 */
interface EarlyRequest {
  /** method and URL, such as `POST /api/unauth/info` */
  of: string;
  response: Promise<Response>;
}

declare global {
  /** Set by public/start.js; taken once. */
  var chargehandEarly: EarlyRequest | undefined;
}

/** The response to a request that public/start.js already sent; undefined when it sent none like it, or it was taken. */
export function takeEarlyResponse(of: string): Promise<Response> | undefined {
  const early = globalThis.chargehandEarly;
  if (early?.of !== of) return undefined;
  globalThis.chargehandEarly = undefined;
  return early.response;
}
