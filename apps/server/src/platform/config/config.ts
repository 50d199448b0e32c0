import { isIPv4 } from 'node:net';
import { hostname } from 'node:os';
import { DATUMS, isGuessable, passwordLacks, type Rollup } from '@chargehand/domain';
import { COMMON_PASSWORDS } from '../common-passwords.ts';
import type { LogLevel } from '../log.ts';
import { type Mailbox, readMailbox } from '../mail/mailbox.ts';
import { PROCESS_ROLES } from '../room.ts';
import {
  absolute,
  bucket,
  file,
  flag,
  optional,
  port,
  readHttpUrl,
  readMqttName,
  readMqttUrl,
  readNetworks,
  readPortRange,
  readRoles,
  readSmtpUrl,
  readTileUrl,
  type Setting,
  text,
  whole,
} from './setting.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];
/** The port for FTP (21) where it can be opened without root. */
const DEFAULT_FTP_PORT = 2121;

/** Every environment variable of the product. `docs/operations.md` contains the same table; a test compares them. */
export const SETTINGS = {
  PORT: whole(8080, 0, 65_535, 'Port of the console, the API and the device gateways. 0 selects a free port.'),
  HOST: text('127.0.0.1', 'Address to listen on. `0.0.0.0` means all addresses.'),
  CHARGEHAND_ROLES: {
    ...text(
      PROCESS_ROLES.join(','),
      'What this process runs: `api` serves the console, `gateway` connects devices, `jobs` runs scheduled work. Together they are one product. Only one process can use a database.',
    ),
    allowed: `one or more of ${PROCESS_ROLES.join(', ')}, separated by commas`,
    read: readRoles,
  },
  CHARGEHAND_DATA: {
    ...text('data', 'Folder for all stored data, relative to the project.'),
    read: (value: string) => absolute(value),
  },
  DATABASE_URL: optional('a postgres:// URL', 'PostgreSQL 15 or later to use instead of the embedded one.', (value) =>
    /^postgres(ql)?:\/\/./.test(value) ? value : undefined,
  ),
  CHARGEHAND_DATABASE_CONNECTIONS: whole(
    20,
    4,
    500,
    'Maximum number of connections for requests and devices. Five more are used in addition.',
  ),
  CHARGEHAND_DATABASE_WAIT_SECONDS: whole(
    60,
    0,
    3_600,
    'Seconds to wait at the start for a database that cannot be reached.',
  ),
  CHARGEHAND_ADMIN_PASSWORD: optional(
    '8 to 32 characters with upper and lower case letters, digits and a special character, and not a common password',
    'First password of the administrator. If empty, one is generated and printed once.',
    (value) =>
      passwordLacks(value).length === 0 && !isGuessable(value, COMMON_PASSWORDS, ['administrator']) ? value : undefined,
  ),
  CHARGEHAND_DEMO: flag(true, 'Runs simulated devices against the real gateways (`0` for production).'),
  CHARGEHAND_DEMO_DEVICES: whole(24, 1, 10_000, 'Number of simulated devices.'),
  CHARGEHAND_DEMO_HISTORY: flag(
    true,
    'Gives the simulated devices two weeks of invented history, if nobody has used the database yet.',
  ),
  CHARGEHAND_CAPTCHA: flag(true, 'Requires the captcha at sign-in (`off` for automated tests only).'),
  CHARGEHAND_LANGUAGE_SWITCH: flag(false, 'Shows the language switch in the console.'),
  CHARGEHAND_SESSION_MINUTES: whole(30, 1, 1_440, 'Minutes without a request after which a session ends.'),
  CHARGEHAND_SESSION_HOURS: whole(12, 1, 720, 'Hours after sign-in when a session ends, even if it is active.'),
  CHARGEHAND_SESSIONS_PER_USER: whole(
    5,
    1,
    100,
    'Maximum number of sessions of an account. A further sign-in ends the oldest session.',
  ),
  CHARGEHAND_LOG: {
    fallback: 'info',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    purpose: 'Minimum log level.',
    read: (value: string) => LOG_LEVELS.find((level) => level === value),
  },
  CHARGEHAND_TLS_CERT: file('Certificate chain (PEM) for HTTPS and `wss://`. Requires the key.'),
  CHARGEHAND_TLS_KEY: file('Private key (PEM) of the certificate.'),
  CHARGEHAND_TLS_CLIENT_CA: file(
    'Certificate authority (PEM) of the client certificates of devices (security profile 3).',
  ),
  CHARGEHAND_DEVICE_PORT: whole(
    8081,
    0,
    65_535,
    'Port for devices that support only plain `ws://` while the console uses HTTPS. 0 opens no port. Closed from security profile 2.',
  ),
  CHARGEHAND_OCPP_SECURITY_PROFILE: whole(
    0,
    0,
    3,
    'OCPP security profile. 0 requires a password only from devices that have one, 1 from all devices, 2 requires TLS, 3 requires client certificates.',
  ),
  CHARGEHAND_OCPP_SIGNING_CERT: file(
    'Certificate (PEM) of the authority that signs certificates of charging stations, with its intermediate certificates. Requires the key.',
  ),
  CHARGEHAND_OCPP_SIGNING_KEY: file('Private key (PEM) of that authority. If empty, no certificates are signed.'),
  CHARGEHAND_OCPP_CERTIFICATE_DAYS: whole(
    365,
    1,
    3_650,
    'Days a signed certificate of a charging station is valid, at most until the certificate of the authority expires.',
  ),
  CHARGEHAND_TRUSTED_PROXIES: optional(
    'IP addresses or networks such as 10.0.0.0/8, separated by commas',
    'Your own proxies. From these addresses, `X-Forwarded-For` is the client address and `X-Forwarded-Proto` says whether the client used TLS.',
    readNetworks,
  ),
  CHARGEHAND_CLIENT_CERT_HEADER: optional(
    'the name of a header',
    'Header in which your proxies send the client certificates of devices (security profile 3). They are verified with `CHARGEHAND_TLS_CLIENT_CA`. Requires `CHARGEHAND_TRUSTED_PROXIES`.',
    (value) => (/^[A-Za-z0-9-]{1,64}$/.test(value) ? value.toLowerCase() : undefined),
  ),
  CHARGEHAND_PING_SECONDS: whole(30, 1, 3_600, 'Seconds between WebSocket pings to a device.'),
  CHARGEHAND_FRAME_LIMIT_BYTES: whole(262_144, 1_024, 16_777_216, 'Maximum size of a frame from a device.'),
  CHARGEHAND_MQTT: flag(true, 'Runs the embedded MQTT broker for storage devices, unless `MQTT_URL` is set.'),
  CHARGEHAND_MQTT_PORT: port(
    'Port of the embedded MQTT broker. If empty, 1883, or a free port if 1883 is in use. Closed from security profile 2.',
  ),
  CHARGEHAND_MQTT_TLS_PORT: port(
    'TLS port of the embedded MQTT broker while the console uses HTTPS. If empty, 8883, or a free port.',
  ),
  CHARGEHAND_MQTT_MESSAGE_BYTES: whole(
    1_048_576,
    1_024,
    16_777_216,
    'Maximum size of an MQTT message from a device, compressed or not.',
  ),
  CHARGEHAND_MQTT_CONNECTIONS: whole(
    20_000,
    1,
    1_000_000,
    'Maximum number of connections to the embedded MQTT broker.',
  ),
  MQTT_URL: optional(
    'an mqtt://, mqtts://, ws:// or wss:// URL with a host',
    'MQTT broker to use instead of the embedded one, with the credentials of this product.',
    readMqttUrl,
  ),
  MQTT_CLIENT_ID: optional(
    '1 to 64 letters, digits, dots, dashes or underscores',
    'Client name at the broker of `MQTT_URL`. If empty, `chargehand-` and the host name.',
    readMqttName,
  ),
  MQTT_HOST_ID: {
    ...text('chargehand', 'Host ID in Sparkplug STATE messages.'),
    allowed: '1 to 64 letters, digits, dots, dashes or underscores',
    read: readMqttName,
  },
  CHARGEHAND_PROTOCOL_LOG_DAYS: whole(30, 1, 3_650, 'Days protocol frames are kept.'),
  CHARGEHAND_READING_DAYS: whole(400, 1, 36_500, 'Days readings are kept in full resolution.'),
  CHARGEHAND_ROLLUP_5MIN_DAYS: whole(400, 1, 36_500, 'Days 5-minute rollups are kept.'),
  CHARGEHAND_ROLLUP_HOUR_DAYS: whole(800, 1, 36_500, 'Days hourly rollups are kept.'),
  CHARGEHAND_ROLLUP_DAY_DAYS: whole(3_660, 1, 36_500, 'Days daily rollups are kept.'),
  CHARGEHAND_DEVICE_LOG_DAYS: whole(90, 1, 3_650, 'Days device logs are kept.'),
  CHARGEHAND_READ_PARAMETERS: flag(
    true,
    'Reads the parameters of OCPP devices after they are registered and after each boot.',
  ),
  CHARGEHAND_DEVICE_FILES_URL: optional(
    'an http:// or https:// URL',
    'URL where devices download firmware and upload logs. If empty, `CHARGEHAND_PUBLIC_URL`, or the address the server listens on.',
    readHttpUrl,
  ),
  CHARGEHAND_FTP_PORT: whole(
    DEFAULT_FTP_PORT,
    0,
    65_535,
    'FTP port for firmware downloads and log uploads of devices. 0 opens no port. If the default port is in use, FTP stays off with a warning. From security profile 2, the port opens only if it is set.',
  ),
  CHARGEHAND_FTP_PASSIVE_PORTS: {
    ...text('50000-50099', 'First and last port of FTP data connections.'),
    allowed: 'two whole numbers from 1024 to 65535, separated by a dash',
    read: readPortRange,
  },
  CHARGEHAND_FTP_ADDRESS: optional(
    'an IPv4 address',
    'Address where devices reach the FTP server if it differs from the listening address, for example behind NAT.',
    (value) => (isIPv4(value) ? value : undefined),
  ),
  CHARGEHAND_METRICS_TOKEN: optional(
    'at least 16 characters without spaces',
    'Bearer token required by `/metrics`. If empty, only requests from this machine are allowed.',
    (value) => (/^\S{16,}$/.test(value) ? value : undefined),
  ),
  CHARGEHAND_PUBLIC_URL: optional(
    'an http:// or https:// URL',
    'URL of the console for links in mails. If empty, the address the server listens on. With https://, cookies are always `Secure`.',
    readHttpUrl,
  ),
  CHARGEHAND_MAP_TILES: optional(
    'an http:// or https:// URL with {z}, {x} and {y}',
    'Map tiles of sites (XYZ, Web Mercator), loaded by browsers. If empty, maps show coastlines only.',
    readTileUrl,
  ),
  CHARGEHAND_MAP_ATTRIBUTION: optional('a text', 'Attribution of the map tiles, shown on every map.', (value) => value),
  CHARGEHAND_MAP_DATUM: {
    fallback: 'WGS-84',
    allowed: DATUMS.join(' or '),
    purpose: 'Datum of the map tiles. Most maps of mainland China use GCJ-02.',
    read: (value) => DATUMS.find((datum) => datum === value.toUpperCase()),
  },
  SMTP_URL: optional(
    'an smtp:// or smtps:// URL with a host',
    'Mail server. If empty, mails are stored and root can read them in the console. Requires `MAIL_FROM`.',
    readSmtpUrl,
  ),
  MAIL_FROM: optional(
    'an email address, or a name and an address as `Name <address>`',
    'Sender of mails.',
    readMailbox,
  ),
  S3_ENDPOINT: optional(
    'an http:// or https:// URL',
    'S3 service to use instead of the embedded object store, with path-style addressing. Requires the keys.',
    readHttpUrl,
  ),
  S3_REGION: {
    ...text('oss-cn-hongkong', 'Region in S3 signatures.'),
    allowed: 'letters, digits and dashes',
    read: (value: string) => (/^[A-Za-z0-9-]{1,64}$/.test(value) ? value : undefined),
  },
  S3_ACCESS_KEY_ID: optional(
    '3 to 128 letters, digits, dots, dashes or underscores',
    'Access key ID of the S3 service. For the embedded object store, your own key for tools such as `s3cmd`.',
    (value) => (/^[\w.-]{3,128}$/.test(value) ? value : undefined),
  ),
  S3_SECRET_ACCESS_KEY: optional('at least 16 characters without spaces', 'Secret access key.', (value) =>
    /^\S{16,}$/.test(value) ? value : undefined,
  ),
  S3_BUCKET: bucket('chargehand', 'Bucket for pictures and documents.'),
  S3_FIRMWARE_BUCKET: bucket('chargehand-firmware', 'Bucket for firmware.'),
  S3_STS_ENDPOINT: optional(
    'an http:// or https:// URL',
    'STS endpoint for temporary credentials (AssumeRole). If empty, `S3_ENDPOINT`.',
    readHttpUrl,
  ),
  S3_ROLE_ARN: {
    ...text('arn:aws:iam:::role/chargehand', 'Role to assume for temporary credentials.'),
    allowed: 'an ARN',
    read: (value: string) => (/^arn:[\w:/+=,.@-]{8,2000}$/.test(value) ? value : undefined),
  },
} satisfies Record<string, Setting<unknown>>;

