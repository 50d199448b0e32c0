import { expect, test } from 'vitest';
import { lengthWithoutPictures, markerOf, readPasted } from './pasted-html.ts';

test('pictures of pasted HTML become files in their places, and no other data does', async () => {
  const html =
    '<p>a<img src="data:image/png;base64,aGk=">b</p><img src="data:image/svg+xml;base64,aGk=">' +
    '<img src="https://example.org/a.png"><img src="data:image/jpeg;base64,%%%"><img src=\'data:image/jpeg;base64,aA==\'>';
  const { html: left, pictures, remote } = readPasted(html);
  expect(pictures.map(({ name }) => name)).toEqual(['picture-1.png', 'picture-2.jpg']);
  expect(await pictures[0]!.text()).toBe('hi');
  expect(remote).toBe(3);
  expect(left.replace(/<img[^>]*>/g, '')).toBe(`<p>a${markerOf(0)}b</p>${markerOf(1)}`);
});

test('a picture that is already in a document stays', () => {
  const html = '<img data-file="7" src="/api/auth/sys/attachments/7/content">';
  expect(readPasted(html)).toEqual({ html, pictures: [], remote: 0 });
});

test('lists of Word become lists', () => {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
    `<span><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
  const html = `<p>Before</p>${item(1, '1.', 'One')}${item(2, '·', 'Inner')}${item(1, '2.', 'Two')}<p>Between</p>${item(1, '·', 'Other')}`;
  const page = new DOMParser().parseFromString(readPasted(html).html, 'text/html');
  const shape = (element: Element): string =>
    [...element.children]
      .filter(({ tagName }) => /^(P|OL|UL|LI)$/.test(tagName))
      .map((child) => `${child.tagName.toLowerCase()}(${shape(child)})`)
      .join('');
  expect(shape(page.body)).toBe('p()ol(li(ul(li()))li())p()ul(li())');
  expect([...page.querySelectorAll('li')].map(({ textContent }) => textContent?.trim())).toEqual([
    'OneInner',
    'Inner',
    'Two',
    'Other',
  ]);
});

test('hostile HTML of 2 MB is read in one pass', () => {
  const html = '<img '.repeat(400_000);
  expect(readPasted(html).pictures).toEqual([]);
  expect(lengthWithoutPictures(`<p>data:image/png;base64,${'A'.repeat(100)}"</p>`)).toBe('<p>"</p>'.length);
});
