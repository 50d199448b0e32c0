import type { ServerResponse } from 'node:http';
import type { Locale } from '@chargehand/contract';
import { escapeHtml } from '../../platform/escape-html.ts';

/** A status, and title and text in both languages. */
const notice = (status: number, en: readonly [string, string], zh: readonly [string, string]) => ({ status, en, zh });

/** What the browser sees instead of a page of the device. */
const NOTICES = {
  over: notice(
    410,
    ['This page is no longer available', 'The link to the device has ended. Request it again in {product}.'],
    ['页面已失效', '与设备的远程连接已结束，请在 {product} 中重新申请。'],
  ),
  notAllowed: notice(
    403,
    [
      'This page cannot be opened here',
      'It is available only in the browser in which you opened the link, while you are signed in. Open it again in {product}.',
    ],
    ['无法在此处打开页面', '仅可在打开该远程连接的浏览器中访问，且须保持登录。请在 {product} 中重新打开。'],
  ),
  guestOver: notice(
    410,
    ['Your access has ended', 'To continue, ask the person who invited you for a new invitation.'],
    ['您的访问已结束', '如需继续，请向邀请您的人索取新的邀请。'],
  ),
  readOnly: notice(
    403,
    ['You can only read', 'You are a guest who can view these pages. Nothing was sent to the device.'],
    ['仅可查看', '您以访客身份查看这些页面，未向设备发送任何内容。'],
  ),
  hostAway: notice(
    403,
    ['The host has lost the connection', 'Until the host is back, you can only read. Nothing was sent to the device.'],
    ['主持人的连接已断开', '主持人恢复连接前您仅可查看，未向设备发送任何内容。'],
  ),
  refused: notice(
    502,
    [
      'The device refuses connections on port {port}',
      'Check on which port its web pages are, and request a link with that port.',
    ],
    ['设备拒绝端口 {port} 的连接', '请确认设备 WEB 页面所用的端口，并使用该端口重新申请远程连接。'],
  ),
  noAnswer: notice(
    504,
    ['The device does not respond', 'It accepted the request and sent no response. Try again.'],
    ['设备无响应', '设备已接收请求，但未返回响应，请重试。'],
  ),
  invalid: notice(
    502,
    ['The device sent no valid response', 'What it sent on port {port} is not a web page. Check the port of the link.'],
    ['设备返回的响应无效', '端口 {port} 返回的内容不是 WEB 页面，请检查远程连接的端口。'],
  ),
  otherPort: notice(
    502,
    ['The device continues on port {other}', 'This link reaches only port {port}. Request a link with port {other}.'],
    ['设备跳转到端口 {other}', '此远程连接只能访问端口 {port}，请使用端口 {other} 重新申请。'],
  ),
  busy: notice(
    503,
    ['Too many requests at once', 'Wait until some of them are done, then try again.'],
    ['并发请求过多', '请稍候重试。'],
  ),
  noWorkers: notice(
    403,
    ['Service workers are not available', 'They would continue after the end of the link.'],
    ['不支持 Service Worker', '远程连接结束后它仍会继续运行，因此不可用。'],
  ),
  badRequest: notice(
    400,
    ['This address is not valid', 'Check the address, or open the page again in {product}.'],
    ['地址无效', '请检查地址，或在 {product} 中重新打开页面。'],
  ),
};

export type Notice = keyof typeof NOTICES;

/** The status of a notice. */
export const noticeStatus = (name: Notice): number => NOTICES[name].status;

/** Sends a notice: a small page without scripts. */
export function sendNotice(
  response: ServerResponse,
  {
    method,
    locale,
    notice,
    product,
    values = {},
  }: {
    method: string | undefined;
    locale: Locale;
    notice: Notice;
    /** the name of the product in this language */
    product: string;
    values?: Readonly<Record<string, number>>;
  },
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, ...texts } = NOTICES[notice];
  const page = noticePage(locale, texts, { product, ...values });
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    ...OWN_HEADERS,
    // Nothing that the page stored in the browser remains. This covers the origin of the link only.
    ...(notice === 'over' || notice === 'guestOver' ? { 'clear-site-data': '"cache", "storage"' } : {}),
    ...(notice === 'busy' ? { 'retry-after': '2' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : page);
}

/** The headers of pages of this server at the address of a device page. */
export const OWN_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

function noticePage(
  locale: Locale,
  texts: { en: readonly [string, string]; zh: readonly [string, string] },
  values: Readonly<Record<string, string | number>>,
): string {
  const [title, text] = (locale === 'zh-CN' ? texts.zh : texts.en).map((one) =>
    one.replace(/\{(\w+)\}/g, (_, name: string) => escapeHtml(String(values[name] ?? ''))),
  );
  return `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; color: #1f2733; background: #fff; margin: 15vh auto; max-width: 32rem; padding: 0 1.5rem }
h1 { font-size: 1.4rem; line-height: 1.3 }
@media (prefers-color-scheme: dark) { body { color: #e6e9ee; background: #14181f } }
</style>
<main><h1>${title}</h1><p>${text}</p></main>
</html>
`;
}
