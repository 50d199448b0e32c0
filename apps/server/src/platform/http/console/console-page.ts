import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Branding, Locale } from '@chargehand/contract';
import { brandStyle } from '@chargehand/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../escape-html.ts';

interface Page {
  etag: string;
  bodies: { br: Buffer; gzip: Buffer; identity: Buffer };
}

/** Sends the page of the console with the branding inside, so that its first paint needs no further request. */
export function consolePage(html: string, branding: () => Branding) {
  const pages = new Map<Locale, Page>();
  let madeFor: Branding | null = null;

  function pageOf(locale: Locale): Page {
    const now = branding();
    if (JSON.stringify(now) !== JSON.stringify(madeFor)) pages.clear();
    madeFor = now;
    const known = pages.get(locale);
    if (known) return known;
    const identity = Buffer.from(brandedPage(html, now, locale));
    const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    const page = { etag, bodies: { br, gzip: gzipSync(identity), identity } };
    pages.set(locale, page);
    return page;
  }

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { etag, bodies } = pageOf(request.locale);
    void reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding, accept-language, cookie' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = (['br', 'gzip'] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted));
    if (encoding) void reply.header('content-encoding', encoding);
    return reply.type('text/html; charset=utf-8').send(bodies[encoding ?? 'identity']);
  };
}

/**
 * The page with its title, icon, colors, and the branding as data. Nothing of it runs: a script of type
 * `application/json` is data, and its text cannot end the element.
 */
export function brandedPage(html: string, branding: Branding, locale: Locale): string {
  const name = locale === 'zh-CN' ? branding.nameZh : branding.nameEn;
  const data = JSON.stringify(branding).replace(/[<>&\u2028\u2029]/g, (letter) => unicodeEscape(letter));
  const { color, logo } = branding;
  const icon = logo === '' ? null : `<link rel="icon" href="${escapeHtml(logo)}" />`;
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(name)}</title>`)
    .replace(/<link rel="icon"[^<>]*>/, (found) => icon ?? found)
    .replace('</head>', () => `<script type="application/json" id="branding">${data}</script>${styleOf(color)}</head>`);
}

/** The id lets an open page replace it. */
function styleOf(color: string): string {
  return color === '' ? '' : `<style id="brand-colors">${brandStyle(color)}</style>`;
}

const unicodeEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
