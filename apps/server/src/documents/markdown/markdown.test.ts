import { cleanContent, type DocumentContent } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { contentFromMarkdown } from './from-markdown.ts';
import { contentToMarkdown } from './to-markdown.ts';

const read = (markdown: string, files: Record<string, string> = {}) =>
  contentFromMarkdown(markdown, (path) => files[path] ?? null);
const write = (content: DocumentContent) => contentToMarkdown(content, (id, name) => `files/${id}-${name}`);

test.each([
  '# Title\n\nA **bold** and *italic* `code` ~~gone~~ text.\n',
  '- one\n- two\n  - nested\n',
  '3. three\n4. four\n',
  '- [ ] open\n- [x] done\n',
  '> quoted\n',
  '> [!WARNING]\n> Switch the power off first.\n',
  '```sh\nls -l\n```\n',
  '| A | B |\n| - | - |\n| 1 | 2 |\n',
  '---\n',
  '[link](https://example.org/a)\n',
  '[DC-1](mention:device/7)\n',
  '充电桩 **故障** 处理\n',
])('%j is the same after import and export', (markdown) => {
  const content = read(markdown);
  expect(cleanContent(content)).toEqual(content);
  // Twice, because Markdown has several forms of the same content.
  expect(read(write(content))).toEqual(content);
  expect(write(read(write(content)))).toBe(write(content));
});

test('files of the folder become images and attachments, pictures of other servers only links', () => {
  const files = { 'files/7-a.png': '7', 'files/8-b.pdf': '8' };
  const content = read('![Plan](files/7-a.png)\n\n[Manual](files/8-b.pdf) ![x](https://example.org/x.png)', files);
  expect(content.content[0]).toEqual({ type: 'image', attrs: { file: '7', alt: 'Plan' } });
  expect(JSON.stringify(content).match(/"type":"image"/g)).toHaveLength(1);
  expect(write(content)).toContain('[x](https://example.org/x.png)');
});

test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[x](javascript:alert(1))'])(
  '%j runs nothing: it is text',
  (markdown) => {
    const json = JSON.stringify(read(markdown));
    expect(json).not.toMatch(/"type":"(script|img|link)"/);
  },
);

test.each([
  ['1,000 lists by indentation', Array.from({ length: 1_000 }, (_, at) => `${'  '.repeat(at)}- ${at}`).join('\n')],
  ['10,000 lists', `${'- '.repeat(10_000)}x`],
  ['10,000 ordered lists', `Text\n\n${'1. '.repeat(10_000)}x`],
  ['10,000 lists in quotes', `${'> * '.repeat(5_000)}x`],
])('%s in each other are refused at once', (_, markdown) => {
  const began = performance.now();
  expect(() => read(markdown)).toThrow(RangeError);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each<[name: string, markdown: string, type: string]>([
  ['a wide rule', '- '.repeat(150).trim(), 'horizontalRule'],
  ['a row of dashes', '-'.repeat(500), 'horizontalRule'],
  ['a list of 1,000 items', '- a\n'.repeat(1_000), 'bulletList'],
  ['code with deep indentation', `\`\`\`\n${' '.repeat(500)}x - y\n\`\`\``, 'codeBlock'],
  ['20 nested lists', `${'- '.repeat(20)}x`, 'bulletList'],
])('%s is read', (_, markdown, type) => {
  expect(read(markdown).content[0]?.type).toBe(type);
});

test('deep nesting is an error or a flat content, not a crash', () => {
  const run = () => read(`${'> '.repeat(20_000)}x`);
  try {
    expect(run().type).toBe('doc');
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
});
