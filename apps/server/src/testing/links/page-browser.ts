import { type IncomingHttpHeaders, request as requestOf } from 'node:http';
import { text } from 'node:stream/consumers';

export interface PageAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A browser at the pages of a device, as far as the server can tell. */
export interface PageBrowser {
  host: string;
  cookie: string;
  /** Requests a page. Headers that are undefined are left out. */
  get(path: string, more?: PageRequest): Promise<PageAnswer>;
}

export interface PageRequest {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: string;
}

/** Requests an address of this machine by the name in it, which need not resolve. */
export function requestPage(port: number, host: string, path: string, more: PageRequest = {}): Promise<PageAnswer> {
  const { method = 'GET', headers = {}, body } = more;
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = requestOf({
      ...{ host: '127.0.0.1', port, method, path, agent: false, setHost: false },
      headers: { host, ...(given as Record<string, string>) },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject,
      );
    });
    request.end(body);
  });
}

/** Opens the one-time address of a page. */
export async function openPageBrowser(url: string): Promise<PageBrowser> {
  const { host, port, pathname } = new URL(url);
  const opened = await requestPage(Number(port), host, pathname, { headers: { 'sec-fetch-site': 'cross-site' } });
  const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  if (opened.status !== 200 || cookie === '') throw new Error(`the page was not opened: ${opened.status}`);
  return {
    ...{ host, cookie },
    get: (path, { headers, ...more } = {}) =>
      requestPage(Number(port), host, path, {
        ...more,
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      }),
  };
}