/** Settings whose value is never shown, even when it is invalid. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'CHARGEHAND_ADMIN_PASSWORD',
  'CHARGEHAND_METRICS_TOKEN',
  'DATABASE_URL',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
  'MQTT_URL',
]);

type Read<T> = T extends { read: (text: string) => infer R } ? Exclude<R, undefined> : never;
type Settings = typeof SETTINGS;
type Value<Name extends keyof Settings> = Settings[Name]['fallback'] extends string
  ? Read<Settings[Name]>
  : Read<Settings[Name]> | undefined;

/**
 * The retention of readings in days: single ones, and those of each rollup. A coarser rollup is stored at least as long
 * as a finer one.
 */
export interface ReadingDays {
  raw: number;
  rollups: Record<Rollup, number>;
}

/** The product's settings, validated. */
export interface Config {
  port: Value<'PORT'>;
  host: Value<'HOST'>;
  roles: Value<'CHARGEHAND_ROLES'>;
  /** Absolute path. */
  dataFolder: Value<'CHARGEHAND_DATA'>;
  databaseUrl: Value<'DATABASE_URL'>;
  database: {
    connections: Value<'CHARGEHAND_DATABASE_CONNECTIONS'>;
    waitSeconds: Value<'CHARGEHAND_DATABASE_WAIT_SECONDS'>;
  };
  adminPassword: Value<'CHARGEHAND_ADMIN_PASSWORD'>;
  demo: Value<'CHARGEHAND_DEMO'>;
  demoDevices: Value<'CHARGEHAND_DEMO_DEVICES'>;
  demoHistory: Value<'CHARGEHAND_DEMO_HISTORY'>;
  captcha: Value<'CHARGEHAND_CAPTCHA'>;
  languageSwitch: Value<'CHARGEHAND_LANGUAGE_SWITCH'>;
  sessionMinutes: Value<'CHARGEHAND_SESSION_MINUTES'>;
  sessionHours: Value<'CHARGEHAND_SESSION_HOURS'>;
  sessionsPerUser: Value<'CHARGEHAND_SESSIONS_PER_USER'>;
  logLevel: Value<'CHARGEHAND_LOG'>;
  /** Paths of PEM files. */
  tls: { cert: string; key: string } | undefined;
  /** Path of a PEM file. */
  clientCa: Value<'CHARGEHAND_TLS_CLIENT_CA'>;
  devicePort: Value<'CHARGEHAND_DEVICE_PORT'>;
  ocppSecurityProfile: Value<'CHARGEHAND_OCPP_SECURITY_PROFILE'>;
  /** Paths of PEM files, and the validity of the certificates that they sign; undefined: nothing is signed. */
  ocppSigning: { cert: string; key: string; days: Value<'CHARGEHAND_OCPP_CERTIFICATE_DAYS'> } | undefined;
  trustedProxies: readonly string[];
  /** In lower case. */
  clientCertHeader: Value<'CHARGEHAND_CLIENT_CERT_HEADER'>;
  pingSeconds: Value<'CHARGEHAND_PING_SECONDS'>;
  frameLimitBytes: Value<'CHARGEHAND_FRAME_LIMIT_BYTES'>;
  mqtt: {
    /** the embedded broker runs */
    embedded: boolean;
    /** ports that the operator chose; otherwise the default one is tried first */
    port: Value<'CHARGEHAND_MQTT_PORT'>;
    tlsPort: Value<'CHARGEHAND_MQTT_TLS_PORT'>;
    messageBytes: Value<'CHARGEHAND_MQTT_MESSAGE_BYTES'>;
    connections: Value<'CHARGEHAND_MQTT_CONNECTIONS'>;
    hostId: Value<'MQTT_HOST_ID'>;
    /** the external broker, or null */
    remote: { url: string; clientId: string } | null;
  };
  protocolLogDays: Value<'CHARGEHAND_PROTOCOL_LOG_DAYS'>;
  readingDays: ReadingDays;
  deviceLogDays: Value<'CHARGEHAND_DEVICE_LOG_DAYS'>;
  readParameters: Value<'CHARGEHAND_READ_PARAMETERS'>;
  /** Without a trailing slash. */
  deviceFilesUrl: Value<'CHARGEHAND_DEVICE_FILES_URL'>;
  /** undefined: there is no FTP server; `required`: the operator chose this port, so it is not replaced by another */
  ftp:
    | {
        port: number;
        required: boolean;
        passivePorts: Value<'CHARGEHAND_FTP_PASSIVE_PORTS'>;
        address: Value<'CHARGEHAND_FTP_ADDRESS'>;
      }
    | undefined;
  metricsToken: Value<'CHARGEHAND_METRICS_TOKEN'>;
  /** Without a trailing slash. */
  publicUrl: Value<'CHARGEHAND_PUBLIC_URL'>;
  /** null: maps show coastlines only */
  mapTiles: { url: string; attribution: string; datum: Value<'CHARGEHAND_MAP_DATUM'> } | null;
  /** The mail server and the sender; undefined keeps mails in the outbox. */
  smtp: { url: string; from: Mailbox } | undefined;
  objects: {
    buckets: { main: Value<'S3_BUCKET'>; firmware: Value<'S3_FIRMWARE_BUCKET'> };
    region: Value<'S3_REGION'>;
    /** the key of the service, or the key that the operator chose for the embedded store */
    key: { accessKeyId: string; secretAccessKey: string } | null;
    /** null for the embedded store */
    service: { endpoint: string; stsEndpoint: string; roleArn: string } | null;
  };
}

