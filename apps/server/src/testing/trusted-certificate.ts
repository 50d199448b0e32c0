import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

/** A certificate for servers on this machine, which clients in this process trust from now on. */
export async function trustedCertificate(): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  setDefaultCACertificates([...getCACertificates(), made.cert]);
  return { cert: made.cert, key: made.private };
}
