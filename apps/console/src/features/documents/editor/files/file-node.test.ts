import { expect, test } from 'vitest';
import { picturesIn, purposeOf } from './file-node.ts';

test.each([
  ['a.PNG', 'image'],
  ['a.b.jpeg', 'image'],
  ['a.mp4', 'video'],
  ['说明.pdf', 'file'],
  ['a.svg', 'file'],
  ['png', 'image'],
])('%s is inserted as %s', (name, purpose) => {
  expect(purposeOf(name)).toBe(purpose);
});

test('finds pictures in pasted HTML, and no other data', async () => {
  const html =
    '<p><img alt="" src="data:image/png;base64,aGk="></p><img src="data:image/svg+xml;base64,aGk=">' +
    '<img src="https://example.org/a.png"><img src="data:image/jpeg;base64,%%%"><img src="data:image/jpeg;base64,aA==">';
  const files = picturesIn(html);
  expect(files.map(({ name }) => name)).toEqual(['picture-1.png', 'picture-2.jpg']);
  expect(await files[0]!.text()).toBe('hi');
});
