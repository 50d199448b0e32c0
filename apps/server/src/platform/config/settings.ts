import { isIPv4 } from 'node:net';
import { DATUMS, isGuessable, passwordLacks } from '@chargehand/domain';
import { COMMON_PASSWORDS } from '../common-passwords.ts';
import type { LogLevel } from '../log.ts';
import { readMailbox } from '../mail/mailbox.ts';
import { PROCESS_ROLES } from '../room.ts';
import { readClamdUrl } from '../scan/clamd.ts';
import { LOCAL_DOMAIN } from './pages-domain.ts';
import {
  absolute,
  bucket,
  file,
  flag,
  optional,
  port,
  readDomain,
  readHostAndPort,
  readHttpUrl,
  readMapUrl,
  readMinutes,
  readMqttName,
  readMqttUrl,
  readNatsUrls,
  readNetworks,
  readOrigins,
  readPortRange,
  readRoles,
  readS3Place,
  readSmtpUrl,
  type Setting,
  text,
  whole,
} from './setting.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];
/** The port for FTP (21) where it can be opened without root. */
const DEFAULT_FTP_PORT = 2121;
const DEFAULT_LINKS_PORT = 2222;

/**
 * Every environment variable of the product. `docs/operations.md` contains the same table; a test compares them. Not
 * `envalid` or TypeBox: both check a value, and neither has what is most of this file, the sentences in both languages that
 * say what a wrong value should be, and the table.
 */
