import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUCKET, KEY, openWorkbench, REGION, type Workbench } from '../testing/clients/object-store.ts';

// Separate from the other tests, because these programs and their files are large: `npm run test:clients`.
let bench: Workbench;
let hashes: Map<string, string>;
let large: string;
beforeAll(async () => {
  bench = await openWorkbench();
  hashes = await bench.makeFiles();
  large = await bench.makeLarge();
}, 300_000);
afterAll(() => bench?.stop());

/** Checks that the files of a folder are those that were created. */
async function requireSame(folder: string): Promise<void> {
  for (const [path, hash] of hashes) expect(await bench.hashOf(join(folder, path)), path).toBe(hash);
}

/**
 * The maximum memory growth of the server while a file of any size is uploaded and downloaded: parts of 5 to 64 MB that
 * arrive in parallel.
 */
const GROWTH_MB = 200;

/**
 * Checks that the server does not keep the file in memory while a client works. Prints the figures
 * (docs/operations.md).
 */
async function requireFlatMemory(client: string, work: () => Promise<void>): Promise<void> {
  const { before, peak } = await bench.memoryDuring(work);
  const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
  console.info(`${client}: server memory ${megabytes(before)} MB before, ${megabytes(peak)} MB at its highest`);
  expect(megabytes(peak - before)).toBeLessThan(GROWTH_MB);
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

describe('rclone', () => {
  const config = () => ({
    RCLONE_CONFIG: join(bench.folder, 'rclone.conf'),
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ACCESS_KEY_ID: KEY.accessKeyId,
    RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: KEY.secretAccessKey,
    RCLONE_CONFIG_STORE_ENDPOINT: bench.endpoint,
    RCLONE_CONFIG_STORE_REGION: REGION,
    // Below that size files are not copied in parts.
    RCLONE_S3_COPY_CUTOFF: '8M',
    RCLONE_S3_UPLOAD_CUTOFF: '8M',
    RCLONE_RETRIES: '1',
  });
  const rclone = (...args: string[]) => bench.run('rclone', args, config());

  test('lists buckets, copies, checks, syncs and moves files of all sizes and names', async () => {
    expect(linesOf(await rclone('lsf', 'store:')).toSorted()).toEqual(['chargehand-firmware/', 'chargehand/']);
    const target = `store:${BUCKET}/rclone`;
    await rclone('copy', 'files', `${target}/a`);
    await rclone('check', '--download', 'files', `${target}/a`);
    expect(linesOf(await rclone('lsf', '-R', '--files-only', `${target}/a`)).toSorted()).toEqual(
      [...hashes.keys()].toSorted(),
    );
    // Within the store: in one piece and in parts.
    await rclone('sync', `${target}/a`, `${target}/b`);
    await rclone('move', `${target}/b`, `${target}/c`);
    expect(await rclone('lsf', '-R', '--files-only', `${target}/b`)).toBe('');
    await rclone('sync', `${target}/c`, 'from-rclone');
    await requireSame('from-rclone');
    // Existing files are not sent again.
    expect(await rclone('sync', '--dry-run', '-v', 'files', `${target}/c`)).not.toContain('Skipped');
    await rclone('touch', `${target}/c/one.bin`);
    await rclone('deletefile', `${target}/c/empty.bin`);
    await rclone('cleanup', `store:${BUCKET}`);
    await rclone('purge', target);
    expect(await rclone('lsf', '-R', `store:${BUCKET}`)).not.toContain('rclone');
  });

  test('a file can be read with a signed URL of its own', async () => {
    await rclone('copyto', 'files/one.bin', `store:${BUCKET}/linked.bin`);
    const link = await rclone('link', '--expire', '10m', `store:${BUCKET}/linked.bin`);
    expect((await fetch(link.trim())).status).toBe(200);
  });

  test('the large file arrives completely, and the server holds little of it in memory', async () => {
    await requireFlatMemory('rclone', async () => {
      await rclone('copyto', large, `store:${BUCKET}/rclone.bin`);
      await rclone('moveto', `store:${BUCKET}/rclone.bin`, `store:${BUCKET}/rclone-moved.bin`);
      await rclone('copyto', `store:${BUCKET}/rclone-moved.bin`, 'large-rclone.bin');
      expect(await bench.hashOf('large-rclone.bin')).toBe(await bench.hashOf(large));
      await rclone('deletefile', `store:${BUCKET}/rclone-moved.bin`);
    });
  });
});

describe('awscli', () => {
  const config = () => ({
    AWS_ACCESS_KEY_ID: KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
    AWS_DEFAULT_REGION: REGION,
    AWS_CONFIG_FILE: join(bench.folder, 'aws.conf'),
    AWS_PAGER: '',
    AWS_MAX_ATTEMPTS: '1',
  });
  const aws = (...args: string[]) => bench.run('aws', ['--endpoint-url', bench.endpoint, ...args], config());
  beforeAll(() => writeFile(join(bench.folder, 'aws.conf'), '[default]\ns3 =\n  addressing_style = path\n'));

  test('lists buckets, copies, syncs and moves files of all sizes and names', async () => {
    const buckets = linesOf(await aws('s3', 'ls')).map((line) => line.split(' ').at(-1));
    expect(buckets).toEqual(['chargehand', 'chargehand-firmware']);
    const target = `s3://${BUCKET}/aws`;
    await aws('s3', 'sync', '--quiet', 'files', `${target}/a`);
    const listed = linesOf(await aws('s3', 'ls', '--recursive', `${target}/a/`)).map((line) =>
      line.replace(/^.*? aws\/a\//, ''),
    );
    expect(listed.toSorted()).toEqual([...hashes.keys()].toSorted());
    // Existing files are not sent again.
    expect(await aws('s3', 'sync', '--dryrun', '--size-only', 'files', `${target}/a`)).toBe('');
    await aws('s3', 'cp', '--quiet', '--recursive', `${target}/a`, `${target}/b`);
    await aws('s3', 'mv', '--quiet', '--recursive', `${target}/b`, `${target}/c`);
    expect(await aws('s3', 'ls', `${target}/`)).not.toContain('PRE b/');
    await aws('s3', 'sync', '--quiet', '--delete', `${target}/c`, 'from-aws');
    await requireSame('from-aws');
    await aws('s3', 'mv', '--quiet', 'from-aws/one.bin', `${target}/moved.bin`);
    const url = await aws('s3', 'presign', '--expires-in', '600', `${target}/moved.bin`);
    expect((await fetch(url.trim())).status).toBe(200);
    await aws('s3', 'rm', '--quiet', '--recursive', target);
    expect(await aws('s3api', 'list-objects-v2', '--bucket', BUCKET, '--prefix', 'aws/')).not.toContain('"Key"');
  });

  test('the large file arrives completely, and the server holds little of it in memory', async () => {
    await requireFlatMemory('awscli', async () => {
      await aws('s3', 'cp', '--quiet', large, `s3://${BUCKET}/aws.bin`);
      await aws('s3', 'mv', '--quiet', `s3://${BUCKET}/aws.bin`, `s3://${BUCKET}/aws-moved.bin`);
      await aws('s3', 'mv', '--quiet', `s3://${BUCKET}/aws-moved.bin`, 'large-aws.bin');
      expect(await bench.hashOf('large-aws.bin')).toBe(await bench.hashOf(large));
      expect(await aws('s3api', 'list-multipart-uploads', '--bucket', BUCKET)).not.toContain('UploadId"');
    });
  });
});

describe('s3cmd', () => {
  const s3cmd = (...args: string[]) => bench.run('s3cmd', ['-c', 's3cfg', '--no-progress', ...args]);
  beforeAll(async () => {
    const { host } = new URL(bench.endpoint);
    const settings = {
      access_key: KEY.accessKeyId,
      secret_key: KEY.secretAccessKey,
      host_base: host,
      host_bucket: host,
      use_https: 'False',
      bucket_location: REGION,
      max_retries: '1',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    await writeFile(join(bench.folder, 's3cfg'), ['[default]', ...lines, ''].join('\n'));
  });

  test('lists buckets, puts, syncs, gets and moves files of all sizes and names', async () => {
    expect(linesOf(await s3cmd('ls')).map((line) => line.split(/\s+/).at(-1))).toEqual([
      's3://chargehand',
      's3://chargehand-firmware',
    ]);
    const target = `s3://${BUCKET}/s3cmd`;
    await s3cmd('sync', '--multipart-chunk-size-mb=5', 'files/', `${target}/a/`);
    const listed = linesOf(await s3cmd('ls', '-r', `${target}/a/`)).map((line) => line.replace(/^.*s3cmd\/a\//, ''));
    expect(listed.toSorted()).toEqual([...hashes.keys()].toSorted());
    await s3cmd('cp', '-r', `${target}/a/`, `${target}/b/`);
    await s3cmd('mv', `${target}/b/one.bin`, `${target}/b/two.bin`);
    await s3cmd('mv', `${target}/b/two.bin`, `${target}/b/one.bin`);
    await mkdir(join(bench.folder, 'from-s3cmd'));
    await s3cmd('get', '-r', `${target}/b/`, 'from-s3cmd/');
    await requireSame('from-s3cmd');
    expect(await s3cmd('info', `${target}/a/one.bin`)).toMatch(/File size:\s+1\n/);
    expect(await s3cmd('du', `${target}/a/`)).toMatch(/\d+ objects/);
    await s3cmd('del', '-r', '--force', `${target}/`);
    expect(await s3cmd('ls', '-r', `${target}/`)).toBe('');
  });

  test('a file can be read with a signed URL of its own', async () => {
    await s3cmd('put', 'files/one.bin', `s3://${BUCKET}/站 +1.bin`);
    const url = (await s3cmd('signurl', `s3://${BUCKET}/站 +1.bin`, '+600')).trim();
    const answer = await fetch(url);
    expect([answer.status, (await answer.bytes()).length]).toEqual([200, 1]);
    expect((await fetch(`${url}x`)).status).toBe(403);
  });

  test('the large file arrives completely, and the server holds little of it in memory', async () => {
    await requireFlatMemory('s3cmd', async () => {
      await s3cmd('put', large, `s3://${BUCKET}/s3cmd.bin`);
      await s3cmd('mv', `s3://${BUCKET}/s3cmd.bin`, `s3://${BUCKET}/s3cmd-moved.bin`);
      await s3cmd('get', `s3://${BUCKET}/s3cmd-moved.bin`, 'large-s3cmd.bin');
      expect(await bench.hashOf('large-s3cmd.bin')).toBe(await bench.hashOf(large));
      await s3cmd('del', `s3://${BUCKET}/s3cmd-moved.bin`);
    });
  });
});

describe('boto3', () => {
  const python = (source: string) => {
    const setup = `
import os, boto3
from botocore.config import Config
from botocore.exceptions import ClientError
config = Config(s3={'addressing_style': 'path'}, signature_version='s3v4', retries={'total_max_attempts': 1})
s3 = boto3.client('s3', endpoint_url='${bench.endpoint}', region_name='${REGION}', config=config,
  aws_access_key_id='${KEY.accessKeyId}', aws_secret_access_key='${KEY.secretAccessKey}')
bucket = '${BUCKET}'
`;
    return bench.run('python3', ['-c', setup + source]);
  };

  test('uploads, lists, copies, downloads and deletes files of all sizes and names', async () => {
    await python(`
assert [one['Name'] for one in s3.list_buckets()['Buckets']] == ['chargehand', 'chargehand-firmware']
paths = [os.path.relpath(os.path.join(folder, name), 'files') for folder, _, names in os.walk('files') for name in names]
for path in paths:
  s3.upload_file('files/' + path, bucket, 'boto/' + path)
pages = s3.get_paginator('list_objects_v2').paginate(Bucket=bucket, Prefix='boto/', PaginationConfig={'PageSize': 7})
assert sorted(one['Key'][5:] for page in pages for one in page.get('Contents', [])) == sorted(paths)
for path in paths:
  s3.copy({'Bucket': bucket, 'Key': 'boto/' + path}, bucket, 'boto-copy/' + path)
  os.makedirs(os.path.dirname('from-boto/' + path), exist_ok=True)
  s3.download_file(bucket, 'boto-copy/' + path, 'from-boto/' + path)
for prefix in ['boto/', 'boto-copy/']:
  answer = s3.delete_objects(Bucket=bucket, Delete={'Objects': [{'Key': prefix + path} for path in paths]})
  assert len(answer['Deleted']) == len(paths) and 'Errors' not in answer, answer
  assert s3.list_objects_v2(Bucket=bucket, Prefix=prefix)['KeyCount'] == 0
`);
    await requireSame('from-boto');
  });

  test('gets the error code of a refused request', async () => {
    const printed = await python(`
s3.put_object(Bucket=bucket, Key='boto.txt', Body=b'text')
def code(call, **more):
  try:
    call(Bucket=bucket, Key='boto.txt', **more)
    print('ok')
  except ClientError as error:
    print(error.response['Error']['Code'])
code(s3.get_object, IfMatch='"other"')
code(s3.get_object, VersionId='1')
code(s3.put_object, Body=b'', ServerSideEncryption='AES256')
code(s3.put_object_acl, ACL='public-read')
code(s3.get_object, Range='bytes=2-')
`);
    expect(linesOf(printed)).toEqual([
      'PreconditionFailed',
      'NotImplemented',
      'NotImplemented',
      'NotImplemented',
      'ok',
    ]);
  });

  test('the large file arrives completely, and the server holds little of it in memory', async () => {
    await requireFlatMemory('boto3', async () => {
      await python(`
s3.upload_file('${large}', bucket, 'boto.bin')
s3.copy({'Bucket': bucket, 'Key': 'boto.bin'}, bucket, 'boto-copy.bin')
s3.download_file(bucket, 'boto-copy.bin', 'large-boto.bin')
s3.delete_objects(Bucket=bucket, Delete={'Objects': [{'Key': 'boto.bin'}, {'Key': 'boto-copy.bin'}]})
`);
      expect(await bench.hashOf('large-boto.bin')).toBe(await bench.hashOf(large));
    });
  });
});
