import { S3Problem } from './problem.ts';

/**
 * Control characters and non-characters are not allowed in XML 1.0, so no list could contain them. They are refused, as
 * everywhere in the product.
 * @throws S3Problem InvalidArgument
 */
export function requireStorableKey(key: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  if (/[\u0000-\u001f\u007f\ufffe\uffff]/.test(key) || !key.isWellFormed())
    throw new S3Problem('InvalidArgument', 'A key must not contain control characters.');
}
