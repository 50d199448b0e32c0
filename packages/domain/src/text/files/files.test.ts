import { describe, expect, test } from 'vitest';
import {
  contentDisposition,
  contentOf,
  contentPurpose,
  downloadKey,
  endingOf,
  FILE_RULES,
  type FileFacts,
  type FilePurpose,
  fileFault,
  isNearDeadline,
  LARGEST_UPLOAD,
  mediaTypeOf,
  uploadName,
  wholeText,
} from './files.ts';

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));
const PNG = bytes([0x89], 'PNG\r\n', [0x1a, 0x0a]);
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF');
const PDF = bytes('%PDF-1.7');
const ZIP = bytes('PK', [3, 4]);
/** The first local header of an archive, with the name of its entry. */
const archive = (name: string) => bytes('PK', [3, 4], Array(22).fill(0), [name.length, 0, 0, 0], name);
const DOCX = archive('[Content_Types].xml');
const OLE = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const MP4 = bytes([0, 0, 0, 24], 'ftypisom');
const TEXT = bytes('充电桩 plain text\n');

describe('allowed files', () => {
  const cases: [string, Partial<FileFacts> & { name: string }, FilePurpose, ReturnType<typeof fileFault>][] = [
    ['a png', { name: 'logo.png', head: PNG }, 'image', null],
    ['a jpeg', { name: 'Quay.JPG', head: JPEG }, 'image', null],
    ['a text that calls itself a png', { name: 'logo.png', head: TEXT }, 'image', 'content'],
    ['a png that calls itself a jpeg', { name: 'logo.jpg', head: PNG }, 'image', 'content'],
    ['a script in an image', { name: 'x.png', head: bytes('<svg onload=alert(1)>') }, 'image', 'content'],
    ['a gif', { name: 'logo.gif', head: bytes('GIF89a') }, 'image', 'type'],
    ['a name without an ending', { name: 'logo', head: PNG }, 'image', 'nameless'],
    ['a hidden name', { name: '.png', head: PNG }, 'image', 'nameless'],
    ['nothing', { name: 'logo.png', size: 0, head: bytes() }, 'image', 'empty'],
    ['20 MB', { name: 'logo.png', size: 20 * 1024 ** 2, head: PNG }, 'image', null],
    ['one byte more', { name: 'logo.png', size: 20 * 1024 ** 2 + 1, head: PNG }, 'image', 'tooLarge'],
    ['an icon of 501 kb', { name: 'i.png', size: 501 * 1024, head: PNG }, 'icon', 'tooLarge'],
    ['a pdf', { name: 'a.pdf', head: PDF }, 'file', null],
    ['a word file of today', { name: 'a.docx', head: DOCX }, 'file', null],
    ['a sheet that begins with another part', { name: 'a.xlsx', head: archive('docProps/app.xml') }, 'file', null],
    [
      'a word file of eight bytes',
      { name: 'a.docx', size: 8, head: bytes('PK', [3, 4, 20, 0, 0, 0]) },
      'file',
      'content',
    ],
    ['an archive of pictures that calls itself slides', { name: 'a.pptx', head: archive('a.png') }, 'file', 'content'],
    [
      'an archive that breaks off',
      { name: 'a.zip', size: 8, head: bytes('PK', [3, 4, 20, 0, 0, 0]) },
      'file',
      'content',
    ],
    ['an old word file that breaks off', { name: 'a.doc', size: 100, head: OLE }, 'file', 'content'],
    ['a word file of old', { name: 'a.doc', head: OLE }, 'file', null],
    ['one that is the other', { name: 'a.doc', head: ZIP }, 'file', 'content'],
    ['a text', { name: '说明.txt', head: TEXT }, 'file', null],
    ['a program that calls itself a text', { name: 'a.txt', head: bytes('MZ', [0, 3, 0]) }, 'file', 'content'],
    ['a film', { name: 'a.mp4', head: MP4 }, 'video', null],
    ['a film as a file', { name: 'a.mp4', head: MP4 }, 'file', 'type'],
    ['a film of 2 GB as an attachment', { name: 'a.mp4', size: 2 * 1024 ** 3, head: MP4 }, 'attachment', null],
    ['a page as an attachment', { name: 'a.html', head: TEXT }, 'attachment', 'type'],
    ['a drawing with scripts as an attachment', { name: 'a.svg', head: TEXT }, 'attachment', 'type'],
    ['json', { name: 'devices.json', head: bytes('[{"sn":"1"}]') }, 'json', null],
  ];
  test.each(cases)('%s', (_, { name, size = 1_000, head = PNG }, purpose, fault) => {
    expect(fileFault({ name, size, head }, purpose)).toBe(fault);
  });

  test('every extension of a rule has a detectable content', () => {
    const heads = [
      PNG,
      JPEG,
      PDF,
      DOCX,
      OLE,
      MP4,
      TEXT,
      bytes('Rar!', [0x1a, 7]),
      bytes('7z', [0xbc, 0xaf, 0x27, 0x1c]),
      bytes([0x1f, 0x8b, 8]),
    ];
    for (const [purpose, { endings }] of Object.entries(FILE_RULES)) {
      for (const ending of endings) {
        const fits = heads.filter(
          (head) => !fileFault({ name: `a.${ending}`, size: 900, head }, purpose as FilePurpose),
        );
        expect(fits, ending).toHaveLength(1);
      }
    }
  });

  test('attachments have the largest limit', () => expect(LARGEST_UPLOAD).toBe(FILE_RULES.attachment.limit));
});

