import { Cookie, CookieJar } from 'tough-cookie';

const MAX_COOKIES = 100;
const MAX_COOKIE_CHARACTERS = 8 * 1024;

/** The cookies that a device sets. They stay on the server: the browser, and so the scripts of the page, get none. */
export interface DeviceCookies {
  /** the value of the `Cookie` header for a path */
  of(path: string): string;
  /** Stores the `Set-Cookie` headers of a response. */
  store(path: string, headers: readonly string[] | undefined): void;
}

export function deviceCookies(deviceOrigin: string): DeviceCookies {
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true });
  const urlOf = (path: string) => (URL.canParse(path, deviceOrigin) ? new URL(path, deviceOrigin).href : deviceOrigin);
  return {
    of: (path) => jar.getCookieStringSync(urlOf(path)),
    store(path, headers = []) {
      const url = urlOf(path);
      for (const header of headers) {
        if (header.length > MAX_COOKIE_CHARACTERS) continue;
        const cookie = Cookie.parse(header, { loose: true });
        if (!cookie) continue;
        // The device has one host here, whichever of its names it set the cookie for.
        cookie.domain = null;
        if (jar.getCookiesSync(url, { allPaths: true }).length >= MAX_COOKIES) return;
        jar.setCookieSync(cookie, url, { ignoreError: true });
      }
    },
  };
}
