/** The value of a cookie in a cookie header or `document.cookie`; undefined when it does not exist. */
export function readCookie(cookies: string, name: string): string | undefined {
  const start = `${name}=`;
  const found = cookies
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return found === undefined ? undefined : decodeURIComponent(found.slice(start.length));
}

/** Sets a cookie for the whole console for a year. `page` is the document. */
export function writeCookie(page: { cookie: string }, name: string, value: string): void {
  page.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${365 * 86_400}; samesite=lax`;
}
