import { AwsClient } from 'aws4fetch';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFullRun } from '../../../../testing/full-run.ts';
import { OPERATOR, type ServedStore, serveEmbeddedStore } from '../../../../testing/objects/embedded-store.ts';
import { LONGEST_STALL_MS } from '../../../../testing/stalls/least-stall.ts';
import { longestTurn } from '../../../../testing/stalls/longest-turn.ts';

const BUCKET = 'chargehand';
/** Keys of a long list: many pages. */
const MANY = isFullRun ? 100_000 : 20_000;
let served: ServedStore;
let tool: AwsClient;
beforeAll(async () => {
  served = await serveEmbeddedStore();
  tool = new AwsClient({ ...OPERATOR, region: served.store.region, service: 's3', retries: 0 });
});
afterAll(() => served.stop());

const put = (key: string) => served.store.put({ bucket: BUCKET, key }, Buffer.from(key), { contentType: 'text/plain' });
const exists = async (key: string) => (await served.store.head({ bucket: BUCKET, key })) !== null;
const post = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await tool.fetch(`${served.endpoint}/${BUCKET}?delete`, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text() };
};
const codeOf = async (body: string | Uint8Array, headers?: Record<string, string>) => {
  const { status, text } = await post(body, headers);
  return `${status} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1]}`;
};
const objects = (keys: string[], quiet = '') =>
  `<Delete>${quiet}${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('')}</Delete>`;

describe('DeleteObjects', () => {
  test('reports the result of each key: removed, missing, refused', async () => {
    for (const key of ['one', 'two', 'three']) await put(key);
    const facts = await served.store.head({ bucket: BUCKET, key: 'three' });
    const long = 'x'.repeat(1_025);
    const body = `<Delete>
      <Object><Key>one</Key></Object>
      <Object><Key>none</Key></Object>
      <Object><Key>${long}</Key></Object>
      <Object><Key>two</Key><ETag>"another"</ETag></Object>
      <Object><Key>three</Key><ETag>"${facts?.etag}"</ETag></Object>
    </Delete>`;
    const { status, text } = await post(body);
    expect(status).toBe(200);
    const deleted = [...text.matchAll(/<Deleted><Key>(.*?)<\/Key><\/Deleted>/g)].map(([, key]) => key);
    expect(deleted).toEqual(['one', 'none', 'three']);
    const failed = [...text.matchAll(/<Error><Key>(.*?)<\/Key><Code>(\w+)/g)].map(([, key, code]) => [key, code]);
    expect(failed).toEqual([
      [long, 'KeyTooLongError'],
      ['two', 'PreconditionFailed'],
    ]);
    expect(await Promise.all(['one', 'two', 'three'].map(exists))).toEqual([false, true, false]);
    await put('one');
    expect((await post(objects(['one', 'two'], '<Quiet>true</Quiet>'))).text).not.toContain('<Deleted>');
    expect(await Promise.all(['one', 'two'].map(exists))).toEqual([false, false]);
  });

  test('a body that was changed in transit deletes nothing', async () => {
    await put('kept');
    const body = objects(['kept']);
    const sums: Record<string, string>[] = [
      { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' },
      { 'x-amz-checksum-crc32': 'AAAAAA==' },
    ];
    for (const headers of sums) expect(await codeOf(body, headers)).toBe('400 BadDigest');
    expect(await codeOf(body, { 'x-amz-content-sha256': '0'.repeat(64) })).toBe('400 XAmzContentSHA256Mismatch');
    expect(await exists('kept')).toBe(true);
  });
});

describe('malformed and malicious XML', () => {
  const deep = '<a>'.repeat(100_000);
  const cases: [string, string | Uint8Array, string][] = [
    ['nothing', ' ', '400 MalformedXML'],
    ['no XML', '{"Delete": []}', '400 MalformedXML'],
    ['another root', '<Remove><Object><Key>kept</Key></Object></Remove>', '400 MalformedXML'],
    ['no keys', '<Delete></Delete>', '400 MalformedXML'],
    ['an empty key', objects(['']), '400 MalformedXML'],
    ['an unclosed row', '<Delete><Object><Key>kept</Key></Object>', '400 MalformedXML'],
    ['content after the end', `${objects(['kept'])}<Delete/>`, '400 MalformedXML'],
    ['two keys in a row', '<Delete><Object><Key>kept</Key><Key>kept</Key></Object></Delete>', '400 MalformedXML'],
    ['a version', '<Delete><Object><Key>kept</Key><VersionId>1</VersionId></Object></Delete>', '400 MalformedXML'],
    ['text between elements', '<Delete>kept<Object><Key>kept</Key></Object></Delete>', '400 MalformedXML'],
    ['an element in a key', objects(['kept<b/>']), '400 MalformedXML'],
    ['an unknown entity', objects(['kept&nbsp;']), '400 MalformedXML'],
    ['an invalid reference', objects(['kept&#x110000;']), '400 MalformedXML'],
    ['a control character', objects(['kept&#1;']), '400 MalformedXML'],
    ['an incomplete character', objects(['kept&#xD800;']), '400 MalformedXML'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('<Delete>'), Buffer.from([0xff, 0xfe])]),
      '400 MalformedXML',
    ],
    ['more keys than allowed', objects(Array.from({ length: 1_001 }, () => 'kept')), '400 MalformedXML'],
    ['a key that is too long', objects(['x'.repeat(1_000_000)]), '400 MalformedXML'],
    [
      'entities of entities',
      `<!DOCTYPE x [<!ENTITY a "${'k'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>${objects(['&b;'])}`,
      '400 MalformedXML',
    ],
    [
      'a file as an entity',
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${objects(['&a;'])}`,
      '400 MalformedXML',
    ],
    ['elements nested too deeply', `<Delete>${deep}`, '400 MalformedXML'],
    ['more bytes than allowed', `<Delete>${' '.repeat(4 * 1024 * 1024)}</Delete>`, '400 MaxMessageLengthExceeded'],
    ['a comment as long as allowed', `<!--${'-x'.repeat(2_000_000)}--><Delete></Delete>`, '400 MalformedXML'],
    [
      'attributes',
      `<Delete ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')}></Delete>`,
      '400 MalformedXML',
    ],
    ['references', objects(['&#65;'.repeat(500_000)]), '400 MalformedXML'],
  ];

  test.each(cases)('%s', async (_, body, code) => {
    await put('kept');
    const { result, ms } = await longestTurn(() => codeOf(body));
    expect(result).toBe(code);
    expect(ms).toBeLessThan(LONGEST_STALL_MS);
    expect(await exists('kept')).toBe(true);
  });
});

