import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { responseHeaders } from './links/web/headers.ts';
import { hashDevicePassword } from './ports/devices/device-password.ts';
import type { Ground } from './testing/cases/ground.ts';
import { type Client, client, openSession } from './testing/client.ts';
import { ENDPOINT_CASES } from './testing/contract/endpoint-cases.ts';
import { incomingArea, uploadIncoming } from './testing/files/incoming.ts';
import { zipOf } from './testing/files/zip.ts';
import { freePort } from './testing/free-port.ts';
import { type Inputs, invoke } from './testing/invoke.ts';
import { LONGEST_STALL_MS } from './testing/stalls/least-stall.ts';
import { longestTurn } from './testing/stalls/longest-turn.ts';
import { type MeteredServer, startMeteredServer } from './testing/stalls/metered-server.ts';
import { connectAttacker } from './testing/stalls/mqtt-attacker.ts';
import { sendRaw } from './testing/stalls/raw-connection.ts';
import { type Attack, stallsOf } from './testing/stalls/stalls-of.ts';

/*
 * A few of the most expensive texts for every door of the server. The matrices of all endpoints, messages and topics are
 * in stalls.full.ts, gateways/ocpp-stalls.full.ts and gateways/mqtt-stalls.full.ts.
 */

const HTTP = await freePort();
const MQTT = await freePort();
const FTP = await freePort();
const SSH = await freePort();
const SMTP = await freePort();
const SN = 'STALL-DOOR';
const PASSWORD = 'correct-horse-battery';

