/** Path of s3cmd, installed if necessary. */
export function requireS3cmd(): string;
export function requireLftp(): string;
export function requireMosquitto(): void;
export function requirePromtool(): string;
/** Path of Firefox, installed if necessary. */
export function requireFirefox(): string;
export function requireCluster(): {
  postgres: string;
  haproxy: string;
  mosquitto: string;
  nats: string;
  libraries: string;
  pgbouncer: string;
};
