/** True if an `If-None-Match` header has a tag (RFC 9110 §13.1.2). */
export function hasTag(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((one) => one.trim() === tag) === true;
}
