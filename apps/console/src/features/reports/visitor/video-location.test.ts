import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withoutLocation } from './video-location.ts';

type Part = string | readonly number[] | Uint8Array;
const PLACE = '+48.2082+016.3738/';
const APPLE = 'com.apple.quicktime.location.ISO6709';
const FRAMES = 'pictures and sound';

const bytesOf = (part: Part) =>
  typeof part === 'string' ? new Uint8Array([...part].map((one) => one.charCodeAt(0))) : new Uint8Array(part);
const joined = (parts: readonly Part[]) => new Uint8Array(parts.flatMap((part) => [...bytesOf(part)]));
const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

/** A box with its size; `long`: with one of 64 bits. */
function box(type: string, ...parts: Part[]): Uint8Array {
  const body = joined(parts);
  return joined([u32(body.length + 8), type, body]);
}
const long = (type: string, ...parts: Part[]) => {
  const body = joined(parts);
  return joined([u32(1), type, u32(0), u32(body.length + 16), body]);
};
const hdlr = (kind: string) => box('hdlr', u32(0), '\0\0\0\0', kind, 'name');
const track = (kind: string, entry: string, ...more: Part[]) =>
  box('trak', box('tkhd', 'head'), box('mdia', hdlr(kind), box('minf', box('stbl', stsd(entry)))), ...more);
const stsd = (entry: string) => box('stsd', u32(0), u32(1), u32(entry.length + 4), entry);
const VIDEO = track('vide', 'avc1');
const MP4 = [box('ftyp', 'isom'), box('mdat', FRAMES)];
const android = box('udta', box('\xa9xyz', [0, 18, 0x15, 0xc7], PLACE));
const iphone = box('meta', hdlr('mdta'), box('keys', u32(0), u32(1), u32(44), 'mdta', APPLE), box('ilst', PLACE));

const blob = (...parts: Part[]) => new Blob([joined(parts) as BufferSource], { type: 'video/mp4' });
const textOf = async (file: Blob) => new TextDecoder('latin1').decode(await file.arrayBuffer());

afterEach(() => void vi.restoreAllMocks());

describe('the place where a video was taken', () => {
  it.each([
    ['of an Android phone', [...MP4, box('moov', box('mvhd', 'head'), VIDEO, android)]],
    ['of an iPhone', [box('ftyp', 'qt  '), box('wide'), box('mdat', FRAMES), box('moov', VIDEO, iphone)]],
    ['of a 3GP file', [...MP4, box('moov', VIDEO, box('udta', box('loci', u32(0), PLACE)))]],
    ['in a track', [...MP4, box('moov', track('vide', 'hvc1', android, iphone))]],
    ['in XMP', [...MP4, box('moov', VIDEO), box('uuid', '0123456789abcdef', `<exif:GPS>${PLACE}`)]],
    ['at the start of the file', [box('ftyp', 'isom'), box('moov', android, VIDEO), box('mdat', FRAMES)]],
    ['in the last box, without a size', [...MP4, box('moov', VIDEO), u32(0), 'udta', PLACE]],
    ['behind boxes with sizes of 64 bits', [long('mdat', FRAMES), box('moov', VIDEO, long('udta', PLACE))]],
    ['in a fragment', [...MP4, box('moov', VIDEO), box('moof', box('traf', box('tfhd', 'head'), box('udta', PLACE)))]],
  ])('is overwritten %s, and nothing moves', async (_, parts) => {
    const video = blob(...parts);
    const before = await textOf(video);
    expect(before).toContain(PLACE);
    const cleaned = await withoutLocation(video);
    const after = await textOf(cleaned!);
    expect(after).not.toMatch(/48\.2082|location|xyz|loci|GPS/);
    expect([after.length, cleaned!.type]).toEqual([before.length, 'video/mp4']);
    expect(after.indexOf(FRAMES)).toBe(before.indexOf(FRAMES));
    for (const type of ['udta', 'meta', 'uuid']) expect(after).not.toContain(type);
    // What players need is untouched: only bytes of the metadata differ, and they are free space now.
    const changed = [...after].filter((char, index) => char !== before[index]).join('');
    expect(changed.replace(/[fre\0]/g, '')).toBe('');
    expect(await textOf((await withoutLocation(cleaned!))!)).toBe(after);
  });

  it('is not in a video without metadata, which is sent as it is', async () => {
    const video = blob(...MP4, box('moov', VIDEO, track('soun', 'mp4a')));
    expect(await withoutLocation(video)).toBe(video);
  });

  it('is not in the orientation that an iPhone writes during a video', async () => {
    const orientation = track('meta', 'mebx com.apple.quicktime.video-orientation');
    const cleaned = await withoutLocation(blob(...MP4, box('moov', VIDEO, orientation, iphone)));
    expect(await textOf(cleaned!)).toContain('video-orientation');
    expect(await textOf(cleaned!)).not.toContain(PLACE);
  });

  it.each([
    ['whose tracks of an action camera may contain places', [...MP4, box('moov', VIDEO, track('meta', 'gpmd'))]],
    ['whose values during the video are places', [...MP4, box('moov', VIDEO, track('meta', `mebx ${APPLE}`))]],
    ['with texts', [...MP4, box('moov', VIDEO, track('text', 'tx3g'))]],
    ['whose track has no kind', [...MP4, box('moov', box('trak', box('tkhd', 'head')))]],
    ['with compressed headers', [...MP4, box('moov', box('cmov', PLACE))]],
    ['without headers', [...MP4]],
    ['that is cut', [...MP4, box('moov', VIDEO, android).slice(0, -3)]],
    ['with a box that is larger than the one around it', [...MP4, box('moov', u32(99), 'udta', PLACE)]],
    ['with a box smaller than its own header', [...MP4, box('moov', VIDEO), u32(7), 'udta', PLACE]],
    ['with bytes after the last box', [...MP4, box('moov', VIDEO), 'end']],
    ['that is a WebM', [[0x1a, 0x45, 0xdf, 0xa3], 'webm and more bytes']],
    ['that is empty', []],
  ] as [string, Part[]][])('is not removed from a file %s', async (_, parts) => {
    expect(await withoutLocation(blob(...parts))).toBeNull();
  });

  it('is removed from a large file without reading it', async () => {
    const frames = new Uint8Array(8_000_000);
    const video = new Blob([
      ...[box('ftyp', 'isom'), u32(frames.length + 8), bytesOf('mdat'), frames, box('moov', VIDEO, iphone)].map(
        (part) => new Uint8Array(part) as BufferSource,
      ),
    ]);
    let most = 0;
    const { arrayBuffer } = Blob.prototype;
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function read(this: Blob) {
      most = Math.max(most, this.size);
      return arrayBuffer.call(this);
    });
    const cleaned = await withoutLocation(video);
    expect(cleaned!.size).toBe(video.size);
    expect(most).toBeLessThanOrEqual(64 * 1024);
  });

  it('of any bytes ends with a file of the same size, or none', async () => {
    const part: fc.Arbitrary<Uint8Array> = fc.letrec<{ box: Uint8Array; any: Uint8Array }>((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, fc.uint8Array({ maxLength: 40 }), tie('box')),
      box: fc
        .tuple(
          fc.constantFrom('moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'udta', 'meta', 'uuid', 'mdat', 'hdlr'),
          fc.array(tie('any'), { maxLength: 3 }),
        )
        .map(([type, parts]) => box(type, ...parts)),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const video = blob(...parts);
        const cleaned = await withoutLocation(video);
        if (cleaned === null) return;
        expect(cleaned.size).toBe(video.size);
      }),
    );
  });
});
