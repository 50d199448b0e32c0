import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type MapKind, tileAt, withoutEnd } from '@chargehand/domain';
import { isNetwork } from '../http/peers.ts';
import { PROCESS_ROLES, type ProcessRole } from '../room.ts';

/** The definition of an environment variable. */
export interface Setting<T> {
  /** The default value, as an operator would write it; undefined: there is none. */
  fallback: string | undefined;
  /** The allowed values in words, for the documentation and for the message about an invalid one. */
  allowed: string;
  /** The purpose, in one sentence. */
  purpose: string;
  /** Returns undefined when the text is invalid. */
  read: (text: string) => T | undefined;
}

/** The folder that relative paths in settings start at. */
const PROJECT_FOLDER = join(import.meta.dirname, '../../../../..');

/** The prefixes of the addresses of the console and the API. */
const CONSOLE_ADDRESSES: ReadonlySet<string> = new Set(
  'api assets device-files error find-password healthz login manage metrics ocpp readyz share'.split(' '),
);

/** An integer within bounds, both included. */
export function whole(
  fallback: number,
  least: number,
  most: number,
  purpose: string,
): Setting<number> & { fallback: string } {
  return {
    fallback: String(fallback),
    allowed: `a whole number from ${least} to ${most}`,
    purpose,
    read: (text) => {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** A port that the operator may choose; undefined without a choice. */
export function port(purpose: string): Setting<number> & { fallback: undefined } {
  const { allowed, read } = whole(0, 0, 65_535, purpose);
  return optional(allowed, purpose, read);
}

/** A setting that is on or off. */
export function flag(fallback: boolean, purpose: string): Setting<boolean> & { fallback: string } {
  return {
    fallback: fallback ? 'on' : 'off',
    allowed: 'on or off (also 1 or 0, true or false)',
    purpose,
    read: (text) => {
      if (['on', '1', 'true'].includes(text.toLowerCase())) return true;
      return ['off', '0', 'false'].includes(text.toLowerCase()) ? false : undefined;
    },
  };
}

/** Any text. */
export function text(fallback: string, purpose: string): Setting<string> & { fallback: string } {
  return { fallback, allowed: 'a text', purpose, read: (value) => value };
}

/**
 * The embedded store serves `/<bucket>/…` on the same port as the console, so a bucket cannot use the console's
 * addresses.
 */
export function bucket(fallback: string, purpose: string): Setting<string> & { fallback: string } {
  return {
    fallback,
    allowed: '3 to 63 lower-case letters, digits and dashes, and not the first part of an address of the console',
    purpose,
    read: (value) =>
      /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(value) && !CONSOLE_ADDRESSES.has(value) ? value : undefined,
  };
}

/** An optional setting; undefined when it is not set. */
export function optional<T>(
  allowed: string,
  purpose: string,
  read: (text: string) => T | undefined,
): Setting<T> & { fallback: undefined } {
  return { fallback: undefined, allowed, purpose, read };
}

/** The absolute path of a readable file. */
export function file(purpose: string): Setting<string> & { fallback: undefined } {
  return optional('the path of a readable file', purpose, (value) => {
    const path = absolute(value);
    return isReadableFile(path) ? path : undefined;
  });
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    // Whatever the reason, the operator receives the variable's name and its path.
    return false;
  }
}

/** Relative paths start at the project folder, not at the working directory of the shell. */
export function absolute(path: string): string {
  return resolve(PROJECT_FOLDER, path);
}

/** A range of ports that can be opened without root, such as `50000-50099`. */
export function readPortRange(text: string): { first: number; last: number } | undefined {
  const [, first = '', last = ''] = /^(\d{4,5})-(\d{4,5})$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  return range.first >= 1_024 && range.first <= range.last && range.last <= 65_535 ? range : undefined;
}

/** Without a trailing slash. */
export function readHttpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? withoutEnd(url.href, '/') : undefined;
}

/**
 * XYZ tiles, whose URL has placeholders for zoom and place, or a MapLibre style, whose URL has none and names more than
 * a host.
 */
export function readMapUrl(text: string): { kind: MapKind; url: string } | undefined {
  const places = ['{z}', '{x}', '{y}'].filter((place) => text.includes(place)).length;
  const tile = tileAt(text, 0, 0, 0);
  if (originOf(tile) === undefined || /[{}]/.test(tile)) return undefined;
  if (places === 3) return { kind: 'tiles', url: text };
  return places === 0 && new URL(text).pathname !== '/' ? { kind: 'style', url: text } : undefined;
}

/** Origins, as `https://fonts.example.com,https://tiles.example.com`. */
export function readOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) => originOf(origin) === origin.toLowerCase().replace(/\/$/, '');
  return origins.every(isOrigin) ? origins.map((origin) => new URL(origin).origin) : undefined;
}

