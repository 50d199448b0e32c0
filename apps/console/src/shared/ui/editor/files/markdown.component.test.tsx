import { expect, test } from 'vitest';
import { htmlOfMarkdown, looksLikeMarkdown } from './markdown.ts';

test.each<[what: string, isMarkdown: boolean, text: string]>([
  ['headings and paragraphs', true, '# Relay\n\nOpen the **door**.\n'],
  ['a list', true, '- one\n- two\n- three'],
  ['a numbered list in Chinese', true, '1. 断电\n2. 等待十分钟\n3. 测量电压'],
  ['tasks', true, 'Before you start:\n- [ ] Lock the switch'],
  ['a table', true, '| Part | Limit |\n| --- | ---: |\n| K1 | 5 V |'],
  ['a table with lines of Windows', true, 'Part | Limit\r\n--- | ---\r\nK1 | 5 V\r\n'],
  ['a block of code', true, 'Run this:\n\n```sh\nreboot\n```\n'],
  ['a callout', true, '> [!WARNING]\n> Hot'],
  ['a heading and a link', true, '## See also\n\nThe [manual](https://example.org/m.pdf).'],
  ['one line', false, '**Stop**'],
  ['plain text', false, 'Open the door.\n\nWait for ten minutes.'],
  ['a log', false, '2026-11-24 06:05:00 [INFO] boot - ok\n2026-11-24 06:05:01 [WARN] relay 3 * 2 = 6\n'],
  ['a configuration file', false, '# network\ninterface: eth0\ndns:\n  - 8.8.8.8\nmtu: 1500\n# end\n'],
  ['a shell script', false, '#!/bin/sh\n# restart\nsystemctl restart charger\necho "done"'],
  ['JSON', false, '[\n  2,\n  "BootNotification",\n  {}\n]'],
  ['a mail', false, 'Hello,\n\n> Did you reset it?\n\nYes.\n'],
  ['a signature', false, 'Regards\n--\nAda - Service'],
  ['an output of columns', false, 'name | size\na.log | 5\nb.log | 6'],
  ['very long', false, `# A\n\n- b\n${'c'.repeat(200_000)}`],
])('%s: %s', (_, isMarkdown, text) => {
  expect(looksLikeMarkdown(text)).toBe(isMarkdown);
});

test('a text without end is decided at once', () => {
  const hostile = ['|'.repeat(100_000), '```\n'.repeat(50_000), '[a]('.repeat(50_000), '- \n'.repeat(60_000)];
  for (const text of hostile) looksLikeMarkdown(`a\nb\n${text}`);
});

test('tasks and callouts become those of the editor, and HTML stays text', () => {
  expect(htmlOfMarkdown('- [x] Done\n- [ ] Open').replace(/\s+/g, ' ')).toBe(
    '<ul data-type="taskList"> <li data-type="taskItem" data-checked="true"> Done</li> <li data-type="taskItem" data-checked="false"> Open</li> </ul>',
  );
  expect(htmlOfMarkdown('> [!CAUTION]\n> High *voltage*').replace(/\s*\n\s*/g, '')).toBe(
    '<div data-kind="danger"><p>High <em>voltage</em></p></div>',
  );
  expect(htmlOfMarkdown('> [!OTHER]\n> text')).toContain('<blockquote>');
  const hostile = htmlOfMarkdown('# A\n\n<img src=x onerror=alert(1)> [b](javascript:alert(1))');
  expect(hostile).not.toMatch(/<img|javascript:/);
  expect(hostile).toContain('&lt;img');
});
