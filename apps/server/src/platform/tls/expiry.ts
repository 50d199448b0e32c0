import { X509Certificate } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { Problem } from '../http/problem.ts';
import type { Log } from '../log.ts';

/** A certificate of the configuration. */
export interface UsedCertificate {
  /** its label in the metrics */
  use: 'server' | 'client_authority' | 'signing';
  /** the setting that names its file */
  setting: string;
  validTo: Date;
}

export interface ExpiryWatch {
  /** Warnings about certificates that expire soon. */
  warnings(): readonly Problem[];
  /** Replaces the list after a reload. */
  use(certificates: readonly UsedCertificate[]): void;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Authorities that renew automatically do so earlier. */
const WARN_DAYS = 14;

/** When the first of the certificates in a PEM text expires; of a chain, every one must be valid. */
export function earliestExpiry(pem: string): Date {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return new Date(Math.min(...blocks.map((block) => new X509Certificate(block).validToDate.getTime())));
}

/** Reports when certificates expire: as a metric, and in the last two weeks as a daily warning. */
export function expiryWatch(parts: { log: Log; metrics: Registry; clock: Clock }): ExpiryWatch {
  const { log, clock } = parts;
  let used: readonly UsedCertificate[] = [];
  const gauge = new Gauge({
    name: 'chargehand_certificate_expiry_timestamp_seconds',
    help: 'When a configured certificate expires, in seconds since the epoch.',
    labelNames: ['certificate'] as const,
    registers: [parts.metrics],
  });
  const warnings = () => {
    const limit = clock.now().getTime() + WARN_DAYS * DAY_MS;
    return used
      .filter(({ validTo }) => validTo.getTime() < limit)
      .map(({ setting, validTo }) => {
        const values = { setting, date: validTo.toISOString().slice(0, 10) };
        return new Problem('certificateExpires', { values });
      });
  };
  const daily = clock.repeat(
    async () => {
      for (const { message } of warnings()) log.warn(message);
    },
    { job: 'certificateCheck', everyMs: DAY_MS, log, failed: 'the expiry of certificates could not be checked' },
  );
  daily.startLater();
  return {
    warnings,
    use(certificates) {
      used = certificates;
      gauge.reset();
      for (const { use, validTo } of used) gauge.set({ certificate: use }, validTo.getTime() / 1_000);
      for (const { message } of warnings()) log.warn(message);
    },
    stop: () => daily.stop(),
  };
}
