import { constants, sign } from 'node:crypto';
import { generate } from 'selfsigned';

/** The algorithms of manufacturers' signatures. */
export type SigningWay = 'rsa-pss' | 'rsa' | 'ec';

/**
 * A content with a signature by `Maker`: the fields of a firmware file. Valid for a year, from a minute ago by default.
 */
export async function signedContent(
  content: Buffer,
  { way = 'ec', from = new Date(Date.now() - 60_000) }: { way?: SigningWay; from?: Date } = {},
): Promise<{ signingCertificate: string; signature: string }> {
  const subject = [
    { name: 'commonName', value: 'Maker' },
    { name: 'organizationName', value: 'Piles Ltd' },
  ];
  const made = await generate(subject, {
    ...{ keyType: way === 'ec' ? 'ec' : 'rsa', algorithm: 'sha256', notBeforeDate: from },
  });
  const padding = way === 'rsa-pss' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  const signature = sign('sha256', content, { key: made.private, ...padding }).toString('base64');
  return { signingCertificate: made.cert, signature };
}
