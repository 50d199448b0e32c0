import { expect, test } from 'vitest';
import { storedFault } from './file-end.ts';
import type { FilePurpose } from './files.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const join = (...parts: (Uint8Array | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const reader = (content: Uint8Array) => async (first: number, last: number) => content.subarray(first, last + 1);
const faultOf = (name: string, content: Uint8Array, purpose: FilePurpose = 'attachment') =>
  storedFault({ name, size: content.length }, purpose, reader(content));

const IEND = hex('00000000 49454e44 ae426082');
const PNG = join(hex('89504e470d0a1a0a'), Buffer.alloc(100, 1));
/** With a preview in its header, a restart marker and stuffed bytes in its data. */
const PREVIEW = join(hex('ffd8ffdb0004 0101 ffd9'));
const HEADER = join(hex('ffd8ffe1'), Buffer.from([0, 2 + PREVIEW.length]), PREVIEW);
const DATA = join(hex('ffda0008 010100003f00'), Buffer.alloc(2_000_000, 0x55), hex('ff00 ffd0 1234 ff00'));
const JPEG = join(HEADER, DATA);
const EOI = hex('ffd9');
const PDF = join('%PDF-1.7\n', Buffer.alloc(200_000, 0x20));
const XREF = 'startxref\n100\n%%EOF\n';

/** A ZIP archive of empty parts (APPNOTE 4.3). */
function zip(names: readonly string[], comment = ''): Buffer {
  const lengths = (name: string, at: number, size: number) => {
    const head = Buffer.alloc(size);
    head.writeUInt16LE(name.length, at);
    return head;
  };
  const files = join(...names.map((name) => join('PK\x03\x04', lengths(name, 22, 26), name)));
  const directory = join(...names.map((name) => join('PK\x01\x02', lengths(name, 24, 42), name)));
  const end = Buffer.alloc(18);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(files.length, 12);
  end.writeUInt16LE(comment.length, 16);
  return join(files, directory, 'PK\x05\x06', end, comment);
}
const WORD = ['[Content_Types].xml', 'word/document.xml'];
const MANY = Array.from({ length: 3_000 }, (_, index) => `word/media/picture-${index}.png`);

test.each<[string, string, Uint8Array, string | null]>([
  ['a picture', 'a.png', join(PNG, IEND), null],
  ['a picture with something after its end', 'a.png', join(PNG, IEND, 'x'), null],
  ['a picture that was cut off', 'a.png', PNG, 'incomplete'],
  ['a photo', 'a.jpg', join(JPEG, EOI), null],
  ['a photo that was cut off in its data', 'a.jpg', JPEG.subarray(0, 1_000_000), 'incomplete'],
  ['a photo that was cut off in its header', 'a.jpeg', HEADER.subarray(0, 10), 'incomplete'],
  ['a photo whose preview alone is complete', 'a.jpg', HEADER, 'incomplete'],
  ['a photo that ends within its end marker', 'a.jpg', join(JPEG, EOI.subarray(0, 1)), 'incomplete'],
  ['a photo with a video after it', 'a.jpg', join(JPEG, EOI, Buffer.alloc(300_000, 7)), null],
  ['a document', 'a.pdf', join(PDF, XREF), null],
  ['a document that was cut off', 'a.pdf', PDF, 'incomplete'],
  ['a document without its end mark', 'a.pdf', join(PDF, 'startxref\n100\n'), 'incomplete'],
  ['an archive with a comment', 'a.zip', zip(['a.txt'], 'a comment'), null],
  ['an archive that was cut off', 'a.zip', zip(['a.txt']).subarray(0, -20), 'incomplete'],
  ['a word file', 'a.docx', zip(WORD), null],
  ['a word file with a long directory', 'a.docx', zip([WORD[0]!, ...MANY, WORD[1]!]), null],
  ['a word file that was cut off', 'a.docx', zip([WORD[0]!, ...MANY, WORD[1]!]).subarray(0, 100_000), 'incomplete'],
  ['a word file without its text', 'a.docx', zip(WORD.slice(0, 1)), 'incomplete'],
  ['a sheet that is a word file', 'a.xlsx', zip(WORD), 'incomplete'],
  ['a sheet', 'a.xlsx', zip([WORD[0]!, 'xl/workbook.xml']), null],
  ['a text', 'a.txt', Buffer.from('text\n'), null],
])('%s', async (_, name, content, fault) => {
  expect(await faultOf(name, content)).toBe(fault);
});

test.each([
  ['a photo of markers', 'a.jpg', join(hex('ffd8ff'), Buffer.alloc(16_000_000, 0xff))],
  ['a photo of restarts', 'a.jpg', join(hex('ffd8ff'), Buffer.alloc(16_000_000, hex('ffd0')))],
  ['a picture of zeros', 'a.png', join(PNG, Buffer.alloc(16_000_000))],
  ['an archive of marks', 'a.zip', join('PK\x03\x04', Buffer.alloc(1_000_000, 'PK\x05'))],
])('%s is refused in linear time, reading each byte once', async (_, name, content) => {
  let read = 0;
  const began = process.cpuUsage();
  const fault = await storedFault({ name, size: content.length }, 'attachment', async (first, last) => {
    read += last + 1 - first;
    return content.subarray(first, last + 1);
  });
  expect(fault).toBe('incomplete');
  expect(read).toBeLessThan(content.length + 100_000);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});