export const SETTINGS = {
  PORT: whole(8080, 0, 65_535, 'Port of the console, the API and the device gateways. 0 selects a free port.'),
  HOST: text('127.0.0.1', 'Address to listen on. `0.0.0.0` means all addresses.'),
  CHARGEHAND_ROLES: {
    ...text(
      PROCESS_ROLES.join(','),
      'What this process runs: `api` serves the console, `gateway` connects devices, `jobs` runs scheduled work, `links` accepts links from devices and serves their terminals, web pages and files. Together they are one product. [Several processes](scaling/README.md) share a database, and each role needs at least one of them.',
    ),
    allowed: `one or more of ${PROCESS_ROLES.join(', ')}, separated by commas`,
    read: readRoles,
  },
  CHARGEHAND_PROCESSES: whole(
    1,
    1,
    2,
    'Processes on this machine. With 2, devices have a process of their own, so that users and devices do not delay each other.',
  ),
  CHARGEHAND_NODE: optional(
    '1 to 64 letters, digits, dots, dashes or underscores',
    'Name of this process among several on one database. If empty, the host name and the lowest free number.',
    readMqttName,
  ),
  CHARGEHAND_DATA: {
    ...text('data', 'Folder for all stored data, relative to the project.'),
    read: (value: string) => absolute(value),
  },
  DATABASE_URL: optional('a postgres:// URL', 'PostgreSQL 15 or later to use instead of the embedded one.', (value) =>
    /^postgres(ql)?:\/\/./.test(value) ? value : undefined,
  ),
  DATABASE_DIRECT_URL: optional(
    'a postgres:// URL',
    'PostgreSQL itself, if `DATABASE_URL` leads to a connection pooler in transaction mode: for the lease, notifications, migrations and backups.',
    (value) => (/^postgres(ql)?:\/\/./.test(value) ? value : undefined),
  ),
  DATABASE_REPLICA_URL: optional(
    'a postgres:// URL',
    'A streaming replica of that database, from which charts, exports and logs are read.',
    (value) => (/^postgres(ql)?:\/\/./.test(value) ? value : undefined),
  ),
  DATABASE_REPLICA_LAG_SECONDS: whole(
    10,
    1,
    3_600,
    'Seconds that the replica may be behind. While it is further behind or away, everything is read from the primary.',
  ),
  NATS_URL: optional(
    'one or more nats:// or tls:// URLs, separated by commas',
    'NATS servers that carry the messages between several processes, instead of PostgreSQL. The same for all of them.',
    readNatsUrls,
  ),
  CHARGEHAND_DATABASE_CONNECTIONS: whole(
    20,
    4,
    500,
    'Maximum number of connections for requests and devices. Six more are used in addition.',
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
  CHARGEHAND_SHIPPED_DOCUMENTS: flag(
    true,
    'Adds the documents that come with the product (alarm codes, user manual), and updates them after an upgrade.',
  ),
  CHARGEHAND_CAPTCHA: flag(true, 'Requires the captcha at sign-in (`off` for automated tests only).'),
  CHARGEHAND_LANGUAGE_SWITCH: flag(
    false,
    'Shows the language switch in the console. The pages for visitors (shares and reports) always have one.',
  ),
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
  MQTT_SHARE_GROUP: optional(
    '1 to 64 letters, digits, dots, dashes or underscores',
    'Name of the shared subscription (`$share`) at the broker of `MQTT_URL`. Required for several processes, the same for all of them.',
    readMqttName,
  ),
  MQTT_HOST_ID: {
    ...text('chargehand', 'Host ID in Sparkplug STATE messages.'),
    allowed: '1 to 64 letters, digits, dots, dashes or underscores',
    read: readMqttName,
  },
  CHARGEHAND_PROTOCOL_LOG_DAYS: whole(30, 1, 3_650, 'Days protocol frames are kept.'),
  CHARGEHAND_ACTION_LOG_DAYS: whole(1_095, 1, 36_500, 'Days entries of the action log are kept.'),
  CHARGEHAND_SIGN_IN_LOG_DAYS: whole(365, 1, 36_500, 'Days entries of the sign-in log are kept.'),
  CHARGEHAND_ERROR_LOG_DAYS: whole(90, 1, 3_650, 'Days an error stays in the error log after it last happened.'),
  CHARGEHAND_READING_DAYS: whole(400, 1, 36_500, 'Days readings are kept in full resolution.'),
  CHARGEHAND_ROLLUP_5MIN_DAYS: whole(400, 1, 36_500, 'Days 5-minute rollups are kept.'),
  CHARGEHAND_ROLLUP_HOUR_DAYS: whole(800, 1, 36_500, 'Days hourly rollups are kept.'),
  CHARGEHAND_ROLLUP_DAY_DAYS: whole(3_660, 1, 36_500, 'Days daily rollups are kept.'),
  CHARGEHAND_DEVICE_LOG_DAYS: whole(90, 1, 3_650, 'Days device logs are kept.'),
  CHARGEHAND_READ_PARAMETERS: flag(
    true,
    'Reads the parameters of OCPP devices after they are registered and after each boot.',
  ),
  CHARGEHAND_PROBE: flag(
    true,
    'Tests the way of device messages every ten seconds with a device of the server itself. It is in no list and no statistic.',
  ),
  CHARGEHAND_PROBE_MS: whole(
    1_000,
    10,
    60_000,
    'Milliseconds that this test may take: connect, report a status, receive a command and answer it.',
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
  CHARGEHAND_LINKS_PORT: whole(
    DEFAULT_LINKS_PORT,
    0,
    65_535,
    'SSH port for links to devices (terminals, web pages, VPN). Devices connect to it on request. 0 opens no port. If the default port is in use, there are no links, with a warning.',
  ),
  CHARGEHAND_LINKS_HOST: optional(
    'a host name or an address, or one with a port such as host:2222 or [2001:db8::1]:2222',
    'Host where devices reach that port, and the port if a proxy has another one. If empty, the host of `CHARGEHAND_DEVICE_FILES_URL`.',
    readHostAndPort,
  ),
  CHARGEHAND_LINKS_PROXY_PROTOCOL: flag(
    false,
    'Connections from `CHARGEHAND_TRUSTED_PROXIES` to that port begin with the address of the client (PROXY protocol, version 1). Connections from other addresses do not.',
  ),
  CHARGEHAND_LINKS_DOMAIN: {
    ...text(
      LOCAL_DOMAIN,
      'Domain below which each link has a name for the web pages of its device. It must not be the registrable domain of the console or below it. `localhost` works only in browsers on this machine.',
    ),
    allowed: 'a domain name without a port',
    read: readDomain,
  },
  CHARGEHAND_LINK_DAYS: whole(90, 1, 3_650, 'Days ended links stay in the list of past links.'),
  CHARGEHAND_BACKUP_FOLDER: optional(
    'the path of a folder',
    'Folder for backups. If set, the server makes one every day. It should be on another disk or machine.',
    absolute,
  ),
  CHARGEHAND_BACKUP_TIME: {
    ...text('03:00', 'Time of the daily backup, in the time zone of the server.'),
    allowed: 'a time from 00:00 to 23:59',
    read: readMinutes,
  },
  CHARGEHAND_BACKUP_KEEP: whole(7, 1, 1_000, 'Number of backups that the server keeps in that folder.'),
  CHARGEHAND_BACKUP_OBJECTS: flag(
    true,
    'Daily backups contain the objects. `off` if your S3 service has backups of its own.',
  ),
  CHARGEHAND_BACKUP_S3_URL: optional(
    'an http:// or https:// URL with a key, its secret and a bucket',
    'Bucket to which each daily backup is uploaded, with the key of an account: `https://KEY_ID:SECRET@s3.example.org/bucket/prefix?region=eu-central-1`. Special characters of the secret are percent-encoded. Requires `CHARGEHAND_BACKUP_FOLDER`.',
    readS3Place,
  ),
  CHARGEHAND_BACKUP_S3_DAYS: whole(30, 1, 3_650, 'Days uploaded backups are kept in that bucket.'),
  CHARGEHAND_METRICS_TOKEN: optional(
    'at least 16 characters without spaces',
    'Bearer token required by `/metrics`. If empty, only requests from this machine to one of its own names (`localhost`, a loopback address, its host name) are allowed.',
    (value) => (/^\S{16,}$/.test(value) ? value : undefined),
  ),
  CHARGEHAND_PUBLIC_URL: optional(
    'an http:// or https:// URL',
    'URL of the console for links in mails. If empty, the address the server listens on. With https://, cookies are always `Secure`.',
    readHttpUrl,
  ),
  CHARGEHAND_MAP_TILES: optional(
    'an http:// or https:// URL, either of tiles, with {z}, {x} and {y}, or of a MapLibre style, without them',
    'Map tiles of sites (XYZ, Web Mercator) or a MapLibre style, loaded by browsers. If empty, maps show coastlines only.',
    readMapUrl,
  ),
  CHARGEHAND_MAP_ORIGINS: optional(
    'origins such as https://fonts.example.com, separated by commas',
    'Further origins from which browsers may load the sources, sprites and glyphs of a MapLibre style. The origin of the style itself is always allowed.',
    readOrigins,
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
  CHARGEHAND_SMTP_PORT: whole(
    0,
    0,
    65_535,
    'SMTP port where replies to mails about issues arrive and become comments. 0 opens no port. Requires `CHARGEHAND_SMTP_DOMAIN`.',
  ),
  CHARGEHAND_SMTP_DOMAIN: optional(
    'a domain name',
    'Domain of the addresses for replies. Its MX record points to this server, or to a mail server that passes its mails on.',
    (value) => (value.includes('.') && readDomain(value) !== undefined ? value : undefined),
  ),
  CHARGEHAND_WEBHOOK_PRIVATE: flag(
    false,
    'Allows webhooks to private networks and over `http://`. Only for installations whose administrators may reach that network.',
  ),
  CLAMD_URL: optional(
    'tcp://host:3310 or unix:/path',
    'ClamAV daemon that scans uploaded files. If empty, files are not scanned, and the list of files says so.',
    readClamdUrl,
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
export const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  'CHARGEHAND_ADMIN_PASSWORD',
  'CHARGEHAND_METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
  'CHARGEHAND_BACKUP_S3_URL',
  'MQTT_URL',
  'NATS_URL',
]);
