import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type ClientAuthority,
  type ClientCertificate,
  certificateOf,
  NO_CERTIFICATE,
} from '../tls/client-certificate.ts';

/**
 * The origin of requests. Headers that a proxy of the operator adds to a request are trusted; the same headers from any
 * other address are ignored.
 */
export interface Peers {
  /** True for the address of a proxy of the operator. */
  isProxy(address: string | undefined): boolean;
  /** The network address of the client: the last entry of `X-Forwarded-For`, which the proxy itself wrote. */
  addressOf(request: IncomingMessage): string;
  /** Whether the client used TLS, to this process or to the proxy (`X-Forwarded-Proto`). */
  isEncrypted(request: IncomingMessage): boolean;
  /** The client certificate, of the connection itself or forwarded by the proxy. */
  certificateOf(request: IncomingMessage, now: Date): ClientCertificate;
}

export interface PeerOptions {
  /** IP addresses and networks of the operator's proxies */
  proxies: readonly string[];
  /** the header in which they forward client certificates, and who verifies those */
  certificates?: { header: string; authority: ClientAuthority } | undefined;
}

/** True for an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  if (more.length > 0 || most < 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}

/** The peers of a product with these proxies; without any, every request comes from its own address. */
export function peersOf({ proxies, certificates }: PeerOptions): Peers {
  const trusted = new BlockList();
  for (const network of proxies) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    trusted.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  const isProxy = (address: string | undefined) =>
    address !== undefined && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  const isForwarded = ({ socket }: IncomingMessage) => isProxy(socket.remoteAddress);
  return {
    isProxy,
    addressOf(request) {
      const entry = isForwarded(request) ? lastOf(request.headers['x-forwarded-for']) : '';
      return entry || request.socket.remoteAddress || 'unknown';
    },
    isEncrypted(request) {
      if (request.socket instanceof TLSSocket) return true;
      return isForwarded(request) && /^(https|wss)$/i.test(lastOf(request.headers['x-forwarded-proto']));
    },
    certificateOf(request, now) {
      const { socket } = request;
      if (certificates && isForwarded(request)) {
        const header = request.headers[certificates.header.toLowerCase()];
        const value = Array.isArray(header) ? header.at(-1) : header;
        if (!value) return NO_CERTIFICATE;
        const certificate = readCertificate(value);
        if (certificate) return certificates.authority.check(certificate, now);
        const detail = `the header ${certificates.header} of the proxy contains no certificate`;
        return { fault: 'certificate', detail };
      }
      return socket instanceof TLSSocket ? certificateOf(socket) : NO_CERTIFICATE;
    },
  };
}

/** Proxies append their entry to what the client sent. */
function lastOf(header: string | string[] | undefined): string {
  return [header].flat().join(',').split(',').at(-1)?.trim() ?? '';
}

/**
 * The certificate in a header: PEM with percent-encoding (nginx: `$ssl_client_escaped_cert`), or Base64 of its DER
 * (HAProxy, Traefik), also between colons (RFC 9440 `Client-Cert`). Null if it is none.
 */
function readCertificate(value: string): X509Certificate | null {
  try {
    const body = decodeURIComponent(value).replaceAll(/-----[A-Z ]+-----|[\s:]/g, '');
    return new X509Certificate(Buffer.from(body, 'base64'));
  } catch {
    // For any error in the header the attempt records that there is no certificate.
    return null;
  }
}
