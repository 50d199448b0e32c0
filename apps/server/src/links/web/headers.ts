import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Where the pages of a device are: for the device, and for the browser. */
export interface PageTarget {
  port: number;
  /** the origin that the device sees, such as `http://127.0.0.1:8080` */
  deviceOrigin: string;
  /** the origin that the browser sees */
  pageOrigin: string;
}

/** Headers of one connection (RFC 9110 §7.6.1), which are never passed on. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings', 'expect'],
];

/** What a device does not get: the cookies of the browser, and what a proxy in front of this server added. */
const NOT_FOR_DEVICES = new Set([
  ...HOP_BY_HOP,
  ...['cookie', 'host', 'forwarded', 'via', 'x-real-ip', 'service-worker'],
]);

/**
 * What a browser does not get from a device: cookies stay on the server, and the others would change how the browser
 * uses other addresses, or open the page to other sites.
 */
const NOT_FOR_BROWSERS = new Set([
  ...HOP_BY_HOP,
  ...['set-cookie', 'set-cookie2', 'strict-transport-security', 'clear-site-data', 'service-worker-allowed'],
  ...['alt-svc', 'public-key-pins', 'public-key-pins-report-only', 'expect-ct', 'report-to', 'reporting-endpoints'],
  ...['nel', 'content-security-policy-report-only', 'speculation-rules', 'set-login', 'origin-agent-cluster'],
]);

/** Longest `Refresh` header: browsers handle addresses of at least 2,000 characters. */
const LONGEST_REFRESH = 2_100;

/** Parts of a content security policy that send reports, or that need HTTPS. */
const NO_REPORTS = new Set(['report-uri', 'report-to']);

const PRIVATE_ADDRESSES = new BlockList();
for (const [address, prefix] of [
  ...([['10.0.0.0', 8] as const, ['172.16.0.0', 12] as const, ['192.168.0.0', 16] as const] as const),
  ...([['127.0.0.0', 8] as const, ['169.254.0.0', 16] as const, ['100.64.0.0', 10] as const] as const),
])
  PRIVATE_ADDRESSES.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of [['::1', 128] as const, ['fc00::', 7] as const, ['fe80::', 10] as const])
  PRIVATE_ADDRESSES.addSubnet(address, prefix, 'ipv6');

/** True for ports on which device pages use HTTPS. */
export function usesTls(port: number): boolean {
  return port === 443 || port === 8443;
}

/** The origin of a device for itself. Its port is left out where browsers leave it out. */
export function deviceOriginOf(port: number): string {
  return new URL(`${usesTls(port) ? 'https' : 'http'}://127.0.0.1:${port}`).origin;
}

