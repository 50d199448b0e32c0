import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { archiveOfFolder, NoMarkdown } from './folder-archive.ts';

const placed = (path: string, content = path) => {
  const parts = path.split('/');
  return { file: new File([content], parts.at(-1)!), path: parts.slice(0, -1) };
};
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };

test('a folder becomes an archive of its Markdown files and of what they name', async () => {
  const progress: number[] = [];
  const text = '![](images/a%20b.PNG) ![](<图 1.png>) <img src="x&amp;y.png"> [m](files/a\\_b.pdf)';
  const chosen = [
    ...[placed('docs/Guide.en-US.md', text), placed('docs/sub/Other.zh-CN.md', '# 标题')],
    ...['docs/images/a b.png', 'docs/图 1.png', 'docs/x&y.png', 'docs/files/a_b.pdf'].map((path) => placed(path)),
    ...['docs/unused.png', 'docs/.git/a b.png', 'docs/.hidden.md', 'docs/__MACOSX/a b.png'].map((path) => placed(path)),
  ];
  const archive = await archiveOfFolder(chosen, { ...quiet, onProgress: (part) => progress.push(part) });
  const entries = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(entries).sort()).toEqual([
    ...['Guide.en-US.md', 'files/a_b.pdf', 'images/a b.png', 'sub/Other.zh-CN.md', 'x&y.png', '图 1.png'],
  ]);
  expect(new TextDecoder().decode(entries['Guide.en-US.md'])).toBe(text);
  expect(new TextDecoder().decode(entries['图 1.png'])).toBe('docs/图 1.png');
  expect(progress.at(-1)).toBe(1);
  expect(archive.name).toBe('documents.zip');
});

test('files of several folders keep their paths', async () => {
  const archive = await archiveOfFolder([placed('a/One.en-US.md'), placed('b/Two.en-US.md')], quiet);
  const entries = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(entries)).toEqual(['a/One.en-US.md', 'b/Two.en-US.md']);
});

test('a folder without Markdown, and a cancelled one, are no archive', async () => {
  await expect(archiveOfFolder([placed('docs/a.png')], quiet)).rejects.toThrow(NoMarkdown);
  const signal = AbortSignal.abort(new Error('cancelled'));
  await expect(archiveOfFolder([placed('docs/a.md', '# A')], { ...quiet, signal })).rejects.toThrow('cancelled');
});
