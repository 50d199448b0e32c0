import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Crc32c, Crc64NvmeJs } from '@aws-sdk/checksums/crc';
import { S3Problem } from '../problem.ts';

/** Placeholder for the hash of the body that the signature contains. */
export const PAYLOAD = 'x-amz-content-sha256';

export interface Checksum {
  /** the header or trailer with its value */
  name: string;
  update(bytes: Uint8Array): void;
  digest(): Promise<string>;
}

/** How each checksum of a request is computed, and its number of bytes. */
const ALGORITHMS: Record<string, { bytes: number; make(): Omit<Checksum, 'name'> }> = {
  'content-md5': { bytes: 16, make: () => hash('md5') },
  'x-amz-checksum-sha1': { bytes: 20, make: () => hash('sha1') },
  'x-amz-checksum-sha256': { bytes: 32, make: () => hash('sha256') },
  'x-amz-checksum-crc32': { bytes: 4, make: zlibCrc32 },
  'x-amz-checksum-crc32c': { bytes: 4, make: () => sdk(new Crc32c()) },
  'x-amz-checksum-crc64nvme': { bytes: 8, make: () => sdk(new Crc64NvmeJs()) },
};

/**
 * The checksums in a request's headers, and those that its trailer will contain.
 * @throws S3Problem InvalidDigest when one is impossible; NotImplemented for an unknown one
 */
export function checksumsOf(headers: Record<string, string | undefined>, payload: string): Checksum[] {
  const trailing = (headers['x-amz-trailer'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of trailing)
    if (name !== '' && !(name in ALGORITHMS)) throw new S3Problem('NotImplemented', `${name} is not implemented.`);
  const sums = Object.entries(ALGORITHMS).flatMap(([name, { bytes, make }]): Checksum[] => {
    const given = headers[name];
    if (given !== undefined && !isBase64Of(given, bytes)) throw new S3Problem('InvalidDigest');
    return given !== undefined || trailing.includes(name) ? [{ name, ...make() }] : [];
  });
  if (/^[0-9a-f]{64}$/.test(payload)) sums.push({ name: PAYLOAD, ...hash('sha256', 'hex') });
  return sums;
}

function isBase64Of(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, 'base64');
  return decoded.length === bytes && decoded.toString('base64') === text;
}

function hash(algorithm: string, encoding: 'base64' | 'hex' = 'base64'): Omit<Checksum, 'name'> {
  const state = createHash(algorithm);
  return { update: (bytes) => void state.update(bytes), digest: async () => state.digest(encoding) };
}

function zlibCrc32(): Omit<Checksum, 'name'> {
  let crc = 0;
  return {
    update(bytes) {
      crc = crc32(bytes, crc);
    },
    async digest() {
      const result = Buffer.alloc(4);
      result.writeUInt32BE(crc);
      return result.toString('base64');
    },
  };
}

function sdk(state: { update(bytes: Uint8Array): void; digest(): Promise<Uint8Array> }): Omit<Checksum, 'name'> {
  return {
    update: (bytes) => state.update(bytes),
    digest: async () => Buffer.from(await state.digest()).toString('base64'),
  };
}
