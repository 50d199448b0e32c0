import { describe, expect, test } from 'vitest';
import { brandColors, contrast } from './brand-colors.ts';
import {
  type BrandingFault,
  type BrandingKey,
  brandingFault,
  enteredBranding,
  LOGO_BYTES,
  logoFormat,
} from './branding.ts';

describe('a value of the branding', () => {
  test.each<[BrandingKey, string, BrandingFault | null]>([
    ['productNameEn', 'North Charging', null],
    ['productNameZh', '北方充电云', null],
    ['productNameEn', '</title><script>alert(1)</script>', null],
    ['productNameEn', '"quoted" & \'single\'', null],
    ['productNameEn', ' ', 'empty'],
    ['productNameEn', 'x'.repeat(40), null],
    ['productNameEn', 'x'.repeat(41), 'length'],
    ['productNameZh', '😀'.repeat(40), null],
    ['productNameEn', 'a\nb', 'characters'],
    ['productNameEn', 'a\u0000b', 'characters'],
    ['productNameEn', 'a\u2028b', 'characters'],
    ['productNameEn', 'a\u202eb', 'characters'],
    ['productNameEn', 'a\u2066b', 'characters'],
    ['productNameEn', 'a\u200fb', 'characters'],
    ['productNameEn', 'a\u200bb', 'characters'],
    ['signInTextEn', 'x'.repeat(300), null],
    ['signInTextEn', 'x'.repeat(301), 'length'],
    ['primaryColor', '#1d5fd0', null],
    ['primaryColor', '#1D5FD0', 'color'],
    ['primaryColor', '#fff', 'color'],
    ['primaryColor', 'red', 'color'],
    ['primaryColor', '#1d5fd0;}', 'color'],
    ['primaryColor', '#767676', null],
    ['primaryColor', '#777777', 'contrast'],
    ['primaryColor', '#ffd21f', 'contrast'],
    ['productLogo', `${'a'.repeat(64)}.png`, null],
    ['productLogo', `${'a'.repeat(64)}.svg`, 'logo'],
    ['productLogo', '../secret.png', 'logo'],
  ])('%s %j: %s', (key, value, fault) => {
    expect(brandingFault(key, value)).toBe(fault);
  });

  test('is stored without outer spaces, and a color in lower case', () => {
    expect(enteredBranding('productNameEn', '  North ')).toBe('North');
    expect(enteredBranding('primaryColor', ' #1D5FD0 ')).toBe('#1d5fd0');
  });
});

describe('the colors of both themes', () => {
  test.each<[string, string, string, number]>([
    ['black and white', '#000000', '#ffffff', 21],
    ['the same', '#123456', '#123456', 1],
    ['gray and white', '#767676', '#ffffff', 4.54],
  ])('contrast of %s', (_name, one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });

  test.each(['#000000', '#1d5fd0', '#767676', '#000080', '#8140b5', '#c4261d'])('%s can be read in both', (color) => {
    const { light, lightHover, dark, darkHover } = brandColors(color);
    expect(light).toBe(color);
    for (const one of [light, lightHover]) expect(contrast(one, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    for (const one of [dark, darkHover]) expect(contrast(one, '#202529')).toBeGreaterThanOrEqual(4.5);
    // the text of a button in the dark theme
    for (const one of [dark, darkHover]) expect(contrast(one, '#14181a')).toBeGreaterThanOrEqual(4.5);
  });
});

describe('the format of a logo, by its content', () => {
  const png = (width: number, height: number, length = 40) => {
    const bytes = Buffer.alloc(length);
    bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
    bytes.write('IHDR', 12, 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const jpeg = (width: number, height: number) => {
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3]);
    return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1]), frame, Buffer.alloc(10)]);
  };
  const webp = (kind: string, write: (bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(40);
    bytes.write(`RIFF0000WEBP${kind}`, 0, 'latin1');
    write(bytes);
    return bytes;
  };
  test.each<[string, Uint8Array, string | null]>([
    ['PNG', png(64, 64), 'png'],
    ['the largest PNG', png(1_024, 1_024, LOGO_BYTES), 'png'],
    ['a file that is too large', png(64, 64, LOGO_BYTES + 1), null],
    ['too many pixels', png(1_025, 64), null],
    ['too few pixels', png(64, 15), null],
    ['a picture that claims to be huge', png(0xffffffff, 64), null],
    ['a cut PNG', png(64, 64).subarray(0, 20), null],
    ['JPEG', jpeg(64, 300), 'jpg'],
    ['a wide JPEG', jpeg(2_000, 300), null],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1]), null],
    ['a JPEG with a segment without end', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 1, 1, 1, 1, 1, 1]), null],
    ['WebP', webp('VP8 ', (b) => b.writeUInt32LE((64 << 16) | 64, 26)), 'webp'],
    ['lossless WebP', webp('VP8L', (b) => b.writeUInt32LE((63 << 14) | 63, 21)), 'webp'],
    ['extended WebP', webp('VP8X', (b) => b.set([63, 0, 0, 63, 0, 0], 24)), 'webp'],
    ['a large extended WebP', webp('VP8X', (b) => b.set([63, 0, 1, 63, 0, 0], 24)), null],
    ['an unknown kind of WebP', webp('XXXX', () => undefined), null],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), null],
    ['GIF', Buffer.from('GIF89a0000000000000000000000000000000000'), null],
    ['nothing', Buffer.alloc(0), null],
  ])('%s', (_name, bytes, format) => {
    expect(logoFormat(bytes)).toBe(format);
  });
});