/** The headers of a request as the device expects them. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  { deviceOrigin, pageOrigin }: PageTarget,
  cookies: string,
): OutgoingHttpHeaders {
  const own = connectionOptions(headers.connection);
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !name.startsWith(':') && !name.startsWith('x-forwarded-') && !NOT_FOR_DEVICES.has(name) && !own.has(name),
  );
  const result: OutgoingHttpHeaders = { ...Object.fromEntries(kept), host: new URL(deviceOrigin).host };
  if (headers.origin === pageOrigin) result.origin = deviceOrigin;
  if (headers.referer === pageOrigin || headers.referer?.startsWith(`${pageOrigin}/`))
    result.referer = deviceOrigin + headers.referer.slice(pageOrigin.length);
  if (cookies !== '') result.cookie = cookies;
  return result;
}

/** The headers of a response for the browser, or the port of the same device to which it redirects. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  target: PageTarget,
): { headers: OutgoingHttpHeaders } | { otherPort: number } {
  const own = connectionOptions(headers.connection);
  const result: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NOT_FOR_BROWSERS.has(name) || name.startsWith('access-control-') || own.has(name))
      continue;
    result[name] = value;
  }
  for (const name of ['location', 'content-location'] as const) {
    const given = headers[name];
    if (typeof given !== 'string') continue;
    const moved = addressForBrowser(given, target);
    if (typeof moved === 'number') {
      if (name === 'location') return { otherPort: moved };
      delete result[name];
    } else result[name] = moved;
  }
  const refresh = refreshOf(String(headers.refresh ?? ''));
  if (refresh === 'tooLong') delete result.refresh;
  else if (refresh !== null) {
    const moved = addressForBrowser(refresh.address, target);
    if (typeof moved === 'number') return { otherPort: moved };
    result.refresh = `${refresh.delay || 0}; url=${moved}`;
  }
  const policy = headers['content-security-policy'];
  if (typeof policy === 'string') {
    const kept = policy.split(',').map((one) => cleanPolicy(one, target.pageOrigin.startsWith('https:')));
    result['content-security-policy'] = kept.filter((one) => one !== '').join(', ');
    if (result['content-security-policy'] === '') delete result['content-security-policy'];
  }
  // The address of a page is known to its user only.
  if (headers['referrer-policy'] !== 'no-referrer') result['referrer-policy'] = 'same-origin';
  return { headers: result };
}

/** Seconds and address of a `Refresh` header, such as `3; URL='/login'`; null without an address. */
function refreshOf(header: string): { delay: string; address: string } | 'tooLong' | null {
  if (header.length > LONGEST_REFRESH) return 'tooLong';
  const sign = header.search(/[;,]/);
  const delay = header.slice(0, Math.max(0, sign)).trim();
  const equals = header.indexOf('=', sign);
  if (sign === -1 || equals === -1 || !/^[\d.]*$/.test(delay)) return null;
  if (
    header
      .slice(sign + 1, equals)
      .trim()
      .toLowerCase() !== 'url'
  )
    return null;
  const quoted = header.slice(equals + 1).trim();
  const start = /^["']/.test(quoted) ? 1 : 0;
  const address = quoted.slice(start, /["']$/.test(quoted) && quoted.length > start ? -1 : undefined);
  return address === '' ? null : { delay, address };
}

/**
 * An address in a response of the device for the browser: relative ones stay, and those of the device itself become
 * addresses of its page. A number is the port of the same device that the page does not reach.
 */
export function addressForBrowser(given: string, { port, deviceOrigin, pageOrigin }: PageTarget): string | number {
  const address = URL.canParse(given, deviceOrigin) ? new URL(given, deviceOrigin) : null;
  if (!address || !/^https?:$/.test(address.protocol)) return given;
  if (!/^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(given.trim())) return given;
  if (!isDeviceHost(address.hostname)) return given;
  const named = Number(address.port) || (address.protocol === 'https:' ? 443 : 80);
  return named === port ? pageOrigin + address.pathname + address.search + address.hash : named;
}

/** True for a host that a device uses for itself: an address of its network, or a name without a public domain. */
function isDeviceHost(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  const version = isIP(plain);
  if (version !== 0) return PRIVATE_ADDRESSES.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  return !plain.includes('.') || /\.(?:local|lan|home|internal|intranet|localdomain|home\.arpa)$/.test(plain);
}

function cleanPolicy(policy: string, https: boolean): string {
  const parts = policy.split(';').map((part) => part.trim());
  return parts
    .filter((part) => {
      const name = part.split(/\s/, 1)[0]?.toLowerCase() ?? '';
      return part !== '' && !NO_REPORTS.has(name) && (https || name !== 'upgrade-insecure-requests');
    })
    .join('; ');
}

/** The headers that a message names as those of its connection. */
function connectionOptions(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * Method and path of a request for the record. Values of its query, and of parameters in its path, may be passwords, so
 * only their names are kept.
 */
export function recordedRequest(method: string, url: string): string {
  const [path = '', query] = url.split('#', 1)[0]?.split(/\?(.*)/s, 2) ?? [];
  const shownPath = path.replace(/(;[^=;/]*)=[^;/]*/g, '$1=…');
  if (!query) return `${method} ${shownPath}`;
  const names = query.split('&').map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=…` : '…'));
  return `${method} ${shownPath}?${names.join('&')}`;
}
