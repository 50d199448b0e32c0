import { readFile } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Registry } from 'prom-client';
import type { MqttGateway } from '../gateways/mqtt/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import { type Certificate, certificateFor } from '../platform/tls/certificate.ts';
import type { ClientAuthority } from '../platform/tls/client-certificate.ts';
import { earliestExpiry, expiryWatch, type UsedCertificate } from '../platform/tls/expiry.ts';

/** The certificates of this process while it is running. */
export interface Certificates {
  /**
   * Reads the files again and uses them for new connections.
   * @throws with a message if one of them cannot be used; the previous ones stay in use then
   */
  reload(): Promise<void>;
  /** Passes the certificate of the server on to another one, whenever it is replaced. */
  shareWith(use: (certificate: Certificate) => void): void;
  /** Warnings about certificates that expire soon. */
  warnings(): readonly Problem[];
  stop(): Promise<void>;
}

export async function liveCertificates(parts: {
  config: Config;
  certificate: Certificate | null;
  clients: ClientAuthority | null;
  server: HttpServer;
  mqtt: MqttGateway | null;
  log: Log;
  metrics: Registry;
  clock: Clock;
}): Promise<Certificates> {
  const { config, clients, server, mqtt, log, clock } = parts;
  const users: ((certificate: Certificate) => void)[] = [];
  const expiry = expiryWatch({ log, metrics: parts.metrics, clock });
  expiry.use(await usedCertificates(config, parts.certificate));
  return {
    async reload() {
      const certificate = await certificateFor(config, config.dataFolder);
      await clients?.reload();
      if (certificate && server instanceof TlsServer) {
        const { cert, key, ca } = certificate;
        server.setSecureContext({ cert, key, ...(ca === undefined ? {} : { ca }) });
        mqtt?.useCertificate({ cert, key, ...(ca === undefined ? {} : { ca }) });
      }
      if (certificate) for (const use of users) use(certificate);
      expiry.use(await usedCertificates(config, certificate));
    },
    shareWith(use) {
      users.push(use);
    },
    warnings: expiry.warnings,
    stop: expiry.stop,
  };
}

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
