import { createHmac } from 'node:crypto';
import type { WEBHOOK_FORMATS } from '@chargehand/domain';
import { expect, test } from 'vitest';
import type { ChannelMessage } from '../channel-driver.ts';
import { readWebhookAnswer, webhookRequest } from './webhook-formats.ts';

const NOW = new Date('2026-05-04T08:30:00Z');
const MESSAGE = {
  ...{ id: 'm-1', title: 'Fan <failed> & hot', text: 'Pile 1\nConnector 2', url: 'https://c.example/a/1' },
  ...{ locale: 'en-US', at: NOW, data: { event: 'fault', device: 'Pile 1' } },
} as unknown as ChannelMessage;
const TEXT = 'Fan <failed> & hot\nPile 1\nConnector 2\nhttps://c.example/a/1';

const request = (format: (typeof WEBHOOK_FORMATS)[number], secret: string | null = null, message = MESSAGE) => {
  const { url, headers, body } = webhookRequest(
    { url: 'https://r.example/hook?key=1', format, secret, previousSecret: null },
    message,
    NOW,
  );
  return { url: new URL(url), headers, body: JSON.parse(body) };
};

test.each([
  ['standard', { type: 'fault', timestamp: NOW.toISOString(), data: { event: 'fault', device: 'Pile 1' } }],
  ['dingtalk', { msgtype: 'text', text: { content: TEXT } }],
  ['feishu', { msg_type: 'text', content: { text: TEXT.replace('<', '＜').replace('>', '＞') } }],
  ['wecom', { msgtype: 'text', text: { content: TEXT } }],
  [
    'slack',
    {
      text: 'Fan &lt;failed&gt; &amp; hot',
      blocks: [
        {
          type: 'section',
          text: { type: 'plain_text', emoji: false, text: 'Fan <failed> & hot\nPile 1\nConnector 2' },
        },
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://c.example/a/1' }],
        },
      ],
    },
  ],
  [
    'teams',
    {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            ...{ type: 'AdaptiveCard', version: '1.4' },
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            body: [
              { inlines: [{ text: 'Fan <failed> & hot', weight: 'bolder' }] },
              { inlines: [{ text: 'Pile 1' }] },
              { inlines: [{ text: 'Connector 2' }] },
            ].map(({ inlines }) => ({
              type: 'RichTextBlock',
              inlines: inlines.map((run) => ({ type: 'TextRun', ...run })),
            })),
            actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://c.example/a/1' }],
          },
        },
      ],
    },
  ],
] as const)('a request in the format %s', (format, body) => {
  const sent = request(format);
  expect(sent.body).toEqual(body);
  expect(sent.url.href).toBe('https://r.example/hook?key=1');
  expect(sent.headers).toMatchObject({ 'webhook-id': 'm-1', 'content-type': 'application/json; charset=utf-8' });
});

test('DingTalk and Feishu have signatures of their own, and long texts are cut', () => {
  const hmac = (key: string, content: string) => createHmac('sha256', key).update(content).digest('base64');
  const time = NOW.getTime();
  const dingtalk = request('dingtalk', 'S');
  expect(Object.fromEntries(dingtalk.url.searchParams)).toEqual({
    ...{ key: '1', timestamp: `${time}`, sign: hmac('S', `${time}\nS`) },
  });
  expect(request('feishu', 'S').body).toMatchObject({
    ...{ timestamp: `${time / 1_000}`, sign: hmac(`${time / 1_000}\nS`, '') },
  });
  const long = { ...MESSAGE, text: '充'.repeat(700) };
  expect(request('wecom', null, long).body.text.content).toMatch(/^[^…]{599}…\nhttps:\/\/c\.example\/a\/1$/);
});

test.each([
  ['standard', 204, '', true],
  ['slack', 200, 'ok', true],
  ['teams', 202, '', true],
  ['dingtalk', 200, '{"errcode":0}', true],
  ['wecom', 200, '{"errcode":93000}', false],
  ['feishu', 200, '{"code":0}', true],
  ['feishu', 200, '{"StatusCode":19024}', false],
  ['dingtalk', 200, 'no json', false],
  ['feishu', 503, '{"code":0}', false],
  ['standard', 302, '', false],
] as const)('the answer to %s: %i %s', (format, status, text, accepted) => {
  expect(readWebhookAnswer(format, status, text)).toEqual({ accepted });
});
