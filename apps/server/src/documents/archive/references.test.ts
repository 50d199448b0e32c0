import { expect, test } from 'vitest';
import { type Target, targetFinder } from './references.ts';

const paths = [
  ...['a.en-US.md', 'images/a.png', 'images/a b.png', 'images/100%41.png', 'images/杠杆.png', 'guide/b.en-US.md'],
  ...['guide/images/c.png', 'Case/A.png', 'Case/a.png', 'files/manual.pdf', 'images/q?.png'],
];
const find = targetFinder(paths);
const entry = (path: string): Target => ({ to: 'entry', path });

test.each<[url: string, target: Target]>([
  ['images/a.png', entry('images/a.png')],
  ['./images/a.png', entry('images/a.png')],
  ['images\\a.png', entry('images/a.png')],
  ['/images/a.png', entry('images/a.png')],
  ['IMAGES/A.PNG', entry('images/a.png')],
  ['images/a b.png', entry('images/a b.png')],
  ['images/a%20b.png', entry('images/a b.png')],
  ['images/100%41.png', entry('images/100%41.png')],
  ['images/100%2541.png', entry('images/100%41.png')],
  ['images/%E6%9D%A0%E6%9D%86.png', entry('images/杠杆.png')],
  ['images/a.png?raw=true#top', entry('images/a.png')],
  ['images/q?.png', entry('images/q?.png')],
  ['guide/../images/a.png', entry('images/a.png')],
  ['Case/A.png', entry('Case/A.png')],
  ['case/a.PNG', { to: 'ambiguous' }],
  ['../images/a.png', { to: 'missing' }],
  ['images/../../../etc/passwd', { to: 'missing' }],
  ['images/%ZZ.png', { to: 'missing' }],
  ['', { to: 'missing' }],
  ['https://example.org/a.png', { to: 'remote' }],
  ['//example.org/a.png', { to: 'remote' }],
  ['data:image/png;base64,aGk=', { to: 'remote' }],
  ['C:\\images\\a.png', { to: 'remote' }],
])('the picture %j', (url, target) => expect(find('a.en-US.md', url, true)).toEqual(target));

test.each<[url: string, target: Target]>([
  ['../images/a.png', entry('images/a.png')],
  ['images/c.png', entry('guide/images/c.png')],
])('the picture %j of a document in a folder', (url, target) => {
  expect(find('guide/b.en-US.md', url, true)).toEqual(target);
});

test.each<[url: string, target: Target]>([
  ['files/manual.pdf', entry('files/manual.pdf')],
  ['files/7', { to: 'missing' }],
  ['files/other.pdf', { to: 'missing' }],
  ['guide/b.en-US.md', { to: 'document', path: 'guide/b.en-US.md' }],
  ['guide/b.en-US.md#top', { to: 'document', path: 'guide/b.en-US.md' }],
  ['guide/c.md', { to: 'document', path: null }],
  ['#heading', { to: 'page' }],
  ['/manage/docs/list', { to: 'page' }],
  ['https://example.org/a.pdf', { to: 'page' }],
])('the link %j', (url, target) => expect(find('a.en-US.md', url, false)).toEqual(target));
