import type { FastifyReply } from 'fastify';

/** What no page of the console needs of the computer. Copying and full screen stay. Helmet has no such header. */
export const PERMISSIONS_POLICY = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of Helmet that only matter for a page: 700 bytes that each script and each JSON answer would have to contain.
 */
const PAGE_HEADERS = [
  'permissions-policy',
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/** Removes the page headers from an answer that no browser displays as a page. */
export function withoutPageHeaders(reply: Pick<FastifyReply, 'removeHeader'>): void {
  for (const header of PAGE_HEADERS) void reply.removeHeader(header);
}
