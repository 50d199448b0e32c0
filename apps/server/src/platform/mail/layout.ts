import type { Locale } from '@chargehand/contract';
import { escapeHtml } from '../escape-html.ts';

/** The content of a mail, before its layout. */
export interface MailContent {
  /** their line breaks are kept */
  paragraphs: readonly string[];
  /** the link after the paragraphs */
  link?: { label: string; url: string };
  /** after the link: when it expires, what to do when the reader did not request it */
  notes?: readonly string[];
  /** the sender's name */
  signature: string;
}

/** A mail as complete plain text, and as simple HTML without pictures or other external content. */
export function layOut(content: MailContent, locale: Locale): { text: string; html: string } {
  const { paragraphs, link, notes = [], signature } = content;
  const text = [
    ...paragraphs,
    ...(link ? [`${link.label}${locale === 'zh-CN' ? '：' : ':'}\n${link.url}`] : []),
    ...notes,
    `-- \n${signature}`,
  ].join('\n\n');
  const html = [
    '<!doctype html>',
    `<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>`,
    '<body style="margin:0;padding:24px;background:#f4f4f1;color:#1d1d1b;font:15px/1.6 sans-serif">',
    '<div style="max-width:560px;margin:0 auto;padding:24px;background:#fff;border:1px solid #ddddd6">',
    ...paragraphs.map(
      (paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`,
    ),
    ...(link ? [linkOf(link)] : []),
    ...notes.map((note) => `<p style="margin:0 0 12px;color:#5c5c55;font-size:13px">${escapeHtml(note)}</p>`),
    `<p style="margin:16px 0 0;color:#5c5c55;font-size:13px">${escapeHtml(signature)}</p>`,
    '</div></body></html>',
  ].join('\n');
  return { text: `${text}\n`, html };
}

/** The address is also visible as text, for mail programs that show no buttons. */
function linkOf({ label, url }: { label: string; url: string }): string {
  const style = 'display:inline-block;padding:10px 18px;background:#1d1d1b;color:#fff;text-decoration:none';
  return [
    `<p style="margin:0 0 12px"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0 0 16px;font-size:13px;word-break:break-all"><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
  ].join('\n');
}