describe('long documents', () => {
  test('a thousand keys are deleted without blocking other requests', async () => {
    const keys = Array.from({ length: 1_000 }, (_, at) => `many/${at}`);
    const { result, ms } = await longestTurn(async () => {
      for (let at = 0; at < keys.length; at += 10) await Promise.all(keys.slice(at, at + 10).map(put));
      return await post(objects(keys));
    });
    expect(result.text.match(/<Deleted>/g)).toHaveLength(1_000);
    expect(ms).toBeLessThan(LONGEST_STALL_MS);
    const { rows } = await sql`select 1 from stored_objects where key like 'many/%'`.execute(served.db);
    expect(rows).toEqual([]);
  });

  test('a page with keys of the maximum length, with characters that XML escapes, is written in slices', async () => {
    const long = `escaped/${'&"<>🔋'.repeat(120)}`;
    await sql`insert into stored_objects (bucket, key, size, etag, pending)
      select ${BUCKET}, ${long} || n, n, 'e', false from generate_series(1, 1000) n`.execute(served.db);
    const { result, ms } = await longestTurn(async () => {
      const page = await tool.fetch(`${served.endpoint}/${BUCKET}?list-type=2&prefix=escaped/`);
      return await page.arrayBuffer();
    });
    expect(
      Buffer.from(result)
        .toString()
        .match(/<Contents>/g),
    ).toHaveLength(1_000);
    expect(ms).toBeLessThan(LONGEST_STALL_MS);
  });

  test(`${MANY} keys are listed page by page, from an index`, async () => {
    // Only rows: a list opens no files.
    await sql`insert into stored_objects (bucket, key, size, etag, pending)
      select ${BUCKET}, 'long/' || lpad((n / 100)::text, 4, '0') || '/' || lpad(n::text, 6, '0'), n, 'e', false
      from generate_series(0, ${MANY - 1}) n`.execute(served.db);
    await sql`analyze stored_objects`.execute(served.db);
    const all = async (query: string) => {
      let found = 0;
      for (let token = '', pages = 0; pages < 200; pages += 1) {
        const page = await tool.fetch(`${served.endpoint}/${BUCKET}?list-type=2&prefix=long/${query}${token}`);
        const text = await page.text();
        found += (text.match(/<Contents>|<CommonPrefixes>/g) ?? []).length;
        const [, next] = /<NextContinuationToken>(.*)<\/NextContinuationToken>/.exec(text) ?? [];
        if (next === undefined) return found;
        token = `&continuation-token=${next}`;
      }
      throw new Error('the list has no end');
    };
    const flat = await longestTurn(() => all(''));
    expect(flat.result).toBe(MANY);
    expect(flat.ms).toBeLessThan(LONGEST_STALL_MS);
    const divided = await longestTurn(() => all('&delimiter=/'));
    expect(divided.result).toBe(MANY / 100);
    expect(divided.ms).toBeLessThan(LONGEST_STALL_MS);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select key from stored_objects
      where bucket = ${BUCKET} and key >= 'long/' and key < 'long0' and key > 'long/0100/' order by key limit 1000`.execute(
      served.db,
    );
    expect(rows[0]?.['QUERY PLAN']).toContain('Limit');
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('stored_objects_pkey');
  });
});
