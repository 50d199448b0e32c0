// Installs Debian packages that the tests need.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PROJECT } from './run.mjs';

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

/** The SSH clients and servers of devices, for the tests of links. */
export function requireSshPrograms() {
  const programs = { ssh: 'openssh-client', dbclient: 'dropbear-bin' };
  const missing = Object.entries(programs).flatMap(([program, name]) => (findProgram(program) ? [] : [name]));
  if (!existsSync('/usr/lib/sftp-server')) missing.push('openssh-sftp-server');
  if (!existsSync('/usr/sbin/tc') && !existsSync('/sbin/tc')) missing.push('iproute2');
  if (missing.length > 0) installPackages(missing);
  // If it were installed, it would start and accept sign-ins.
  if (!existsSync('/usr/sbin/sshd') && !existsSync(join(UNPACKED, 'usr/sbin/sshd'))) {
    unpack(['openssh-server', ...dependencies('openssh-server', /^lib(wrap|nsl)/)]);
  }
}

/**
 * Independent programs for `npm run test:clients`: clients of S3, FTP and MQTT, the virus scanner clamd, and NATS. The OCPP
 * clients are npm packages.
 */
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
  if (!existsSync(join(UNPACKED, 'usr/sbin/nats-server'))) unpack(['nats-server']);
  if (!existsSync(join(UNPACKED, 'usr/sbin/clamd'))) unpack(['clamav-daemon', 'libclamav12', 'libmspack0']);
}

/**
 * Firefox, for a short test of the console in a second browser.
 * @returns {string} its path, installed if necessary
 */
export function requireFirefox() {
  const names = ['firefox-esr', 'firefox'];
  if (!names.some(findProgram)) installPackages(['firefox-esr']);
  const found = names.map(findProgram).find((path) => path !== undefined);
  if (found === undefined) throw new Error('The test of Firefox requires firefox-esr.');
  return found;
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

/** Folder for unpacked packages that would start a service if they were installed. */
const UNPACKED = join(PROJECT, 'node_modules', '.cache', 'debian');

/**
 * Unpacks packages into a folder: nothing is installed or started, and no root account is required.
 * @param {string[]} packages Debian's names
 * @throws {Error} if they cannot be downloaded
 */
function unpack(packages) {
  process.stdout.write(`Unpacking ${packages.join(' and ')} ...\n`);
  rmSync(join(UNPACKED, 'packages'), { recursive: true, force: true });
  const folder = join(UNPACKED, 'packages');
  mkdirSync(folder, { recursive: true });
  const download = () =>
    spawnSync('apt-get', ['download', ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status;
  // Lists that are older than the archive name versions that it no longer has.
  const isLoaded = download() === 0 || (updateLists() && download() === 0);
  if (!isLoaded)
    throw new Error(`${packages.join(' and ')} could not be downloaded. Run apt-get update and try again.`);
  for (const file of readdirSync(folder)) {
    const { status: failed } = spawnSync('dpkg-deb', ['-x', join(folder, file), UNPACKED], { stdio: 'inherit' });
    if (failed !== 0) throw new Error(`${file} could not be unpacked.`);
  }
}

/**
 * @param {string} name of a package
 * @param {RegExp} pattern
 * @returns {string[]} the packages it depends on that match; their names differ between versions of Debian
 */
function dependencies(name, pattern) {
  const { stdout } = spawnSync('apt-cache', ['depends', name], { encoding: 'utf8' });
  return [...stdout.matchAll(/^ *Depends: (\S+)$/gm)].flatMap(([, found = '']) => (pattern.test(found) ? [found] : []));
}

/** @returns {boolean} whether this account may update the package lists, and they were updated */
function updateLists() {
  if (process.getuid?.() !== 0) return false;
  return spawnSync('apt-get', ['update'], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/**
 * nginx with its stream module, PgBouncer and PostgreSQL, for the tests of a deployment.
 * @returns {{ nginx: string, streamModule: string, pgbouncer: string, postgres: string, libraries: string }} paths of
 *   programs, of the folder of PostgreSQL's programs, and of folders of libraries (LD_LIBRARY_PATH)
 */
export function requireDeployment() {
  const nginx = join(UNPACKED, 'usr/sbin/nginx');
  if (!existsSync(nginx)) unpack(['nginx', 'libnginx-mod-stream']);
  const ownPgbouncer = join(UNPACKED, 'usr/sbin/pgbouncer');
  if (!findProgram('pgbouncer') && !existsSync(ownPgbouncer)) {
    unpack(['pgbouncer', ...dependencies('pgbouncer', /^lib(c-?ares|event)/)]);
  }
  if (!findPostgres()) {
    const [server] = dependencies('postgresql', /^postgresql-\d+$/);
    if (server === undefined) throw new Error('The tests need postgresql. Run apt-get update and try again.');
    unpack([server, 'libpq5']);
  }
  const postgres = findPostgres();
  if (postgres === undefined) throw new Error('The tests need PostgreSQL from Debian.');
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => join(UNPACKED, 'usr/lib', name));
  return {
    nginx,
    streamModule: join(UNPACKED, 'usr/lib/nginx/modules/ngx_stream_module.so'),
    pgbouncer: findProgram('pgbouncer') ?? ownPgbouncer,
    postgres,
    libraries: libraries.join(delimiter),
  };
}

/** @returns {string | undefined} the folder of the programs of PostgreSQL's newest version from Debian */
function findPostgres() {
  const folders = ['/usr/lib/postgresql', join(UNPACKED, 'usr/lib/postgresql')].filter((folder) => existsSync(folder));
  const versions = folders.flatMap((folder) => readdirSync(folder).map((version) => join(folder, version, 'bin')));
  return versions.filter((folder) => existsSync(join(folder, 'initdb'))).at(-1);
}

/**
 * PostgreSQL, HAProxy, Mosquitto and NATS, for several processes on one machine.
 * @returns {{ postgres: string, haproxy: string, mosquitto: string, nats: string, libraries: string, pgbouncer: string }}
 *   paths of programs, of the folder of PostgreSQL's programs, and of folders of libraries (LD_LIBRARY_PATH)
 */
export function requireCluster() {
  requireMosquitto();
  const { postgres, libraries, pgbouncer } = requireDeployment();
  const haproxy = join(UNPACKED, 'usr/sbin/haproxy');
  const nats = join(UNPACKED, 'usr/sbin/nats-server');
  if (!existsSync(haproxy)) unpack(['haproxy', ...dependencies('haproxy', /^lib(lua|opentracing)/), 'libopentracing1']);
  if (!existsSync(nats)) unpack(['nats-server']);
  return { postgres, haproxy, mosquitto: findProgram('mosquitto') ?? 'mosquitto', nats, libraries, pgbouncer };
}

/**
 * The tool of Prometheus that checks and tests alert rules.
 * @returns {string} its path
 */
export function requirePromtool() {
  const own = join(UNPACKED, 'usr/bin/promtool');
  const found = findProgram('promtool');
  if (found === undefined && !existsSync(own)) unpack(['prometheus']);
  return found ?? own;
}