let server: MeteredServer;
let root: Client;
let ground: Ground;
beforeAll(async () => {
  server = await startMeteredServer(HTTP, {
    ...{ CHARGEHAND_MQTT_PORT: String(MQTT), CHARGEHAND_FTP_PORT: String(FTP), CHARGEHAND_LINKS_PORT: String(SSH) },
    ...{ CHARGEHAND_SMTP_PORT: String(SMTP), CHARGEHAND_SMTP_DOMAIN: 'reply.example' },
  });
  const { database, world, program } = server;
  root = client(program.url, await openSession(database.db, world.users.root));
  ground = { world, db: database.db };
  await database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
     values ($1, $1, $2, $3, $4, $5)`,
    [SN, world.sites.northQuay, world.customers.north, world.model, hashDevicePassword(PASSWORD)],
  );
});
afterAll(() => server.stop());

/** Texts that made a pattern of this product, or of another one, take more than linear time. */
const TEXTS: Record<string, string> = {
  'capital letters': 'A',
  'starts of tokens': 'eyJ-',
  'addresses without an end': 'mailto:@@@',
  'Han characters': '桩',
  blanks: ' ',
  brackets: '[',
  'marks on one letter': '\u0301',
  commas: '1,',
  escapes: '\\"',
};
/** @param bytes in UTF-8 */
const filled = (part: string, bytes: number) => `${part.repeat(Math.floor(bytes / Buffer.byteLength(part)) - 1)}!`;
const texts = (bytes: number) => Object.entries(TEXTS).map(([what, part]) => [what, filled(part, bytes)] as const);

/** Sends requests to an endpoint with the valid inputs of its case, changed by each attack. */
async function attacksOn(
  endpoint: Endpoint,
  changes: Iterable<readonly [what: string, change: (valid: Inputs) => Inputs, headers?: Record<string, string>]>,
): Promise<Attack[]> {
  const valid = (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
  // Schemas are compiled on the first request, which is not the work of a malicious one.
  await invoke(root, endpoint, valid as Inputs);
  return [...changes].map(([what, change, headers]) => ({
    what: `${endpoint.id}, ${what}`,
    async run() {
      const { status, code } = await invoke(root, endpoint, change(valid as Inputs), headers);
      // An input that is too long, or one too many, would not reach the code behind the door.
      expect([413, 429, 500], `${what}: the answer ${code}`).not.toContain(status);
    },
  }));
}

const withBody = (fields: object) => (valid: Inputs) => ({ ...valid, body: { ...(valid.body as object), ...fields } });
const expectNone = async (attacks: Iterable<Attack>) => expect(await stallsOf(server.program, attacks)).toEqual([]);

/** A node of a document, as the editor makes it. */
interface Node {
  type: string;
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  content?: Node[];
}
const documentOf = (...content: Node[]) => ({ type: 'doc', content });
const paragraph = (text: string, ...marks: NonNullable<Node['marks']>): Node => ({
  ...{ type: 'paragraph', content: [{ type: 'text', text, ...(marks.length > 0 && { marks }) }] },
});

let addresses = 0;
/** Sends reports of a browser, each time from another address, because reports are limited for each address. */
function report(body: string): Promise<number | undefined> {
  addresses += 1;
  const { path, method } = ENDPOINTS.reportErrors;
  const options = { host: '127.0.0.1', port: HTTP, path, method, localAddress: `127.0.1.${addresses}` };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers: { 'content-type': 'application/json' } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject).end(body);
  });
}

test('request bodies, without and with a session', async () => {
  const { body } = await ENDPOINT_CASES['errors.report']!.call!(ground, 'northQuay', 'root');
  const [one] = (body as { reports: object[] }).reports;
  const reported = texts(8_000).map(([what, text]): Attack => {
    const reports = Array.from({ length: 6 }, () => ({ ...one, message: text.slice(0, 1_000), stack: text }));
    return {
      what: `a report, ${what}`,
      run: async () => expect(await report(JSON.stringify({ version: '1', reports }))).toBe(200),
    };
  });
  const named = texts(200_000).map(([what, text]) => [what, withBody({ name: text, title: text })] as const);
  await expectNone([...reported, ...(await attacksOn(ENDPOINTS.createDocument, named))]);
});

test('headers and queries', async () => {
  const tabs = `"x"${'\t'.repeat(12_000)}x`;
  const header = (name: string, value: string) => [name, (valid: Inputs) => valid, { [name]: value }] as const;
  const names = ['if-none-match', 'if-range', 'range', 'accept-language', 'user-agent', 'x-forwarded-for', 'referer'];
  const headers = names.flatMap((name) => [header(name, tabs), header(name, `bytes=${'0-1,'.repeat(3_000)}`)]);
  // Query texts are percent-encoded: these are as long as the limit of a request line allows.
  const searches = texts(1_500).flatMap(([what, text]) =>
    [100, 1_500].map(
      (length) =>
        [`${what}, ${length}`, () => ({ query: { search: text.slice(0, length), page: 1, pageSize: 10 } })] as const,
    ),
  );
  const names2 = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, 1]));
  await expectNone([
    ...(await attacksOn(ENDPOINTS.attachmentContent, headers)),
    ...(await attacksOn(ENDPOINTS.listDocuments, [...headers.slice(6), ...searches])),
    ...(await attacksOn(ENDPOINTS.listDevices, [...searches, ['many fields', () => ({ query: names2 })]])),
  ]);
});

test('structured rich text', async () => {
  const link = (href: string) => ({ type: 'link', attrs: { href } });
  const nested = (depth: number): Node =>
    depth === 0 ? paragraph('x') : { type: 'blockquote', content: [nested(depth - 1)] };
  const contents: Record<string, (bytes: number) => object> = {
    'links that do not end': (bytes) => documentOf(paragraph('x', link(filled('mailto:@@@', bytes)))),
    'many links': (bytes) =>
      documentOf(
        ...Array.from({ length: Math.floor(bytes / 300) }, () => paragraph('x', link(filled('mailto:@@@', 150)))),
      ),
    'nested quotes': () => documentOf(nested(900)),
    'one long text': (bytes) => documentOf(paragraph(filled('桩', bytes))),
    'many paragraphs': (bytes) => documentOf(...Array.from({ length: Math.floor(bytes / 100) }, () => paragraph('x'))),
  };
  const bodies = (bytes: number) =>
    Object.entries(contents).map(([what, make]) => [what, withBody({ body: make(bytes) })] as const);
  await expectNone([
    ...(await attacksOn(ENDPOINTS.commentIssue, bodies(120_000))),
    ...(await attacksOn(ENDPOINTS.saveText, bodies(500_000))),
  ]);
});

test('uploads and imports', async () => {
  const csv = texts(1_000_000).map(
    ([what, text]) =>
      [
        `CSV, ${what}`,
        withBody({ fileName: 'a.csv', content: Buffer.from(`SN,Name,Site,Device model\n${text}`).toString('base64') }),
      ] as const,
  );
  const headings = ['SN', 'Name', 'Site', 'Device model']
    .map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
    .join('');
  const workbook = zipOf({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="a/worksheet" Target="one.xml"/>
      <Relationship Id="r2" Type="a/styles" Target="styles.xml"/></Relationships>`,
    'xl/one.xml': `<worksheet><sheetData><row>${headings}</row><row>${'<c s="0"><v>1</v></c>'.repeat(4)}</row></sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts>
      <cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
  }).toString('base64');
  const archives = texts(100_000).map(
    ([what, text]) =>
      [what, withBody({ content: zipOf({ 'a.en-US.md': `# T\n\n${text}` }).toString('base64') })] as const,
  );
  await expectNone([
    ...(await attacksOn(ENDPOINTS.importDevices, [
      ...csv,
      ['a number format of brackets', withBody({ fileName: 'a.xlsx', content: workbook })],
    ])),
    ...(await attacksOn(ENDPOINTS.importDocuments, archives)),
  ]);
});

