import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pagesDomainOf, readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

test('without settings the product listens on loopback, runs every part and stores its data in the project folder', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', demo: true, captcha: true, databaseUrl: undefined });
  expect(config.dataFolder).toBe(join(import.meta.dirname, '../../../../../data'));
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

describe('an invalid value stops the start with a message that names it', () => {
  test.each([
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535; "80a" is not.'],
    ['PORT', '65536', 'PORT must be'],
    ['PORT', '-1', 'PORT must be'],
    ['DATABASE_URL', 'mysql://u:hidden@h/d', 'DATABASE_URL must be a postgres:// URL; its value is not.'],
    ['CHARGEHAND_ADMIN_PASSWORD', 'weak', 'its value is not.'],
    ['CHARGEHAND_CAPTCHA', 'maybe', 'CHARGEHAND_CAPTCHA must be on or off'],
    ['CHARGEHAND_LOG', 'loud', 'CHARGEHAND_LOG must be one of debug'],
    ['CHARGEHAND_SESSION_MINUTES', '0', 'from 1 to 1440'],
    ['CHARGEHAND_OCPP_SECURITY_PROFILE', '4', 'from 0 to 3'],
    ['CHARGEHAND_OCPP_SECURITY_PROFILE', '3', 'needs CHARGEHAND_TLS_CLIENT_CA'],
    ['CHARGEHAND_TLS_CERT', import.meta.filename, 'go together'],
    ['CHARGEHAND_TLS_KEY', '/nowhere/key.pem', 'the path of a readable file'],
    ['CHARGEHAND_OCPP_SIGNING_CERT', import.meta.filename, 'go together'],
    ['CHARGEHAND_OCPP_SIGNING_KEY', import.meta.filename, 'go together'],
    ['CHARGEHAND_OCPP_CERTIFICATE_DAYS', '0', 'from 1 to 3650'],
    ['CHARGEHAND_TRUSTED_PROXIES', '10.0.0.0/33', 'CHARGEHAND_TRUSTED_PROXIES must be IP addresses or networks'],
    ['CHARGEHAND_TRUSTED_PROXIES', 'nginx', 'CHARGEHAND_TRUSTED_PROXIES must be IP addresses or networks'],
    ['CHARGEHAND_CLIENT_CERT_HEADER', 'x-cert', 'CHARGEHAND_CLIENT_CERT_HEADER needs CHARGEHAND_TRUSTED_PROXIES'],
    ['CHARGEHAND_PUBLIC_URL', 'ftp://example.org', 'an http:// or https:// URL'],
    ['CHARGEHAND_MQTT_PORT', '1883x', 'CHARGEHAND_MQTT_PORT must be a whole number from 0 to 65535; "1883x" is not.'],
    [
      'MQTT_URL',
      'amqp://u:hidden@h',
      'MQTT_URL must be an mqtt://, mqtts://, ws:// or wss:// URL with a host; its value is not.',
    ],
    ['S3_BUCKET', 'manage', 'S3_BUCKET must be 3 to 63 lower-case letters'],
    ['S3_BUCKET', '../x', 'S3_BUCKET must be'],
    ['S3_FIRMWARE_BUCKET', 'chargehand', 'S3_BUCKET and S3_FIRMWARE_BUCKET must differ'],
    ['CHARGEHAND_LINKS_PROXY_PROTOCOL', 'on', 'CHARGEHAND_LINKS_PROXY_PROTOCOL needs CHARGEHAND_TRUSTED_PROXIES'],
    ['CHARGEHAND_LINKS_HOST', 'devices.example.org:70000', 'CHARGEHAND_LINKS_HOST must be a host name or an address'],
    ['CHARGEHAND_LINKS_HOST', '[devices]:2222', 'CHARGEHAND_LINKS_HOST must be'],
    ['S3_ENDPOINT', 'https://s3.example.org', 'S3_ENDPOINT needs S3_ACCESS_KEY_ID'],
    ['S3_ACCESS_KEY_ID', 'operator', 'go together'],
    ['S3_SECRET_ACCESS_KEY', 'short', 'its value is not.'],
    ['CHARGEHAND_BACKUP_S3_URL', 'https://key:hidden@s3.example.org', 'CHARGEHAND_BACKUP_S3_URL must be an http://'],
    ['CHARGEHAND_BACKUP_S3_URL', 'https://key:%zz@s3.example.org/bucket', 'its value is not.'],
    ['CHARGEHAND_BACKUP_S3_URL', 'https://key:a@s3.example.org/bucket', 'needs CHARGEHAND_BACKUP_FOLDER'],
    ['CHARGEHAND_CAPCHA', 'off', 'CHARGEHAND_CAPCHA is not a setting'],
  ])('%s=%s', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(sentence);
  });

  test('all mistakes are named at once, secrets are not', () => {
    const read = () => readConfig({ PORT: 'x', HOST: 'y', DATABASE_URL: 'mysql://u:hidden@h/d' });
    expect(read).toThrow(/PORT must be.*\nDATABASE_URL must be/);
    expect(read).not.toThrow(/hidden/);
  });
});

test('backups are uploaded to a bucket, with the key in its URL', () => {
  const url = 'https://KEY:a%2Fb%40c@s3.example.org:9000/backups/north/quay?region=eu-central-1';
  const settings = { CHARGEHAND_BACKUP_FOLDER: '/backups', CHARGEHAND_BACKUP_S3_URL: url };
  const place = { endpoint: 'https://s3.example.org:9000', bucket: 'backups', prefix: 'north/quay/' };
  const key = { accessKeyId: 'KEY', secretAccessKey: 'a/b@c' };
  expect(readConfig(settings).backup?.upload).toEqual({ place: { ...place, region: 'eu-central-1', key }, days: 30 });
});

