import type { Locale } from '@chargehand/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '../escape-html.ts';

/** A page that a link in the headers of a mail opens, without scripts. */
export interface LinkPage {
  /** 404 if the link is not valid */
  status: 200 | 404;
  title: string;
  paragraphs: readonly string[];
  /** sends the same address again with POST */
  button?: string;
}

/** Makes the routes of an instance take the forms that mail programs send (RFC 8058 §3.2), whose fields are not read. */
export function takeForms(app: FastifyInstance): void {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    app.addContentTypeParser(type, (_request, payload, done) => {
      payload.resume();
      done(null, undefined);
    });
  }
}

/** Answers with a page. `product` is the name of the product in the language of the page. */
export function sendLinkPage(reply: FastifyReply, locale: Locale, product: string, page: LinkPage): null {
  const { status, paragraphs, button } = page;
  const title = escapeHtml(page.title);
  const text = paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join('');
  const form =
    button === undefined ? '' : `<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`;
  void reply
    .code(status)
    .header('referrer-policy', 'no-referrer')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    )
    .type('text/html; charset=utf-8')
    .send(
      [
        '<!doctype html>',
        `<html lang="${locale}"><head><meta charset="utf-8"><title>${title} · ${escapeHtml(product)}</title>`,
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"></head>',
        '<body style="font:16px/1.6 sans-serif;max-width:32em;margin:3em auto;padding:0 1em">',
        `<h1 style="font-size:1.4em">${title}</h1>${text}${form}</body></html>`,
      ].join('\n'),
    );
  return null;
}
