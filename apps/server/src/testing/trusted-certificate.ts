import { randomUUID } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';

/**
 * A certificate for servers on this machine, which clients in this process trust from now on. Each has its own name:
 * OpenSSL does not accept the second one of the same name that a process trusts.
 */
export async function trustedCertificate(): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: `localhost ${randomUUID()}` }], {
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