test.each([
  ['devices.example.org', 'devices.example.org', null],
  ['devices.example.org:2222', 'devices.example.org', 2222],
  ['2001:db8::1', '2001:db8::1', null],
  ['[2001:db8::1]:2222', '2001:db8::1', 2222],
])('links are announced at %s', (value, host, port) => {
  expect(readConfig({ CHARGEHAND_LINKS_HOST: value }).links.host).toEqual({ host, port });
});

describe('the domain of device pages', () => {
  const read = (domain: string, url?: string) =>
    readConfig({ CHARGEHAND_LINKS_DOMAIN: domain, ...(url && { CHARGEHAND_PUBLIC_URL: url }) });
  test('is local by default, and then off for a console of other machines', () => {
    expect(pagesDomainOf(readConfig({}))).toBe('localhost');
    expect(pagesDomainOf(readConfig({ CHARGEHAND_PUBLIC_URL: 'http://127.0.0.1:9000' }))).toBe('localhost');
    expect(pagesDomainOf(readConfig({ CHARGEHAND_PUBLIC_URL: 'https://console.example.com' }))).toBeNull();
    expect(pagesDomainOf(read('Pages.Example.net', 'https://console.example.com'))).toBe('pages.example.net');
  });
  test.each([
    ['pages.example.com', 'https://console.example.com', 'must not share the domain example.com with the console'],
    ['pages.example.com', undefined, 'CHARGEHAND_LINKS_DOMAIN needs CHARGEHAND_PUBLIC_URL'],
    ['pages.example.com:8443', 'https://a.net', 'must be a domain name without a port'],
    ['10.0.0.1', 'https://a.net', 'must be a domain name'],
  ])('%s with the console at %s stops the start', (domain, url, text) => {
    expect(() => read(domain, url)).toThrow(text);
  });
});

describe('map tiles', () => {
  const url = 'https://tiles.example.com/{z}/{x}/{y}.png';
  test('are off by default', () => expect(readConfig({}).mapTiles).toBeNull());
  test('have an attribution and a datum', () => {
    const set = { CHARGEHAND_MAP_TILES: url, CHARGEHAND_MAP_ATTRIBUTION: '© A', CHARGEHAND_MAP_DATUM: 'gcj-02' };
    expect(readConfig(set).mapTiles).toEqual({ kind: 'tiles', url, attribution: '© A', datum: 'GCJ-02' });
    expect(readConfig({ CHARGEHAND_MAP_TILES: url }).mapTiles).toMatchObject({ attribution: '', datum: 'WGS-84' });
  });
  test.each([
    ['https://tiles.example.com/style.json', 'style'],
    ['http://10.0.0.5:8080/styles/bright?key=a', 'style'],
    ['http://10.0.0.5:8080/tiles?z={z}&x={x}&y={y}', 'tiles'],
  ])('%s is of kind %s', (tiles, kind) => {
    expect(readConfig({ CHARGEHAND_MAP_TILES: tiles }).mapTiles).toMatchObject({ kind, url: tiles });
  });
  test.each([
    'https://{s}.example.com/{z}/{x}/{y}.png',
    'https://tiles.example.com/{z}/{x}.png',
    'https://tiles.example.com/{key}/style.json',
    'https://tiles.example.com/',
    'https://user:hidden@tiles.example.com/style.json',
    'https://*.example.com/style.json',
    'https://a;b/style.json',
    'ftp://a/{z}/{x}/{y}',
    'mapbox://styles/mapbox/streets-v12',
    '/style.json',
    'x',
  ])('%s stops the start with one sentence', (tiles) => {
    expect(() => readConfig({ CHARGEHAND_MAP_TILES: tiles })).toThrow(
      /CHARGEHAND_MAP_TILES must be an http:\/\/ or https:\/\/ URL, either of tiles, with \{z\}, \{x\} and \{y\}, or of a MapLibre style/,
    );
  });
  test('may load from further origins', () => {
    expect(readConfig({}).mapOrigins).toEqual([]);
    const origins = 'https://Fonts.example.com, http://10.0.0.5:8080/';
    expect(readConfig({ CHARGEHAND_MAP_ORIGINS: origins }).mapOrigins).toEqual([
      'https://fonts.example.com',
      'http://10.0.0.5:8080',
    ]);
  });
  test.each([
    'https://fonts.example.com/path',
    'fonts.example.com',
    '*',
    'https://*.example.com',
    "https://a.example.com,'unsafe-eval'",
    'data:',
  ])('the origin %s stops the start with one sentence', (origins) => {
    expect(() => readConfig({ CHARGEHAND_MAP_ORIGINS: origins })).toThrow(
      'CHARGEHAND_MAP_ORIGINS must be origins such as https://fonts.example.com, separated by commas',
    );
  });
});

test('the table in docs/operations.md matches the program', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');
  const rows = Object.entries(SETTINGS).map(
    ([name, { fallback, allowed, purpose }]) =>
      `| \`${name}\` | ${fallback === undefined ? '–' : `\`${fallback}\``} | ${allowed} | ${purpose} |`,
  );
  expect(page.split('\n').filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line))).toEqual(rows);
});

test.each([
  'container/Dockerfile',
  'container/compose.yaml',
  'helm/chargehand/values.yaml',
  'helm/chargehand/templates/processes.yaml',
  'haproxy/haproxy.cfg',
  'chargehand.env',
])('deploy/%s names settings that exist', async (file) => {
  const text = await readFile(join(import.meta.dirname, '../../../../../deploy', file), 'utf8');
  const named = text.match(/\b(?:CHARGEHAND|DATABASE|S3|MQTT|NATS|SMTP)_[A-Z0-9_]+\b/g) ?? [];
  expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
  expect(named).not.toHaveLength(0);
});