/** Files that make a reader of their format work as long as possible, by their ending. */
function* hostileFiles(): Generator<[ending: string, what: string, bytes: Buffer]> {
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const end = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');
  const chunk = Buffer.from('\0\0\0\0tEXt\0\0\0\0', 'latin1');
  const repeated = (part: Buffer | string, bytes: number) => Buffer.alloc(bytes, part as string);
  yield ['png', 'empty chunks', Buffer.concat([png, repeated(chunk, 4_000_000), end])];
  yield ['png', 'beginnings of ends', Buffer.concat([png, repeated(Buffer.alloc(4), 4_000_000), end])];
  const jpg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  yield [
    'jpg',
    'empty segments',
    Buffer.concat([
      jpg,
      Buffer.from([0, 2]),
      repeated(Buffer.from([0xff, 0xe1, 0, 2]), 4_000_000),
      Buffer.from([0xff, 0xd9]),
    ]),
  ];
  yield [
    'jpg',
    'filling bytes',
    Buffer.concat([jpg, Buffer.from([0, 2]), repeated(Buffer.from([0xff]), 4_000_000), Buffer.from([0xd9])]),
  ];
  yield [
    'gif',
    'empty blocks',
    Buffer.concat([Buffer.from('GIF89a'), repeated(Buffer.from([0x21, 0xff, 0]), 4_000_000)]),
  ];
  yield ['svg', 'nested groups', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(300_000)}`)];
  yield [
    'svg',
    'entities',
    Buffer.from(`<!DOCTYPE s [<!ENTITY a "${'a'.repeat(50_000)}">]><svg>${'&a;'.repeat(300_000)}</svg>`),
  ];
  yield [
    'pdf',
    'marks without an end',
    Buffer.concat([Buffer.from('%PDF-1.7\n'), repeated('startxref', 1_000_000), Buffer.from('%%EOF')]),
  ];
  const names = (name: (at: number) => string) =>
    zipOf(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [name(at), ''])));
  yield ['zip', '20,000 entries', names((at) => `${'a/'.repeat(20)}${at}`)];
  yield ['docx', '20,000 parts', names((at) => (at === 0 ? '[Content_Types].xml' : `word/${at}`))];
  yield [
    'xlsx',
    'ends in a comment',
    Buffer.concat([zipOf({ '[Content_Types].xml': '', 'xl/workbook.xml': '' }), repeated('PK\x05\x06', 60_000)]),
  ];
  for (const [what, text] of texts(1_000_000).slice(0, 2)) yield ['txt', what, Buffer.from(text)];
}

test('uploaded files: pictures, office documents, archives and texts, and their previews', async () => {
  const attacks: Attack[] = [];
  const stored = new Set<string>();
  for (const [ending, what, bytes] of hostileFiles()) {
    attacks.push({
      what: `${ending}, ${what}`,
      async run() {
        const key = await uploadIncoming(server.program.url, root, bytes, ending);
        const { code, data } = await invoke(root, ENDPOINTS.registerAttachment, {
          body: { key, name: `${key.slice(-12)}` },
        });
        if (code !== 0) return;
        stored.add(`${ending}, ${what}`);
        const { id } = data as { id: number };
        for (const query of [{}, { download: true }])
          await invoke(root, ENDPOINTS.attachmentContent, { params: { id }, query });
      },
    });
  }
  await expectNone(attacks);
  // Those of known kinds are stored, although most of them show nothing.
  expect(stored.size).toBeGreaterThan(5);
});

test('the S3 endpoint: keys, headers, XML and chunks', async () => {
  const { s3, address } = await incomingArea(server.program.url, root);
  const folder = address.slice(0, address.lastIndexOf('/'));
  const send = (what: string, path: string, init: RequestInit): Attack => ({
    what,
    async run() {
      // The connection of a body that is refused before its end is closed.
      const answer = await s3.fetch(path, init).catch(() => null);
      // A refused signature would end the request before its content is read; these credentials cannot read objects.
      expect(init.method === undefined ? [500] : [403, 500], what).not.toContain(answer?.status);
      await answer?.arrayBuffer();
    },
  });
  const started = await (await s3.fetch(`${address}?uploads`, { method: 'POST' })).text();
  const uploadId = /<UploadId>(\w+)</.exec(started)![1]!;
  const parts = (make: (number: number) => string) =>
    `<CompleteMultipartUpload>${Array.from({ length: 10_000 }, (_, at) => make(at + 1)).join('')}</CompleteMultipartUpload>`;
  const xml: Record<string, string> = {
    '10,000 parts': parts(
      (number) => `<Part><PartNumber>${number}</PartNumber><ETag>"${'a'.repeat(32)}"</ETag></Part>`,
    ),
    'attributes without an end': `<CompleteMultipartUpload ${'a="'.repeat(500_000)}`,
    'an opened name': `<${'a'.repeat(3_000_000)}`,
    'nested elements': '<a>'.repeat(900_000),
    'a comment': `<CompleteMultipartUpload><!--${'- '.repeat(1_500_000)}`,
  };
  const chunked = (what: string, body: string, decoded: number) =>
    send(`chunks: ${what}`, address, {
      method: 'PUT',
      body,
      headers: {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'content-encoding': 'aws-chunked',
        'x-amz-decoded-content-length': String(decoded),
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
    });
  await expectNone([
    ...texts(900).flatMap(([what, text]) => [
      send(`key: ${what}`, `${folder}/${encodeURIComponent(text.slice(0, 300))}.txt`, { method: 'PUT', body: 'x' }),
      send(`range: ${what}`, address, { headers: { range: `bytes=${text.replace(/[^\x21-\x7e]/g, '-')}` } }),
    ]),
    send('a header of dates', address, { headers: { 'if-modified-since': ' '.repeat(8_000) } }),
    send('many ranges', address, { headers: { range: `bytes=${'0-1,'.repeat(3_000)}` } }),
    send('metadata', address, { method: 'PUT', body: 'x', headers: { 'x-amz-meta-a': '=?UTF-8?B?'.repeat(180) } }),
    ...Object.entries(xml).map(([what, body]) =>
      send(`XML: ${what}`, `${address}?uploadId=${uploadId}`, { method: 'POST', body }),
    ),
    chunked('of one byte', `${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`, 5_000),
    chunked('a line without an end', '1'.repeat(1_000_000), 1),
    chunked('lines of a trailer', `0\r\n${'a:b\r\n'.repeat(500_000)}`, 0),
    chunked('colons of a trailer', `0\r\n${':'.repeat(4_000)}\r\n\r\n`, 0),
  ]);
});

test.each(['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'])('frames of %s', async (subprotocol) => {
  /** Sends a frame, and then a Heartbeat whose answer shows that the server has processed it. */
  const attack = (what: string, frame: string): Attack => ({
    what,
    run: () =>
      new Promise<void>((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${HTTP}/ocpp/${SN}`, [subprotocol], {
          headers: { authorization: `Basic ${Buffer.from(`${SN}:${PASSWORD}`).toString('base64')}` },
        });
        let opened = false;
        socket.on('open', () => {
          opened = true;
          socket.send(frame);
          socket.send('[2,"end","Heartbeat",{}]');
        });
        socket.on('message', (data) => {
          if (JSON.parse(String(data))[1] === 'end') socket.terminate();
        });
        socket.on('close', () => resolve());
        socket.on('error', (error) => (opened ? resolve() : reject(error)));
      }),
  });
  const frames = texts(80_000).flatMap(([what, text]) => [
    attack(`key: ${what}`, JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'v', data: 'x', [text]: 1 }])),
    attack(`data: ${what}`, JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'v', data: text }])),
    attack(`action: ${what}`, JSON.stringify([2, '1', text, {}])),
  ]);
  await expectNone([...frames, attack('nested', `[2,"1","DataTransfer",${'['.repeat(250_000)}`)]);
});

