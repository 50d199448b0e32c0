import { readFile } from 'node:fs/promises';
import { Server as TlsServer } from 'node:tls';
import type { Config } from '../platform/config/config.ts';
import type { Problem } from '../platform/http/problem.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { type Certificate, certificateFor } from '../platform/tls/certificate.ts';
import { earliestExpiry, expiryWatch, type UsedCertificate } from '../platform/tls/expiry.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    /**
     * Reads the certificate files again and uses them for new connections.
     * @throws with a message if one of them cannot be used; the previous ones stay in use then
     */
    reloadCertificates: () => Promise<void>;
    /** why requests cannot be served, now or soon */
    problems: () => Promise<readonly Problem[]>;
  }
}

/** The certificates of this process while it is running. */
export const certificates = declareRoom({
  name: 'certificates',
  needs: [
    'config',
    'certificate',
    'clients',
    'app',
    'mqtt',
    'log',
    'registry',
    'clock',
    'issues',
    'handshakes',
    'attempts',
    'storageHealth',
  ],
  provides: ['reloadCertificates', 'problems'],
  async open(parts) {
    const { config, clients, mqtt, log, clock, attempts, storageHealth } = parts;
    const { server } = parts.app;
    const expiry = expiryWatch({ log, metrics: parts.registry, clock });
    expiry.use(await usedCertificates(config, parts.certificate));
    if (server instanceof TlsServer) {
      parts.handshakes.watch(server, ({ remoteAddress, reason }) =>
        attempts.record({ gateway: 'ocpp', remoteAddress, target: '*', protocols: null, deviceId: null, reason }),
      );
    }
    return {
      async reloadCertificates() {
        const certificate = await certificateFor(config, config.dataFolder);
        await clients?.reload();
        if (certificate && server instanceof TlsServer) {
          const { cert, key, ca } = certificate;
          server.setSecureContext({ cert, key, ...(ca === undefined ? {} : { ca }) });
          mqtt?.useCertificate({ cert, key, ...(ca === undefined ? {} : { ca }) });
        }
        if (certificate) parts.issues.useCertificate(certificate);
        expiry.use(await usedCertificates(config, certificate));
      },
      problems: async () => [...(await storageHealth.check()), ...expiry.warnings()],
      stop: expiry.stop,
    };
  },
});

async function usedCertificates(config: Config, certificate: Certificate | null): Promise<UsedCertificate[]> {
  const used: UsedCertificate[] = [];
  if (certificate) {
    const setting = certificate.selfSigned ? 'data/tls' : 'CHARGEHAND_TLS_CERT';
    used.push({ use: 'server', setting, validTo: earliestExpiry(certificate.cert) });
  }
  if (config.clientCa !== undefined) {
    const validTo = earliestExpiry(await readFile(config.clientCa, 'utf8'));
    used.push({ use: 'client_authority', setting: 'CHARGEHAND_TLS_CLIENT_CA', validTo });
  }
  if (config.ocppSigning) {
    const validTo = earliestExpiry(await readFile(config.ocppSigning.cert, 'utf8'));
    used.push({ use: 'signing', setting: 'CHARGEHAND_OCPP_SIGNING_CERT', validTo });
  }
  return used;
}
