import type { Server } from 'node:tls';
import { TLSSocket } from 'node:tls';
import type { AttemptReason } from '@chargehand/contract';
import { Counter, type Registry } from 'prom-client';
import type { Log } from '../log.ts';
import { verificationFault } from './client-certificate.ts';

/** A TLS handshake that failed. */
export interface HandshakeFailure {
  remoteAddress: string;
  reason: AttemptReason;
}

/** A connection that its client closed before a handshake, as port scans and health checks do. */
type Failure = { reason: AttemptReason | 'closed'; detail: string };

export interface HandshakeWatch {
  /** Reports the failed handshakes of a server. */
  watch(server: Server, onFailure: (failure: HandshakeFailure) => void): void;
}

/** The same failure of one address is logged at most once in this time. */
const LOG_EVERY_MS = 60_000;
/** Addresses that are remembered for this. */
const REMEMBERED = 1_000;

/** TLS alerts with which a client rejects the certificate of the server, as OpenSSL names them. */
const REJECTED = /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(EXPIRED|UNKNOWN|REVOKED))/;

const WRONG_SIGNATURE = 'CERT_SIGNATURE_FAILURE';

/** Explanations for OpenSSL's errors of handshakes that cannot succeed. */
const DETAILS: Record<string, string> = {
  ERR_SSL_HTTP_REQUEST: 'plain HTTP was sent to a TLS port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the client supports only TLS versions that are too old',
  ERR_SSL_NO_SHARED_CIPHER: 'the client supports none of the cipher suites of the server',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what was sent to a TLS port is not TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what was sent to a TLS port is not TLS',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'the client did not complete the handshake in time',
};

/** Counts and logs failed handshakes, which reach no request handler. */
export function handshakeWatch(parts: { log: Log; metrics: Registry }): HandshakeWatch {
  const failures = new Counter({
    name: 'chargehand_tls_handshake_failures_total',
    help: 'TLS handshakes that failed, by reason.',
    labelNames: ['reason'] as const,
    registers: [parts.metrics],
  });
  const logged = new Map<string, number>();
  const isNew = (key: string) => {
    const now = performance.now();
    if (now - (logged.get(key) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return false;
    logged.delete(key);
    logged.set(key, now);
    const [oldest] = logged.keys();
    if (logged.size > REMEMBERED && oldest !== undefined) logged.delete(oldest);
    return true;
  };
  return {
    watch(server, onFailure) {
      // The address of a connection is no longer known once it is closed.
      server.on('connection', (socket) => socket.remoteAddress);
      server.on('tlsClientError', (error: Error & { code?: string }, socket) => {
        report(failureOf(error, socket), socket);
      });
      // After a wrong signature, OpenSSL's error is still queued, and Node closes the connection with the first read.
      server.on('secureConnection', (socket) => {
        if (String(socket.authorizationError) === WRONG_SIGNATURE)
          report(failureOf(new Error(WRONG_SIGNATURE), socket), socket);
      });
      const report = ({ reason, detail }: Failure, socket: TLSSocket) => {
        const remoteAddress = socket.remoteAddress ?? 'unknown';
        failures.inc({ reason });
        if (isNew(`${remoteAddress} ${reason}`)) {
          parts.log[reason === 'closed' ? 'debug' : 'info'](
            { remoteAddress, reason, detail },
            'a TLS handshake failed',
          );
        }
        if (reason !== 'closed') onFailure({ remoteAddress, reason });
      };
    },
  };
}

function failureOf({ code = '', message }: Error & { code?: string }, socket: TLSSocket): Failure {
  const verification = socket instanceof TLSSocket ? socket.authorizationError : null;
  if (verification) {
    const { fault, detail } = verificationFault(String(verification), socket.getPeerX509Certificate());
    return { reason: fault, detail };
  }
  if (code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE') {
    return { reason: 'certificateMissing', detail: 'the client sent no certificate' };
  }
  if (REJECTED.test(code)) {
    return { reason: 'tlsRejected', detail: `the client does not trust the certificate of the server (${code})` };
  }
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return { reason: 'closed', detail: 'the client closed the connection' };
  return { reason: 'tls', detail: DETAILS[code] ?? (code || message) };
}
