import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { checkStart, noTlsWarning, openDoorsWarning } from './start-checks.ts';

test.each([
  ['127.0.0.1', '0', null],
  ['localhost', '0', null],
  ['0.0.0.0', '0', /CHARGEHAND_OCPP_SECURITY_PROFILE is 0: anyone who knows the SN/],
  ['::', '0', /HOST is ::, which other machines reach/],
  ['10.0.0.5', '1', /CHARGEHAND_OCPP_SECURITY_PROFILE is 1: devices may send their passwords unencrypted/],
  ['0.0.0.0', '2', null],
])('the start on %s with security profile %s warns: %s', (HOST, CHARGEHAND_OCPP_SECURITY_PROFILE, expected) => {
  const warning = openDoorsWarning(readConfig({ HOST, CHARGEHAND_OCPP_SECURITY_PROFILE }));
  if (expected === null) expect(warning).toBeNull();
  else expect(warning).toMatch(expected);
});

test.each([
  ['security profile 1', { CHARGEHAND_OCPP_SECURITY_PROFILE: '1' }, null],
  ['security profile 2 without TLS', { CHARGEHAND_OCPP_SECURITY_PROFILE: '2' }, /requires TLS: no device can connect/],
  ['a proxy', { CHARGEHAND_OCPP_SECURITY_PROFILE: '2', CHARGEHAND_TRUSTED_PROXIES: '127.0.0.1' }, null],
  ['TLS of its own', { CHARGEHAND_OCPP_SECURITY_PROFILE: '2', HOST: '0.0.0.0' }, null],
])('a profile that no device can meet: %s', (_title, settings, expected) => {
  const warning = noTlsWarning(readConfig(settings));
  if (expected === null) expect(warning).toBeNull();
  else expect(warning).toMatch(expected);
});

const NO_PORTS = ({ mqtt, ftp, links }: Config) => ({
  ...{ port: 0, ftp: ftp && { ...ftp, required: false }, mqtt: { ...mqtt, port: 0 } },
  links: { ...links, port: null },
});

test('folders that cannot exist prevent the start with one sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-start-'));
  await expect(openDataFolder('/proc/chargehand/data')).rejects.toThrow(
    /^The data folder \/proc\/chargehand\/data \(CHARGEHAND_DATA\) cannot be used: ENOENT/,
  );
  await writeFile(join(folder, 'file'), '');
  const check = (backups: string) => {
    const config = readConfig({ CHARGEHAND_BACKUP_FOLDER: backups });
    // Other servers of this machine use the ports.
    return checkStart({ ...config, ...NO_PORTS(config) }, join(folder, 'data'));
  };
  for (const impossible of ['/proc/backups', join(folder, 'file', 'backups')]) {
    await expect(check(impossible)).rejects.toThrow(
      /^Backups cannot be written to \/.*\(CHARGEHAND_BACKUP_FOLDER\): E[A-Z]+.*choose another folder\.$/,
    );
  }
  await check(join(folder, 'backups'));
  expect(await readdir(join(folder, 'backups'))).toEqual([]);
  await rm(folder, { recursive: true });
});