/** The environment is invalid. The message contains one sentence per mistake with the reason. */
class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the settings from the environment. An empty variable counts as not set.
 * @throws {ConfigError} with every invalid value, every misspelt CHARGEHAND_ variable, and settings that cannot be
 * combined.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const get = <Name extends keyof Settings>(name: Name): Value<Name> => {
    const setting: Setting<unknown> = SETTINGS[name];
    const given = environment[name]?.trim() || undefined;
    const written = given ?? setting.fallback;
    const value = written === undefined ? undefined : setting.read(written);
    if (written !== undefined && value === undefined) {
      const shown = SECRET_SETTINGS.has(name) ? 'its value' : `"${written}"`;
      problems.push(`${name} must be ${setting.allowed}; ${shown} is not.`);
    }
    return value as Value<Name>;
  };

  const cert = get('CHARGEHAND_TLS_CERT');
  const key = get('CHARGEHAND_TLS_KEY');
  const clientCa = get('CHARGEHAND_TLS_CLIENT_CA');
  const signingCert = get('CHARGEHAND_OCPP_SIGNING_CERT');
  const signingKey = get('CHARGEHAND_OCPP_SIGNING_KEY');
  const certificateDays = get('CHARGEHAND_OCPP_CERTIFICATE_DAYS');
  const smtpUrl = get('SMTP_URL');
  const mailFrom = get('MAIL_FROM');
  const s3Endpoint = get('S3_ENDPOINT');
  const stsEndpoint = get('S3_STS_ENDPOINT');
  const roleArn = get('S3_ROLE_ARN');
  const accessKeyId = get('S3_ACCESS_KEY_ID');
  const secretAccessKey = get('S3_SECRET_ACCESS_KEY');
  const ocppSecurityProfile = get('CHARGEHAND_OCPP_SECURITY_PROFILE');
  const tileUrl = get('CHARGEHAND_MAP_TILES');
  const mapAttribution = get('CHARGEHAND_MAP_ATTRIBUTION');
  const mapDatum = get('CHARGEHAND_MAP_DATUM');
  const ftpPort = get('CHARGEHAND_FTP_PORT');
  const ftpRequested = Boolean(environment.CHARGEHAND_FTP_PORT?.trim());
  const passivePorts = get('CHARGEHAND_FTP_PASSIVE_PORTS');
  const ftpAddress = get('CHARGEHAND_FTP_ADDRESS');
  const mqttUrl = get('MQTT_URL');
  const config: Config = {
    port: get('PORT'),
    host: get('HOST'),
    roles: get('CHARGEHAND_ROLES'),
    dataFolder: get('CHARGEHAND_DATA'),
    databaseUrl: get('DATABASE_URL'),
    database: {
      connections: get('CHARGEHAND_DATABASE_CONNECTIONS'),
      waitSeconds: get('CHARGEHAND_DATABASE_WAIT_SECONDS'),
    },
    adminPassword: get('CHARGEHAND_ADMIN_PASSWORD'),
    demo: get('CHARGEHAND_DEMO'),
    demoDevices: get('CHARGEHAND_DEMO_DEVICES'),
    demoHistory: get('CHARGEHAND_DEMO_HISTORY'),
    captcha: get('CHARGEHAND_CAPTCHA'),
    languageSwitch: get('CHARGEHAND_LANGUAGE_SWITCH'),
    sessionMinutes: get('CHARGEHAND_SESSION_MINUTES'),
    sessionHours: get('CHARGEHAND_SESSION_HOURS'),
    sessionsPerUser: get('CHARGEHAND_SESSIONS_PER_USER'),
    logLevel: get('CHARGEHAND_LOG'),
    tls: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    clientCa,
    devicePort: get('CHARGEHAND_DEVICE_PORT'),
    ocppSecurityProfile,
    ocppSigning:
      signingCert !== undefined && signingKey !== undefined
        ? { cert: signingCert, key: signingKey, days: certificateDays }
        : undefined,
    trustedProxies: get('CHARGEHAND_TRUSTED_PROXIES') ?? [],
    clientCertHeader: get('CHARGEHAND_CLIENT_CERT_HEADER'),
    pingSeconds: get('CHARGEHAND_PING_SECONDS'),
    frameLimitBytes: get('CHARGEHAND_FRAME_LIMIT_BYTES'),
    mqtt: {
      embedded: get('CHARGEHAND_MQTT') && mqttUrl === undefined,
      port: get('CHARGEHAND_MQTT_PORT'),
      tlsPort: get('CHARGEHAND_MQTT_TLS_PORT'),
      messageBytes: get('CHARGEHAND_MQTT_MESSAGE_BYTES'),
      connections: get('CHARGEHAND_MQTT_CONNECTIONS'),
      hostId: get('MQTT_HOST_ID'),
      remote:
        mqttUrl === undefined
          ? null
          : {
              url: mqttUrl,
              clientId: get('MQTT_CLIENT_ID') ?? `chargehand-${hostname()}`,
            },
    },
    protocolLogDays: get('CHARGEHAND_PROTOCOL_LOG_DAYS'),
    readingDays: readingDays(
      get('CHARGEHAND_READING_DAYS'),
      get('CHARGEHAND_ROLLUP_5MIN_DAYS'),
      get('CHARGEHAND_ROLLUP_HOUR_DAYS'),
      get('CHARGEHAND_ROLLUP_DAY_DAYS'),
    ),
    deviceLogDays: get('CHARGEHAND_DEVICE_LOG_DAYS'),
    readParameters: get('CHARGEHAND_READ_PARAMETERS'),
    deviceFilesUrl: get('CHARGEHAND_DEVICE_FILES_URL'),
    ftp:
      ftpPort === 0 || (ocppSecurityProfile >= 2 && !ftpRequested)
        ? undefined
        : { port: ftpPort, required: ftpRequested, passivePorts, address: ftpAddress },
    metricsToken: get('CHARGEHAND_METRICS_TOKEN'),
    publicUrl: get('CHARGEHAND_PUBLIC_URL'),
    mapTiles: tileUrl === undefined ? null : { url: tileUrl, attribution: mapAttribution ?? '', datum: mapDatum },
    smtp: smtpUrl !== undefined && mailFrom !== undefined ? { url: smtpUrl, from: mailFrom } : undefined,
    objects: {
      buckets: { main: get('S3_BUCKET'), firmware: get('S3_FIRMWARE_BUCKET') },
      region: get('S3_REGION'),
      key: accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : null,
      service:
        s3Endpoint === undefined ? null : { endpoint: s3Endpoint, stsEndpoint: stsEndpoint ?? s3Endpoint, roleArn },
    },
  };
  if ((cert === undefined) !== (key === undefined)) {
    problems.push('CHARGEHAND_TLS_CERT and CHARGEHAND_TLS_KEY go together: set both or none.');
  }
  if ((signingCert === undefined) !== (signingKey === undefined)) {
    problems.push('CHARGEHAND_OCPP_SIGNING_CERT and CHARGEHAND_OCPP_SIGNING_KEY go together: set both or none.');
  }
  if (config.ocppSecurityProfile === 3 && clientCa === undefined) {
    problems.push('CHARGEHAND_OCPP_SECURITY_PROFILE 3 needs CHARGEHAND_TLS_CLIENT_CA.');
  }
  if (config.clientCertHeader !== undefined && config.trustedProxies.length === 0) {
    problems.push('CHARGEHAND_CLIENT_CERT_HEADER needs CHARGEHAND_TRUSTED_PROXIES: the addresses it is accepted from.');
  }
  if (config.clientCertHeader !== undefined && clientCa === undefined) {
    problems.push('CHARGEHAND_CLIENT_CERT_HEADER needs CHARGEHAND_TLS_CLIENT_CA, which verifies the certificates.');
  }
  if (smtpUrl !== undefined && mailFrom === undefined && !environment.MAIL_FROM?.trim()) {
    problems.push('SMTP_URL needs MAIL_FROM: the address from which mails come.');
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or none.');
  }
  if (s3Endpoint !== undefined && accessKeyId === undefined) {
    problems.push('S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }
  if (config.objects.buckets.main === config.objects.buckets.firmware) {
    problems.push('S3_BUCKET and S3_FIRMWARE_BUCKET must differ.');
  }
  problems.push(...misspelt(environment));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** True if users open the console over https://, through a proxy or directly. */
export function isPublicHttps({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https://') ?? false;
}

function readingDays(raw: number, fiveMinutes: number, hour: number, day: number): ReadingDays {
  const finest = Math.max(raw, fiveMinutes);
  const middle = Math.max(finest, hour);
  return { raw, rollups: { fiveMinutes: finest, hour: middle, day: Math.max(middle, day) } };
}

function misspelt(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('CHARGEHAND_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting of Chargehand; docs/operations.md lists them all.`);
}
