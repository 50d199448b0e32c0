import { S3Problem } from './problem.ts';

/**
 * Control characters and what is no character stand in no XML 1.0, and so in no list: as everywhere in the product, they
 * are refused.
 * @throws S3Problem InvalidArgument
 */
export function requireStorableKey(key: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  if (/[\u0000-\u001f\u007f\ufffe\uffff]/.test(key) || !key.isWellFormed())
    throw new S3Problem('InvalidArgument', 'A key must not hold control characters.');
}
