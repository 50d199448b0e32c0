/** A request that the page sent before its script came. */
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
