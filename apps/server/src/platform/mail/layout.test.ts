import { expect, test } from 'vitest';
import { layOut } from './layout.ts';

const content = {
  paragraphs: ['Hello <b>Ada</b> & "co",', 'Somebody asked.'],
  link: { label: 'Go on', url: 'https://host/find-password/reset#a-b_c' },
  notes: ['Two hours.'],
  signature: 'Chargehand',
};

test('plain text is complete', () => {
  expect(layOut(content, 'en-US').text).toBe(
    'Hello <b>Ada</b> & "co",\n\nSomebody asked.\n\nGo on:\nhttps://host/find-password/reset#a-b_c\n\nTwo hours.\n\n-- \nChargehand\n',
  );
});

test('entered texts remain text in HTML', () => {
  const { html } = layOut(content, 'en-US');
  expect(html).toContain('Hello &lt;b&gt;Ada&lt;/b&gt; &amp; &quot;co&quot;,');
  expect(html).not.toContain('<b>');
});

test('HTML declares its language and loads nothing', () => {
  const { html } = layOut(content, 'zh-CN');
  expect(html).toContain('<html lang="zh-CN">');
  expect(html).not.toMatch(/<img|<link|<script|url\(|src=/);
});
