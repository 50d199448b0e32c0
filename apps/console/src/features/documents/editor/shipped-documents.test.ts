import type { DocumentContent } from '@chargehand/domain';
import { getSchema } from '@tiptap/core';
import { expect, test } from 'vitest';
import { contentExtensions } from '../../../shared/ui/editor/extensions.ts';

/** Parts of the server, by their address, because the console does not import the server. */
async function server<T>(file: string): Promise<T> {
  const url = new URL(`../../../../../server/src/documents/${file}`, import.meta.url);
  return (await import(/* @vite-ignore */ url.href)) as T;
}

interface Parsed {
  key: string;
  locale: string;
  body: DocumentContent;
}

test('every shipped document is the same after it was opened in the editor and exported', async () => {
  const { readShippedFiles } = await server<{ readShippedFiles(): Promise<never> }>('shipped/shipped-files.ts');
  const { default: parse } = await server<{ default(files: never): Parsed[] }>('shipped/shipped-worker.ts');
  const { contentFromMarkdown } = await server<{
    contentFromMarkdown(text: string, file: () => null): DocumentContent;
  }>('markdown/from-markdown.ts');
  const { contentToMarkdown } = await server<{ contentToMarkdown(body: DocumentContent, path: () => string): string }>(
    'markdown/to-markdown.ts',
  );
  const schema = getSchema(contentExtensions());
  const documents = parse(await readShippedFiles());
  expect(documents.length).toBeGreaterThan(100);
  for (const { key, locale, body } of documents) {
    const opened = schema.nodeFromJSON(body);
    opened.check();
    const saved = contentToMarkdown(opened.toJSON() as DocumentContent, () => '');
    expect(
      contentFromMarkdown(saved, () => null),
      `${key} ${locale}`,
    ).toEqual(body);
  }
});