test('text is distinguished from binary data, even if its last character is cut', () => {
  expect(contentOf(bytes('电').slice(0, 2))).toBe('text');
  expect(contentOf(bytes([0xff, 0xfe, 0x41]))).toBeNull();
  expect(contentOf(bytes())).toBeNull();
});

test.each([
  ['a.tar.GZ', 'gz'],
  ['folder.d/name', null],
  ['folder/name.png', 'png'],
  ['name.', null],
  ['name', null],
])('the extension of %s is %s', (name, ending) => expect(endingOf(name)).toBe(ending));

test('the media type depends on the extension', () => {
  expect(mediaTypeOf('a.PNG')).toBe('image/png');
  expect(mediaTypeOf('a.html')).toBe('application/octet-stream');
});

test.each([
  ['logo.PNG', 0, 'u-1767225600000.png'],
  ['logo.png', 2, 'u-1767225600000_2.png'],
  ['README', 1, 'u-1767225600000_1'],
])('%s, suffix %d, is stored as %s', (file, counter, name) => {
  expect(uploadName('u', 1_767_225_600_000, file, counter)).toBe(name);
});

test.each([
  ['images/a.png', 'images/a.png'],
  ['/images/a.png', 'images/a.png'],
  ['images/a.png?x-oss-process=resize', 'images/a.png'],
  ['https://oss.example.com/images/a%20b.png?Expires=1', 'images/a b.png'],
  ['http://oss.example.com/a%.png', 'a%.png'],
  ['https://oss.example.com/images/a', null],
  ['images/a', null],
  ['images/a?b.png', null],
  ['', null],
])('the download key of %j is %j', (text, key) => expect(downloadKey(text)).toBe(key));

test('a header contains the full file name and an ASCII fallback', () => {
  expect(contentDisposition('充"电(1).png')).toBe(
    `attachment; filename="___(1).png"; filename*=UTF-8''%E5%85%85%22%E7%94%B5%281%29.png`,
  );
});

test.each([
  [-1, true],
  [30 * 60_000, true],
  [30 * 60_000 + 1, false],
])('a deadline in %d ms is near: %s', (inMs, near) => {
  const now = Date.UTC(2026, 0, 1);
  expect(isNearDeadline(new Date(now + inMs), now)).toBe(near);
});

test.each<[string, Uint8Array, number]>([
  ['nothing', bytes(), 0],
  ['lines and a beginning', bytes('one\ntwo\nthr'), 8],
  ['whole lines', bytes('one\ntwo\n'), 8],
  ['a line without an end', bytes('one'), 3],
  ['a character of three bytes', bytes('一'), 3],
  ['text and two of its bytes', bytes('one', [0xe4, 0xb8]), 3],
  ['text and one of four bytes', bytes('one', [0xf0]), 3],
  ['half a character alone', bytes([0xe4, 0xb8]), 2],
  ['bytes that are no text', bytes([0x80, 0x80, 0x80, 0x80, 0x80]), 5],
])('of %s, the whole text has %3$i bytes', (_, part, whole) => {
  expect(wholeText(part)).toBe(whole);
});

test.each([
  ['a.PNG', 'image'],
  ['a.b.jpeg', 'image'],
  ['a.mp4', 'video'],
  ['说明.pdf', 'file'],
  ['a.svg', 'file'],
  ['png', 'file'],
])('%s becomes %s in a document', (name, purpose) => expect(contentPurpose(name)).toBe(purpose));