test('topics and payloads of MQTT', async () => {
  const attack = (what: string, topic: string, payload: string): Attack => ({
    what,
    async run() {
      const unit = await connectAttacker(MQTT, SN, PASSWORD);
      await unit.publish(topic, payload);
      unit.end();
    },
  });
  await expectNone([
    ...texts(60_000).map(([what, text]) => attack(`topic: ${what}`, `chargehand/${SN}/${text.slice(0, 20_000)}`, '{}')),
    ...texts(900_000 / 3).flatMap(([what, text]) => [
      attack(`key: ${what}`, `chargehand/${SN}/telemetry`, JSON.stringify({ values: { [text]: 1 } })),
      attack(`value: ${what}`, `chargehand/${SN}/texts`, JSON.stringify({ values: { a: text } })),
    ]),
    attack('nested', `chargehand/${SN}/telemetry`, '['.repeat(1_000_000)),
  ]);
});

test('commands of FTP, SSH and SMTP', async () => {
  const doors = [
    ...texts(1_000_000).flatMap(([what, text]): Attack[] => [
      { what: `FTP line: ${what}`, run: () => sendRaw(FTP, text, '\r\nQUIT\r\n') },
      { what: `SSH banner: ${what}`, run: () => sendRaw(SSH, text, '\r\n') },
      { what: `SMTP line: ${what}`, run: () => sendRaw(SMTP, text, '\r\nQUIT\r\n') },
    ]),
    ...texts(400).flatMap(([what, text]): Attack[] => [
      { what: `FTP user: ${what}`, run: () => sendRaw(FTP, `USER ${text}\r\nPASS ${text}\r\nQUIT\r\n`) },
      {
        what: `SMTP sender: ${what}`,
        run: () => sendRaw(SMTP, `EHLO a\r\nMAIL FROM:<${text}@a>\r\nRCPT TO:<${text}@a>\r\nQUIT\r\n`),
      },
    ]),
    { what: 'many FTP commands', run: () => sendRaw(FTP, 'NOOP\r\n'.repeat(50_000), 'QUIT\r\n') },
    { what: 'many SMTP commands', run: () => sendRaw(SMTP, 'EHLO a\r\n', 'NOOP\r\n'.repeat(50_000), 'QUIT\r\n') },
    {
      what: 'SSH packets of noise',
      run: () => sendRaw(SSH, 'SSH-2.0-x\r\n', createHash('sha512').update('x').digest(), Buffer.alloc(500_000, 0x14)),
    },
  ];
  await expectNone(doors);
});

test('headers of the web pages of devices', async () => {
  const target = { port: 8080, deviceOrigin: 'http://127.0.0.1:8080', pageOrigin: 'https://page.example' };
  const { ms } = await longestTurn(async () => {
    for (const [, text] of [...texts(60_000), ['tabs', filled('\t;', 60_000)] as const]) {
      for (const name of ['refresh', 'location', 'content-security-policy', 'set-cookie', 'link', 'content-location'])
        responseHeaders({ [name]: name === 'set-cookie' ? [text] : text } as never, target);
    }
  });
  expect(ms).toBeLessThan(LONGEST_STALL_MS);
});

test('a stall of a running server is in the error log and in the metrics, with what ran', async () => {
  const { program, database } = server;
  const blocked = async () => {
    const { rows } = await database.pool.query<{ message: string }>(
      `select message from error_groups where message like 'the event loop was blocked during %'`,
    );
    return rows.map(({ message }) => message);
  };
  program.block(400);
  await expect.poll(blocked).not.toEqual([]);
  const metrics = await (await fetch(`${program.url}/metrics`)).text();
  expect(metrics).toMatch(/^chargehand_event_loop_stalls_total\{work="\w+"\} [1-9]/m);
});
