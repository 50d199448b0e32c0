import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { S3Options } from '../../platform/objects/service/s3-objects.ts';
import { freePorts } from '../deployment/free-port.ts';

/** A Ceph cluster of one monitor and one disk in memory, with its S3 gateway: a real S3 service with a real STS. */
export interface RadosGateway {
  options: Omit<S3Options, 'buckets'>;
  stop(): Promise<void>;
}

const KEY = { accessKeyId: 'operator', secretAccessKey: 'operator-secret-key' };
/** Who may assume the role, and the permissions of the role before an inline policy restricts it. */
const TRUST = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: ['arn:aws:iam:::user/operator'] }, Action: ['sts:AssumeRole'] }],
};
const ROLE = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: 'arn:aws:s3:::*' }] };

/** Starts one on this machine. It needs Ceph's programs (Debian: ceph-mon, ceph-osd, radosgw). */
export async function startRadosGateway(): Promise<RadosGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-rgw-'));
  const [mon1 = 0, mon2 = 0, rgw = 0] = await freePorts(3);
  const fsid = randomUUID();
  const monitor = `[v2:127.0.0.1:${mon2},v1:127.0.0.1:${mon1}]`;
  const conf = join(folder, 'ceph.conf');
  await writeFile(conf, settings({ folder, fsid, monitor, rgw }));
  for (const name of ['mon', 'osd', 'run', 'log']) await mkdir(join(folder, name));

  const daemons: ChildProcess[] = [];
  const keyring = join(folder, 'keyring');
  const run = async (program: string, ...args: string[]) => {
    const timeout = 60_000;
    return (
      await promisify(execFile)(program, args, { cwd: folder, timeout, env: { ...process.env, CEPH_CONF: conf } })
    ).stdout;
  };
  const daemon = (program: string, ...args: string[]) => {
    daemons.push(spawn(program, ['-c', conf, '-f', ...args], { cwd: folder, stdio: 'ignore' }));
  };
  const stop = async () => {
    for (const child of daemons.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  };

  try {
    const caps = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
    await run('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
    await run('ceph-authtool', keyring, '--gen-key', '-n', 'client.admin', ...caps);
    await run(
      'ceph-authtool',
      keyring,
      '--gen-key',
      '-n',
      'osd.0',
      '--cap',
      'mon',
      'allow profile osd',
      '--cap',
      'osd',
      'allow *',
    );
    await run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', monitor, join(folder, 'monmap'));
    await run('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'), '--keyring', keyring);
    daemon('ceph-mon', '-i', 'a');
    await run('ceph', '-c', conf, '--connect-timeout', '60', 'auth', 'import', '-i', keyring);
    const disk = randomUUID();
    await run('ceph', '-c', conf, 'osd', 'new', disk, '0');
    await run('ceph-osd', '-c', conf, '-i', '0', '--mkfs', '--osd-uuid', disk);
    daemon('ceph-osd', '-i', '0');
    daemon('radosgw', '-n', 'client.admin');
    const endpoint = `http://127.0.0.1:${rgw}`;
    await answering(endpoint);
    const { accessKeyId, secretAccessKey } = KEY;
    const user = [
      '--uid=operator',
      '--display-name=operator',
      `--access-key=${accessKeyId}`,
      `--secret-key=${secretAccessKey}`,
    ];
    await run('radosgw-admin', '-c', conf, 'user', 'create', ...user);
    const role = '--role-name=chargehand';
    await run('radosgw-admin', '-c', conf, 'role', 'create', role, `--assume-role-policy-doc=${JSON.stringify(TRUST)}`);
    const policy = ['--policy-name=objects', `--policy-doc=${JSON.stringify(ROLE)}`];
    await run('radosgw-admin', '-c', conf, 'role-policy', 'put', role, ...policy);
    const roleArn = 'arn:aws:iam:::role/chargehand';
    return { options: { endpoint, stsEndpoint: endpoint, roleArn, region: 'default', key: KEY }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settings(places: { folder: string; fsid: string; monitor: string; rgw: number }): string {
  const { folder, fsid, monitor, rgw } = places;
  return `[global]
fsid = ${fsid}
mon host = ${monitor}
public addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
mon allow pool size one = true
mon data = ${folder}/mon
osd data = ${folder}/osd
keyring = ${folder}/keyring
run dir = ${folder}/run
admin socket =
log file = ${folder}/log/$name.log
rgw frontends = beast endpoint=127.0.0.1:${rgw}
rgw s3 auth use sts = true
rgw sts key = sixteen-letters!
`;
}

/** Waits until an address responds. */
async function answering(url: string): Promise<void> {
  const timeout = Date.now() + 120_000;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (Date.now() > timeout) throw error;
      await wait(500);
    }
  }
}
