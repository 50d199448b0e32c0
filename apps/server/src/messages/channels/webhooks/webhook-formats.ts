import { createHmac } from 'node:crypto';
import type { SendAnswer, WebhookFormat } from '@chargehand/domain';
import { Webhook } from 'standardwebhooks';
import type { ChannelMessage } from '../channel-driver.ts';

/** A webhook as far as its requests depend on it. Secrets are in clear text. */
export interface WebhookReceiver {
  url: string;
  format: WebhookFormat;
  secret: string | null;
  /** signs, too, while receivers change to the new one */
  previousSecret: string | null;
}

/** A POST request. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Chat programs refuse longer texts. Characters. */
const LONGEST_TEXT = 600;

const OPEN = { 'en-US': 'Open', 'zh-CN': '查看' } as const;

/** The request of a message. Texts are sent as plain text everywhere, so that no value becomes markup or a mention. */
export function webhookRequest(receiver: WebhookReceiver, message: ChannelMessage, now: Date): WebhookRequest {
  const { body, query = {} } = BODIES[receiver.format](message, receiver, now);
  const text = JSON.stringify(body);
  const url = new URL(receiver.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return {
    url: url.href,
    body: text,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Chargehand-Webhook/1',
      'webhook-id': message.id,
      ...(receiver.format === 'standard' ? signatures(receiver, message.id, text, now) : {}),
    },
  };
}

/** A new signing secret of the form that Standard Webhooks defines. */
export function webhookSecretOf(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`;
}

/** The answer of a chat program: some report errors with status 200. */
export function readWebhookAnswer(format: WebhookFormat, status: number, text: string): Pick<SendAnswer, 'accepted'> {
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess || format === 'standard' || format === 'slack' || format === 'teams') return { accepted: isSuccess };
  try {
    const answer = JSON.parse(text) as Record<string, unknown>;
    return { accepted: (answer.errcode ?? answer.code ?? answer.StatusCode) === 0 };
  } catch {
    return { accepted: false };
  }
}

/** Standard Webhooks: the signature of each secret, separated by spaces. */
function signatures(
  { secret, previousSecret }: WebhookReceiver,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const secrets = [secret, previousSecret].filter((one) => one !== null);
  return {
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, now, body)).join(' '),
  };
}

type Body = (
  message: ChannelMessage,
  receiver: WebhookReceiver,
  now: Date,
) => { body: object; query?: Record<string, string> };

const BODIES: Readonly<Record<WebhookFormat, Body>> = {
  standard: ({ data, at }) => ({ body: { type: data.event, timestamp: at.toISOString(), data } }),

  // https://open.dingtalk.com/document/orgapp/customize-robot-security-settings
  dingtalk: (message, { secret }, now) => {
    const timestamp = String(now.getTime());
    const sign = () =>
      createHmac('sha256', secret ?? '')
        .update(`${timestamp}\n${secret}`)
        .digest('base64');
    return {
      body: { msgtype: 'text', text: { content: plainText(message) } },
      ...(secret === null ? {} : { query: { timestamp, sign: sign() } }),
    };
  },

  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  feishu: (message, { secret }, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const sign = () => createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');
    return {
      body: {
        ...(secret === null ? {} : { timestamp, sign: sign() }),
        msg_type: 'text',
        // Feishu reads tags such as <at> in texts.
        content: { text: plainText(message).replace(/[<>]/g, (sign) => (sign === '<' ? '＜' : '＞')) },
      },
    };
  },

  wecom: (message) => ({ body: { msgtype: 'text', text: { content: plainText(message) } } }),

  slack: (message) => ({
    body: {
      text: `${message.title}`.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign),
      blocks: [
        {
          type: 'section',
          text: { type: 'plain_text', emoji: false, text: shortened(`${message.title}\n${message.text}`) },
        },
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: OPEN[message.locale] }, url: message.url }],
        },
      ],
    },
  }),

  // An Adaptive Card. Text runs contain no markup.
  teams: (message) => ({
    body: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            version: '1.4',
            body: [
              textRun(message.title, { weight: 'bolder' }),
              ...message.text.split('\n').map((line) => textRun(shortened(line))),
            ],
            actions: [{ type: 'Action.OpenUrl', title: OPEN[message.locale], url: message.url }],
          },
        },
      ],
    },
  }),
};

function textRun(text: string, style: Record<string, string> = {}): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}

function plainText({ title, text, url }: ChannelMessage): string {
  return `${shortened(`${title}\n${text}`)}\n${url}`;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST_TEXT ? text : `${characters.slice(0, LONGEST_TEXT - 1).join('')}…`;
}
