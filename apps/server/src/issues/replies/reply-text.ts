import EmailReplyParser from 'email-reply-parser';

/** The longest text of a reply that becomes a comment; the rest is cut. Characters. */
const LONGEST = 8_000;
/** What mail programs put between a reply and the mail that it answers. */
const SEPARATORS = [
  /^-{2,}\s*(?:原始邮件|原邮件|Original(?: Message)?|Forwarded message)\s*-{2,}/imu,
  /^_{10,}\s*$/mu,
  /^(?:发件人|寄件者)[:：].*\n(?:发送时间|日期|收件人|时间|主题)[:：]/mu,
  /^在.{4,120}写道[:：]\s*$/mu,
  /^From:\s.*\n(?:Sent|Date|To):\s/imu,
];

/** What somebody wrote in a reply: without the mail that they answer, and without their signature. */
export function replyText({ text, html }: { text?: string | undefined; html?: string | undefined }): string {
  const written = text?.trim() ? text : textOfHtml(html ?? '');
  // The patterns of the parser take very long for many empty lines and for long texts.
  let kept = written
    .slice(0, LONGEST * 2)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .slice(0, LONGEST);
  for (const separator of SEPARATORS) {
    const at = kept.search(separator);
    if (at >= 0) kept = kept.slice(0, at);
  }
  const own = new EmailReplyParser().parseReply(kept).trim();
  // Control characters are no text.
  return own.replace(/[^\P{Cc}\n\t]/gu, '').toWellFormed();
}

const HTML_BYTES = 200_000;
/** Elements in which mail programs put the mail that is answered. */
const QUOTES = ['<blockquote', 'class="gmail_quote', 'id="divrplyfwdmsg', 'id="appendonsend'];
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** The text of a mail that has only HTML. Each pattern reads every character once, whatever the mail contains. */
function textOfHtml(html: string): string {
  const small = html.slice(0, HTML_BYTES);
  const starts = QUOTES.map((quote) => small.toLowerCase().indexOf(quote)).filter((at) => at >= 0);
  const kept = starts.length === 0 ? small : small.slice(0, small.lastIndexOf('<', Math.min(...starts)));
  return kept
    .replace(/<(?:style|script|title)\b[^<>]*>[^<]*/giu, '')
    .replace(/\s+/gu, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]*>\s?/giu, '\n')
    .replace(/<[^<>]*>/gu, '')
    .replace(/&(#39|[a-z]{2,4});/gu, (entity, name: string) => ENTITIES[name] ?? entity);
}
