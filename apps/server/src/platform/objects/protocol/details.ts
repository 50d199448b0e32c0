import type { ObjectDetails } from '../store.ts';
import { S3Problem } from './problem.ts';

/** Amazon S3: 2 KB of `x-amz-meta-…`. */
const LONGEST_METADATA = 2_048;
const META = 'x-amz-meta-';

/** The metadata that a client stores with the bytes. @throws S3Problem MetadataTooLarge */
export function detailsOf(headers: Record<string, string | undefined>): ObjectDetails {
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(META) && value !== undefined ? [[name.slice(META.length), value]] : [],
    ),
  );
  const texts = {
    contentType: headers['content-type'] ?? 'application/octet-stream',
    contentDisposition: headers['content-disposition'],
    contentEncoding: contentEncoding(headers['content-encoding']),
    contentLanguage: headers['content-language'],
    cacheControl: headers['cache-control'],
    expires: headers.expires,
  };
  const size = [...Object.values(texts), ...Object.entries(metadata).flat()].join('').length;
  if (size > LONGEST_METADATA) throw new S3Problem('MetadataTooLarge');
  return { ...texts, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

/** `aws-chunked` is the encoding of the request's body, and not part of the object. */
function contentEncoding(header: string | undefined): string | undefined {
  const left = (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked');
  return left.length > 0 ? left.join(',') : undefined;
}
