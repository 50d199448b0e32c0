import { networkInterfaces } from 'node:os';
import type { Config } from '../platform/config/config.ts';
import type { Certificate } from '../platform/tls/certificate.ts';

/** The addresses of this process for users and devices. Ports are known once it listens. */
export interface Addresses {
  /** of the console and the API on this machine, without a trailing slash */
  own(): string;
  /** of the console, for links in mails */
  console(): string;
  /** where devices download and upload files over HTTP */
  deviceFiles(): string;
  /** host and port of the FTP server; null when there is none */
  ftp(): string | null;
  /** host and port of the SSH server for links; null while it is not open */
  links(): { host: string; port: number } | null;
  /** for an OCPP device on this machine */
  ocpp(): string;
  /** for an MQTT device on this machine; null while no plain port is open */
  mqtt(): string | null;
  /** for the probe device over MQTT, which has no client certificate; null while no port accepts it */
  mqttProbe(): string | null;
  /** of the console, the API and the gateways */
  port(): number;
  /** Records a port on which the process listens; null: that server is not open. */
  listening(server: 'http' | 'plain' | 'ftp' | 'mqtt' | 'mqttTls' | 'links', port: number | null): void;
}

/** The addresses of a process with these settings. Before it listens, the port of each server is 0. */
export function addressesOf(config: Config, certificate: Certificate | null): Addresses {
  const ports = {
    http: config.port,
    plain: null as number | null,
    ftp: null as number | null,
    mqtt: null as number | null,
    mqttTls: null as number | null,
    links: null as number | null,
  };
  const scheme = certificate ? 'https' : 'http';
  const own = () => `${scheme}://${hostIn(config.host, 'localhost')}:${ports.http}`;
  const deviceFiles = () => {
    const set = config.deviceFilesUrl ?? config.publicUrl;
    if (set !== undefined) return set;
    // Devices do not trust a self-signed certificate.
    if (ports.plain !== null && certificate?.selfSigned) return `http://${deviceHost(config.host)}:${ports.plain}`;
    return `${scheme}://${deviceHost(config.host)}:${ports.http}`;
  };
  const mqtt = () => (ports.mqtt === null ? null : `mqtt://${hostIn(config.host, '127.0.0.1')}:${ports.mqtt}`);
  return {
    own,
    console: () => config.publicUrl ?? own(),
    deviceFiles,
    ftp: () => {
      if (ports.ftp === null) return null;
      return `${config.ftp?.address ?? new URL(deviceFiles()).hostname}:${ports.ftp}`;
    },
    links: () => {
      if (ports.links === null) return null;
      const { host, port } = config.links.host ?? { host: plainHost(new URL(deviceFiles()).hostname), port: null };
      return { host, port: port ?? ports.links };
    },
    ocpp: () => {
      const host = hostIn(config.host, '127.0.0.1');
      if (ports.plain !== null) return `ws://${host}:${ports.plain}/ocpp`;
      return `${certificate ? 'wss' : 'ws'}://${host}:${ports.http}/ocpp`;
    },
    mqtt,
    mqttProbe: () => {
      if (ports.mqttTls === null || config.ocppSecurityProfile >= 3) return mqtt();
      return mqtt() ?? `mqtts://${hostIn(config.host, '127.0.0.1')}:${ports.mqttTls}`;
    },
    port: () => ports.http,
    listening(server, port) {
      if (server === 'http') ports.http = port ?? 0;
      else ports[server] = port;
    },
  };
}

/** A host in a URL without the brackets of an IPv6 address. */
function plainHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** The host in a URL for this machine: an address that means all interfaces is replaced by `own`. */
function hostIn(host: string, own: string): string {
  if (host === '0.0.0.0' || host === '::') return own;
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The host in a URL for devices: an address that means all interfaces is replaced by the first one that other machines
 * can reach.
 */
function deviceHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';
}