/** The origin of a URL without credentials, whose host a content security policy can name: no IPv6, no wildcard. */
function originOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && /^[\w.-]+$/.test(url.hostname);
  return isPlain && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

export function readSmtpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}

/** A bucket of an S3 service, with the key and a prefix for objects. */
export interface S3Place {
  endpoint: string;
  bucket: string;
  /** empty, or with a slash at its end */
  prefix: string;
  region: string;
  key: { accessKeyId: string; secretAccessKey: string };
}

/** `https://KEY_ID:SECRET@host/bucket/prefix?region=name`. Special characters are percent-encoded. */
export function readS3Place(text: string): S3Place | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const [accessKeyId = '', secretAccessKey = '', path = ''] = [url.username, url.password, url.pathname].map(decoded);
  const [bucket = '', ...prefix] = path.split('/').filter((part) => part !== '');
  if (accessKeyId === '' || secretAccessKey === '' || bucket === '') return undefined;
  return {
    ...{ endpoint: url.origin, bucket, prefix: prefix.map((part) => `${part}/`).join('') },
    ...{ region: url.searchParams.get('region') ?? 'us-east-1', key: { accessKeyId, secretAccessKey } },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export function readMqttUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^(mqtts?|wss?):$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined;
}

/** Servers of one NATS cluster: URLs separated by commas, with the same scheme and credentials. */
export function readNatsUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',', MAX_NATS_SERVERS + 1).map((url) => url.trim());
  const isServer = (url: string) =>
    URL.canParse(url) && /^(nats|tls):$/.test(new URL(url).protocol) && new URL(url).hostname !== '';
  return urls.length <= MAX_NATS_SERVERS && urls.every(isServer) ? urls : undefined;
}

const MAX_NATS_SERVERS = 16;

export function readMqttName(text: string): string | undefined {
  return /^[\w.-]{1,64}$/.test(text) ? text : undefined;
}

/** IP addresses and networks, as `127.0.0.1,10.0.0.0/8`. */
export function readNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((network) => network.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

/** Roles of a process, such as `api,jobs`. */
export function readRoles(text: string): ReadonlySet<ProcessRole> | undefined {
  const names = text.split(',').map((name) => name.trim());
  const roles = PROCESS_ROLES.filter((role) => names.includes(role));
  return roles.length > 0 && names.every((name) => PROCESS_ROLES.some((role) => role === name))
    ? new Set(roles)
    : undefined;
}

/** A host name of 253 characters (RFC 1035 §2.3.4) and a port. */
const LONGEST_HOST_AND_PORT = 259;

/** A host name, an IPv4 address or an IPv6 address, and a port; an IPv6 address with a port is in brackets. */
export function readHostAndPort(text: string): { host: string; port: number | null } | undefined {
  if (isIP(text) === 6) return { host: text, port: null };
  if (text.length > LONGEST_HOST_AND_PORT) return undefined;
  const [, inBrackets, name, digits] = /^(?:\[([^\]]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = name ?? (inBrackets !== undefined && isIP(inBrackets) === 6 ? inBrackets : undefined);
  const port = digits === undefined ? null : Number(digits);
  return host === undefined || port === 0 || (port ?? 0) > 65_535 ? undefined : { host, port };
}

/** A domain name in lower case. */
export function readDomain(text: string): string | undefined {
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  const name = text.toLowerCase();
  return name.length <= 200 && new RegExp(`^${label}(?:\\.${label})*$`).test(name) && isIP(name) === 0
    ? name
    : undefined;
}

/** A time of the day, as `03:00`, in minutes after midnight. */
export function readMinutes(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
