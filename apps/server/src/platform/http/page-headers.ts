import type { FastifyReply } from 'fastify';

/**
 * Headers of Helmet that only matter for a page: 700 bytes that each script and each JSON answer would have to contain.
 */
const PAGE_HEADERS = [
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
