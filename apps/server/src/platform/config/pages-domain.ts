import { getDomain } from 'tldts';

/** The default domain of device pages: browsers resolve its subdomains to this machine and treat each as a site. */
export const LOCAL_DOMAIN = 'localhost';

const PRIVATE = { allowPrivateDomains: true } as const;

/**
 * The registrable domain that the pages of devices would share with the console, null if they share none. A page there
 * could overwrite the cookies of the console.
 */
export function sharedDomain(consoleHost: string, pagesDomain: string): string | null {
  if (pagesDomain === LOCAL_DOMAIN) return null;
  const own = getDomain(consoleHost, PRIVATE);
  if (own !== null && own === getDomain(pagesDomain, PRIVATE)) return own;
  if (isWithin(consoleHost, pagesDomain)) return pagesDomain;
  return isWithin(pagesDomain, consoleHost) ? consoleHost : null;
}

/** True for a name of this machine, which remote users cannot use. */
export function isLocalName(host: string): boolean {
  return host === LOCAL_DOMAIN || isWithin(host, LOCAL_DOMAIN) || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
