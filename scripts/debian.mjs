// Installs Debian packages that the tests need.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {string} name of a program
 * @returns {string | undefined} its path
 */
function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * @param {string[]} packages Debian package names
 * @throws {Error} with a message that names what to install, when this account cannot install packages
 */
export function installPackages(packages) {
  const command = `apt-get update && apt-get install -y ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`The tests require ${packages.join(' and ')}. On Debian or Ubuntu: sudo sh -c '${command}'`);
  }
  process.stdout.write(`Installing ${packages.join(' and ')} ...\n`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'], env: environment });
  if (status !== 0) throw new Error(`${packages.join(' and ')} could not be installed. See the output above.`);
}

/**
 * An independent S3 client for the tests of the object store.
 * @returns {string} path of s3cmd, installed if necessary
 */
export function requireS3cmd() {
  if (!findProgram('s3cmd')) installPackages(['s3cmd']);
  const found = findProgram('s3cmd');
  if (found === undefined) throw new Error('The tests of the object store require s3cmd.');
  return found;
}

/**
 * An independent FTP client for the tests of device files.
 * @returns {string} path of lftp, installed if necessary
 */
export function requireLftp() {
  if (!findProgram('lftp')) installPackages(['lftp']);
  const found = findProgram('lftp');
  if (found === undefined) throw new Error('The tests of FTP require lftp.');
  return found;
}

/** Independent clients for `npm run test:clients`: S3, FTP and MQTT. The OCPP clients are npm packages. */
export function requireClients() {
  const programs = {
    rclone: 'rclone',
    aws: 'awscli',
    s3cmd: 's3cmd',
    lftp: 'lftp',
    mosquitto_pub: 'mosquitto-clients',
  };
  const missing = Object.entries(programs).flatMap(([program, name]) => (findProgram(program) ? [] : [name]));
  if (!findProgram('mosquitto')) missing.push('mosquitto');
  if (spawnSync('python3', ['-c', 'import boto3']).status !== 0) missing.push('python3-boto3');
  if (missing.length > 0) installPackages(missing);
}

/** A real S3 service, for the tests of the S3 driver. */
export function requireCeph() {
  const programs = ['ceph-mon', 'ceph-osd', 'radosgw'];
  const missing = programs.filter((name) => !findProgram(name));
  if (missing.length > 0) installPackages(missing);
}

/** A real MQTT broker and independent clients, for the tests of the MQTT gateway. */
export function requireMosquitto() {
  const missing = ['mosquitto', 'mosquitto_pub'].some((name) => !findProgram(name));
  if (missing) installPackages(['mosquitto', 'mosquitto-clients']);
}
