import { hostname } from 'node:os';
import type { MapKind, Rollup } from '@chargehand/domain';
import type { Mailbox } from '../mail/mailbox.ts';
import { isLocalName, LOCAL_DOMAIN, sharedDomain } from './pages-domain.ts';
import type { S3Place, Setting } from './setting.ts';
import { SECRET_SETTINGS, SETTINGS } from './settings.ts';

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
  /** 2: this process only starts the others */
  processes: Value<'CHARGEHAND_PROCESSES'>;
  /** undefined: the host name and a number */
  nodeName: Value<'CHARGEHAND_NODE'>;
  /** Absolute path. */
  dataFolder: Value<'CHARGEHAND_DATA'>;
  databaseUrl: Value<'DATABASE_URL'>;
  /** undefined: the same */
  databaseDirectUrl: Value<'DATABASE_DIRECT_URL'>;
  /** undefined: several processes use PostgreSQL as their bus */
  natsUrls: Value<'NATS_URL'>;
  database: {
    connections: Value<'CHARGEHAND_DATABASE_CONNECTIONS'>;
    waitSeconds: Value<'CHARGEHAND_DATABASE_WAIT_SECONDS'>;
    /** undefined: everything is read from the primary */
    replica: { url: string; maxLagSeconds: number } | undefined;
  };
  adminPassword: Value<'CHARGEHAND_ADMIN_PASSWORD'>;
  demo: Value<'CHARGEHAND_DEMO'>;
  demoDevices: Value<'CHARGEHAND_DEMO_DEVICES'>;
  demoHistory: Value<'CHARGEHAND_DEMO_HISTORY'>;
  shippedDocuments: Value<'CHARGEHAND_SHIPPED_DOCUMENTS'>;
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
    remote: {
      url: string;
      /** undefined: it contains the name of the process */
      clientId: Value<'MQTT_CLIENT_ID'>;
      /** undefined: only one process can use the broker */
      shareGroup: Value<'MQTT_SHARE_GROUP'>;
    } | null;
  };
  protocolLogDays: Value<'CHARGEHAND_PROTOCOL_LOG_DAYS'>;
  /** retention of the other logs, in days */
  logDays: {
    actions: Value<'CHARGEHAND_ACTION_LOG_DAYS'>;
    signIns: Value<'CHARGEHAND_SIGN_IN_LOG_DAYS'>;
    errors: Value<'CHARGEHAND_ERROR_LOG_DAYS'>;
  };
  readingDays: ReadingDays;
  deviceLogDays: Value<'CHARGEHAND_DEVICE_LOG_DAYS'>;
  readParameters: Value<'CHARGEHAND_READ_PARAMETERS'>;
  /** the time that the probe device may take; null: there is none */
  probeMs: Value<'CHARGEHAND_PROBE_MS'> | null;
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
  links: {
    /** null: devices cannot open links; `required`: the operator chose this port, so it must be free */
    port: { number: Value<'CHARGEHAND_LINKS_PORT'>; required: boolean } | null;
    host: Value<'CHARGEHAND_LINKS_HOST'>;
    proxyProtocol: Value<'CHARGEHAND_LINKS_PROXY_PROTOCOL'>;
    days: Value<'CHARGEHAND_LINK_DAYS'>;
  };
  /** below which links have names for the web pages of devices */
  linksDomain: Value<'CHARGEHAND_LINKS_DOMAIN'>;
  /** the daily backup; undefined: there is none */
  backup:
    | {
        folder: string;
        /** minutes after midnight */
        time: Value<'CHARGEHAND_BACKUP_TIME'>;
        keep: Value<'CHARGEHAND_BACKUP_KEEP'>;
        objects: Value<'CHARGEHAND_BACKUP_OBJECTS'>;
        /** where each backup is uploaded, and for how many days; undefined: nowhere */
        upload: { place: S3Place; days: Value<'CHARGEHAND_BACKUP_S3_DAYS'> } | undefined;
      }
    | undefined;
  metricsToken: Value<'CHARGEHAND_METRICS_TOKEN'>;
  /** Without a trailing slash. */
  publicUrl: Value<'CHARGEHAND_PUBLIC_URL'>;
  /** null: maps show coastlines only */
  mapTiles: { kind: MapKind; url: string; attribution: string; datum: Value<'CHARGEHAND_MAP_DATUM'> } | null;
  /** the origins besides its own from which a MapLibre style may load */
  mapOrigins: readonly string[];
  /** The mail server and the sender; undefined keeps mails in the outbox. */
  smtp: { url: string; from: Mailbox } | undefined;
  /** where mails are received, and for which domain; undefined: nowhere */
  inboundMail: { port: number; domain: string } | undefined;
  /** webhooks may use private networks and plain HTTP */
  webhookPrivate: Value<'CHARGEHAND_WEBHOOK_PRIVATE'>;
  /** where files are scanned for viruses; undefined: they are not */
  clamd: Value<'CLAMD_URL'>;
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
  const inboundPort = get('CHARGEHAND_SMTP_PORT');
  const inboundDomain = get('CHARGEHAND_SMTP_DOMAIN');
  const replicaUrl = get('DATABASE_REPLICA_URL');
  const maxLagSeconds = get('DATABASE_REPLICA_LAG_SECONDS');
  const s3Endpoint = get('S3_ENDPOINT');
  const stsEndpoint = get('S3_STS_ENDPOINT');
  const roleArn = get('S3_ROLE_ARN');
  const accessKeyId = get('S3_ACCESS_KEY_ID');
  const secretAccessKey = get('S3_SECRET_ACCESS_KEY');
  const ocppSecurityProfile = get('CHARGEHAND_OCPP_SECURITY_PROFILE');
  const map = get('CHARGEHAND_MAP_TILES');
  const mapAttribution = get('CHARGEHAND_MAP_ATTRIBUTION');
  const mapDatum = get('CHARGEHAND_MAP_DATUM');
  const ftpPort = get('CHARGEHAND_FTP_PORT');
  const ftpRequested = Boolean(environment.CHARGEHAND_FTP_PORT?.trim());
  const passivePorts = get('CHARGEHAND_FTP_PASSIVE_PORTS');
  const ftpAddress = get('CHARGEHAND_FTP_ADDRESS');
  const mqttUrl = get('MQTT_URL');
  const shareGroup = get('MQTT_SHARE_GROUP');
  const linksPort = get('CHARGEHAND_LINKS_PORT');
  const backupFolder = get('CHARGEHAND_BACKUP_FOLDER');
  const uploadPlace = get('CHARGEHAND_BACKUP_S3_URL');
  const uploadDays = get('CHARGEHAND_BACKUP_S3_DAYS');
  const daily = {
    upload: uploadPlace && { place: uploadPlace, days: uploadDays },
    time: get('CHARGEHAND_BACKUP_TIME'),
    keep: get('CHARGEHAND_BACKUP_KEEP'),
    objects: get('CHARGEHAND_BACKUP_OBJECTS'),
  };
  const config: Config = {
    port: get('PORT'),
    host: get('HOST'),
    roles: get('CHARGEHAND_ROLES'),
    processes: get('CHARGEHAND_PROCESSES'),
    nodeName: get('CHARGEHAND_NODE'),
    dataFolder: get('CHARGEHAND_DATA'),
    databaseUrl: get('DATABASE_URL'),
    databaseDirectUrl: get('DATABASE_DIRECT_URL'),
    natsUrls: get('NATS_URL'),
    database: {
      connections: get('CHARGEHAND_DATABASE_CONNECTIONS'),
      waitSeconds: get('CHARGEHAND_DATABASE_WAIT_SECONDS'),
      replica: replicaUrl === undefined ? undefined : { url: replicaUrl, maxLagSeconds },
    },
    adminPassword: get('CHARGEHAND_ADMIN_PASSWORD'),
    demo: get('CHARGEHAND_DEMO'),
    demoDevices: get('CHARGEHAND_DEMO_DEVICES'),
    demoHistory: get('CHARGEHAND_DEMO_HISTORY'),
    shippedDocuments: get('CHARGEHAND_SHIPPED_DOCUMENTS'),
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
              clientId: get('MQTT_CLIENT_ID') ?? (shareGroup === undefined ? `chargehand-${hostname()}` : undefined),
              shareGroup,
            },
    },
    protocolLogDays: get('CHARGEHAND_PROTOCOL_LOG_DAYS'),
    logDays: {
      actions: get('CHARGEHAND_ACTION_LOG_DAYS'),
      signIns: get('CHARGEHAND_SIGN_IN_LOG_DAYS'),
      errors: get('CHARGEHAND_ERROR_LOG_DAYS'),
    },
    readingDays: readingDays(
      get('CHARGEHAND_READING_DAYS'),
      get('CHARGEHAND_ROLLUP_5MIN_DAYS'),
      get('CHARGEHAND_ROLLUP_HOUR_DAYS'),
      get('CHARGEHAND_ROLLUP_DAY_DAYS'),
    ),
    deviceLogDays: get('CHARGEHAND_DEVICE_LOG_DAYS'),
    readParameters: get('CHARGEHAND_READ_PARAMETERS'),
    probeMs: get('CHARGEHAND_PROBE') ? get('CHARGEHAND_PROBE_MS') : null,
    deviceFilesUrl: get('CHARGEHAND_DEVICE_FILES_URL'),
    ftp:
      ftpPort === 0 || (ocppSecurityProfile >= 2 && !ftpRequested)
        ? undefined
        : { port: ftpPort, required: ftpRequested, passivePorts, address: ftpAddress },
    links: {
      port:
        linksPort === 0 ? null : { number: linksPort, required: Boolean(environment.CHARGEHAND_LINKS_PORT?.trim()) },
      host: get('CHARGEHAND_LINKS_HOST'),
      proxyProtocol: get('CHARGEHAND_LINKS_PROXY_PROTOCOL'),
      days: get('CHARGEHAND_LINK_DAYS'),
    },
    linksDomain: get('CHARGEHAND_LINKS_DOMAIN'),
    backup: backupFolder === undefined ? undefined : { folder: backupFolder, ...daily },
    metricsToken: get('CHARGEHAND_METRICS_TOKEN'),
    publicUrl: get('CHARGEHAND_PUBLIC_URL'),
    mapTiles: map === undefined ? null : { ...map, attribution: mapAttribution ?? '', datum: mapDatum },
    mapOrigins: get('CHARGEHAND_MAP_ORIGINS') ?? [],
    smtp: smtpUrl !== undefined && mailFrom !== undefined ? { url: smtpUrl, from: mailFrom } : undefined,
    inboundMail:
      inboundPort > 0 && inboundDomain !== undefined ? { port: inboundPort, domain: inboundDomain } : undefined,
    webhookPrivate: get('CHARGEHAND_WEBHOOK_PRIVATE'),
    clamd: get('CLAMD_URL'),
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
  if (config.links.proxyProtocol && config.trustedProxies.length === 0) {
    problems.push('CHARGEHAND_LINKS_PROXY_PROTOCOL needs CHARGEHAND_TRUSTED_PROXIES: the addresses of the proxies.');
  }
  if (smtpUrl !== undefined && mailFrom === undefined && !environment.MAIL_FROM?.trim()) {
    problems.push('SMTP_URL needs MAIL_FROM: the address from which mails come.');
  }
  if (inboundPort > 0 && inboundDomain === undefined && !environment.CHARGEHAND_SMTP_DOMAIN?.trim()) {
    problems.push('CHARGEHAND_SMTP_PORT needs CHARGEHAND_SMTP_DOMAIN: the domain whose mails this server receives.');
  }
  problems.push(...pagesDomainProblems(config));
  if (uploadPlace !== undefined && backupFolder === undefined && !environment.CHARGEHAND_BACKUP_FOLDER?.trim()) {
    problems.push('CHARGEHAND_BACKUP_S3_URL needs CHARGEHAND_BACKUP_FOLDER: backups are made there before the upload.');
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

/** True if several processes with these settings can share a database: they have the same files and messages of a broker. */
export function isShareable({ databaseUrl, objects, mqtt }: Config): boolean {
  const sharesBroker = mqtt.remote === null || mqtt.remote.shareGroup !== undefined;
  return databaseUrl !== undefined && objects.service !== null && sharesBroker;
}

/** True if users open the console over https://, through a proxy or directly. */
export function isPublicHttps({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https://') ?? false;
}

/** The domain for the web pages of devices; null when it is local and the console is not, so they are off. */
export function pagesDomainOf({ linksDomain, publicUrl }: Config): string | null {
  const isRemote = publicUrl !== undefined && !isLocalName(new URL(publicUrl).hostname);
  return linksDomain === LOCAL_DOMAIN && isRemote ? null : linksDomain;
}

function readingDays(raw: number, fiveMinutes: number, hour: number, day: number): ReadingDays {
  const finest = Math.max(raw, fiveMinutes);
  const middle = Math.max(finest, hour);
  return { raw, rollups: { fiveMinutes: finest, hour: middle, day: Math.max(middle, day) } };
}

function pagesDomainProblems({ linksDomain, publicUrl }: Config): string[] {
  // A value that is not a domain has its own sentence.
  if (linksDomain === undefined || linksDomain === LOCAL_DOMAIN) return [];
  if (publicUrl === undefined)
    return ['CHARGEHAND_LINKS_DOMAIN needs CHARGEHAND_PUBLIC_URL: the console must be on another domain.'];
  const shared = sharedDomain(new URL(publicUrl).hostname, linksDomain);
  if (shared === null) return [];
  return [
    `CHARGEHAND_LINKS_DOMAIN must not share the domain ${shared} with the console: a page of a device there could overwrite the cookies of the console; use a domain that is registered separately.`,
  ];
}

function misspelt(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('CHARGEHAND_') && !(name in SETTINGS))
    .map((name) => `${name} is not a setting of Chargehand; docs/operations.md lists them all.`);
}
