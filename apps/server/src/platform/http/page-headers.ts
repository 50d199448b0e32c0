import type { FastifyReply } from 'fastify';

/** Headers of Helmet that only mean something on a page: 700 bytes that each script and each answer in JSON would carry. */
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

/** Takes the headers for pages from an answer that no browser shows as one. */
export function withoutPageHeaders(reply: Pick<FastifyReply, 'removeHeader'>): void {
  for (const header of PAGE_HEADERS) void reply.removeHeader(header);
}
