import { CODES, ENDPOINTS, type NewFirmware } from '@chargehand/contract';
import type { Fleet } from '@chargehand/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { connectRaw } from '../../testing/gateways/gateway-testbed.ts';
import { sha256 } from '../../testing/objects/object-keys.ts';
import { type SigningWay, signedContent } from '../../testing/objects/signed-content.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { addFirmware, connectDevices, transferOnce, uploadFirmware } from '../../testing/transfers/transfers.ts';

const { listFirmware, registerFirmware, updateFirmware, sendCommand, listExecutions, listFrames } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let north: Client;
const fleets: Fleet[] = [];
beforeAll(async () => {
  server = await startTestServer({}, { sweeps: true });
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
});
afterAll(async () => {
  for (const fleet of fleets) await fleet.stop();
  await server.stop();
});

const CONTENT = Buffer.concat([Buffer.from('version: 9.1.0\n'), Buffer.alloc(300_000, 'x')]);
const DAY = 24 * 60 * 60_000;
const rowOf = async (id: number) =>
  (await staff.data(listFirmware, { query: { pageSize: 100 } })).items.find((one) => one.id === id)!;
const firmwareBody = (version: string) => ({ version, note: '', deviceModelIds: [server.world.model] });

describe("a manufacturer's signature is stored when it matches the file", () => {
  test.each<SigningWay>(['rsa-pss', 'rsa', 'ec'])('%s, and everyone sees the signer', async (way) => {
    const signing = await signedContent(CONTENT, { way });
    const id = await addFirmware(server, staff, { version: `1.0-${way}`, content: CONTENT, ...signing });
    const { signedBy, signedUntil } = await rowOf(id);
    expect(signedBy).toBe('CN=Maker, O=Piles Ltd');
    expect(Date.parse(signedUntil ?? '')).toBeGreaterThan(Date.now() + 300 * DAY);
    const { rows } = await server.database.pool.query(
      `select after from action_logs where object_type = 'firmware' and object_id = $1`,
      [String(id)],
    );
    expect(rows).toMatchObject([{ after: { signedBy, signedUntil, signature: signing.signature } }]);
  });

  test('as it was pasted: with text around the certificate, and with line breaks', async () => {
    const { signingCertificate, signature } = await signedContent(CONTENT, { way: 'rsa' });
    const id = await addFirmware(server, staff, {
      ...{ version: '1.1', content: CONTENT },
      signingCertificate: `Bag Attributes: none\r\n${signingCertificate.replaceAll('\n', '\r\n')}\r\n`,
      signature: `${signature.replace(/.{64}/g, '$&\n')}\n`,
    });
    const { rows } = await server.database.pool.query<{ signing_certificate: string; signature: string }>(
      'select signing_certificate, signature from firmware_files where id = $1',
      [id],
    );
    expect(rows).toEqual([{ signing_certificate: signingCertificate.replaceAll('\r', '').trim(), signature }]);
  });

  test('a file may be unsigned', async () => {
    const id = await addFirmware(server, staff, { version: '1.2', signingCertificate: '', signature: '' });
    expect(await rowOf(id)).toMatchObject({ signedBy: null, signedUntil: null });
  });

  const other = Buffer.from('another file');
  const notPem = 'MIIB';
  type Made = Partial<NewFirmware>;
  test.each<[string, () => Promise<Made>, keyof typeof CODES, string]>([
    [
      'a certificate alone',
      async () => ({ ...(await signedContent(CONTENT)), signature: '' }),
      'signatureAlone',
      'signature',
    ],
    ['a signature alone', async () => ({ signature: 'AAAA' }), 'signatureAlone', 'signingCertificate'],
    [
      'no certificate',
      async () => ({ signingCertificate: notPem, signature: 'AAAA' }),
      ...(['signingCertificateUnreadable', 'signingCertificate'] as const),
    ],
    [
      'an incomplete certificate',
      async () => {
        const made = await signedContent(CONTENT);
        return { ...made, signingCertificate: made.signingCertificate.replace(/\n[^\n]+\n(?=-----END)/, '\n') };
      },
      ...(['signingCertificateUnreadable', 'signingCertificate'] as const),
    ],
    [
      'a chain',
      async () => {
        const made = await signedContent(CONTENT);
        return { ...made, signingCertificate: `${made.signingCertificate}\n${made.signingCertificate}` };
      },
      ...(['signingCertificateUnreadable', 'signingCertificate'] as const),
    ],
    [
      'a certificate that has expired',
      () => signedContent(CONTENT, { from: new Date(Date.now() - 400 * DAY) }),
      ...(['signingCertificateExpired', 'signingCertificate'] as const),
    ],
    [
      'a certificate that is not valid yet',
      () => signedContent(CONTENT, { from: new Date(Date.now() + DAY) }),
      ...(['signingCertificateEarly', 'signingCertificate'] as const),
    ],
    [
      'a signature that is not base64',
      async () => ({ ...(await signedContent(CONTENT)), signature: 'no base64!' }),
      ...(['signatureUnreadable', 'signature'] as const),
    ],
    ['a signature of another file', () => signedContent(other), 'signatureUnfit', 'signature'],
    [
      'a signature of another file by RSA',
      () => signedContent(other, { way: 'rsa-pss' }),
      'signatureUnfit',
      'signature',
    ],
    [
      'a signature of another signer',
      async () => ({ ...(await signedContent(CONTENT)), signature: (await signedContent(CONTENT)).signature }),
      ...(['signatureUnfit', 'signature'] as const),
    ],
    [
      'a signature that is too long',
      async () => ({ ...(await signedContent(CONTENT)), signature: 'A'.repeat(804) }),
      'fieldTooLong',
      'signature',
    ],
  ])('not with %s', async (_, made, code, field) => {
    const key = await uploadFirmware(server, staff, CONTENT);
    const signing = await made();
    const body: NewFirmware = {
      ...{ ...firmwareBody('6.6.6'), kind: 'software', fileName: 'pile.bin', key, size: CONTENT.length },
      ...{ sha256: sha256(CONTENT), ...signing },
    };
    expect(await staff.call(registerFirmware, { body })).toMatchObject({ code: CODES[code].code, field });
    // A signature that is refused at upload is also refused for a stored file, and changes nothing.
    const id = await addFirmware(server, staff, { version: '6.6.7', content: CONTENT });
    const edit = await staff.call(updateFirmware, { params: { id }, body: { ...firmwareBody('6.6.8'), ...signing } });
    expect(edit).toMatchObject({ code: CODES[code].code, field });
    expect(await rowOf(id)).toMatchObject({ version: '6.6.7', signedBy: null });
    expect((await staff.data(listFirmware, { query: { search: '6.6.6' } })).total).toBe(0);
    await staff.data(ENDPOINTS.deleteFirmware, { params: { id } });
  });

  test('the problem names the field in the language of the caller', async () => {
    const key = await uploadFirmware(server, staff, CONTENT);
    const body: NewFirmware = {
      ...{ ...firmwareBody('6.6.6'), kind: 'software', fileName: 'pile.bin', key, size: CONTENT.length },
      ...{ sha256: sha256(CONTENT), signature: 'AAAA' },
    };
    const { message } = await staff.call(registerFirmware, { body });
    expect(message).toBe(
      'A signing certificate and a signature are required together. Signing certificate is missing.',
    );
    const zh = await (await server.as('vendorStaff', 'zh-CN')).call(registerFirmware, { body });
    expect(zh.message).toBe('签名证书与签名须同时提供，缺少签名证书。');
  });

  test('it can be added later, is unchanged when it is left out, and can be removed', async () => {
    const id = await addFirmware(server, staff, { version: '2.0', content: CONTENT });
    const edit = (more: object) =>
      staff.data(updateFirmware, { params: { id }, body: { ...firmwareBody('2.0'), ...more } });
    const signing = await signedContent(CONTENT);
    await edit(signing);
    await edit({ note: 'new' });
    expect(await rowOf(id)).toMatchObject({ note: 'new', signedBy: 'CN=Maker, O=Piles Ltd' });
    await edit({ signingCertificate: '', signature: '' });
    expect(await rowOf(id)).toMatchObject({ signedBy: null });
    const { rows } = await server.database.pool.query(
      `select before, after from action_logs where object_type = 'firmware' and object_id = $1 and operation = 'edit'
        order by id`,
      [String(id)],
    );
    expect(rows).toMatchObject([
      { before: { version: '2.0' }, after: { signedBy: 'CN=Maker, O=Piles Ltd' } },
      { before: { note: '' }, after: { note: 'new' } },
      { before: { signature: signing.signature }, after: { version: '2.0' } },
    ]);
  });
});

describe('a signed file is sent with its signature, and the device reports an invalid one', () => {
  const ends = ({ endedAt }: { endedAt: string | null }) => endedAt !== null;
  const devicesOf = async (prefix: string, ocpp201: number) => {
    const { fleet, devices } = await connectDevices(server, { prefix, devices: 2, speed: 200, connectors: 1, ocpp201 });
    fleets.push(fleet);
    return devices.map(({ id }) => id);
  };
  const upgrade = (id: number, firmwareId: number) =>
    north.data(sendCommand, { params: { id }, body: { kind: 'upgradeSoftware', firmwareId } });
  const WORDS = ['Downloading', 'Downloaded', 'SignatureVerified', 'Installing', 'Installed'];

  test.each([
    ['1.6', 0, 'SignedUpdateFirmware', 'rsa-pss'],
    ['2.0.1', 2, 'UpdateFirmware', 'ec'],
  ] as const)('to a charge point of OCPP %s', async (_, ocpp201, action, way) => {
    const [well, ill] = (await devicesOf(`SG${ocpp201}`, ocpp201)) as [number, number];
    const signing = await signedContent(CONTENT, { way });
    const firmwareId = await addFirmware(server, staff, { version: '9.1.0', content: CONTENT, ...signing });
    await upgrade(well, firmwareId);
    const transfer = await transferOnce(north, well, ends);
    expect(transfer).toMatchObject({ state: 'verified', reason: null, version: '9.1.0' });
    expect(transfer.reports.map(({ word }) => word)).toEqual([...WORDS, 'version:9.1.0']);
    const frames = await staff.data(listFrames, { params: { id: well }, query: { limit: 100 } });
    const frame = frames.items.find((frame) => frame.action === action && frame.type === 3);
    expect(frame?.body).toContain('-----BEGIN CERTIFICATE-----');
    expect(frame?.body).toContain('/device-files/***/');

    // On the server the file and its signature match. Only the device can detect that the received file does not.
    const { signature } = await signedContent(Buffer.from('another file'), { way });
    await server.database.pool.query('update firmware_files set signature = $2 where id = $1', [firmwareId, signature]);
    await upgrade(ill, firmwareId);
    const failed = await transferOnce(north, ill, ends);
    expect(failed).toMatchObject({ state: 'failed', reason: 'invalidSignature' });
    expect(failed.reports.map(({ word }) => word)).toEqual(['Downloading', 'Downloaded', 'InvalidSignature']);

    // The device does not accept the certificate, and reports that before the download.
    await server.database.pool.query(`update firmware_files set signing_certificate = 'none' where id = $1`, [
      firmwareId,
    ]);
    const { id: executionId } = await upgrade(ill, firmwareId);
    await expect
      .poll(async () => (await transferOnce(north, ill, () => true)).reason, { timeout: 30_000 })
      .toBe('invalidCertificate');
    const executions = await north.data(listExecutions, { params: { id: ill } });
    expect(executions.items.find((one) => one.id === executionId)).toMatchObject({
      ...{ result: 3, reason: 'invalidCertificate' },
    });
  });

  test('an OCPP 1.6 charge point without support is not sent the unsigned file', async () => {
    const { id, sn } = server.world.devices.northQuay1;
    const point = await connectRaw(`${server.deviceUrl}/${sn}`);
    await point.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.0' });
    const firmwareId = await addFirmware(server, staff, {
      ...{ version: '9.2.0', content: CONTENT, ...(await signedContent(CONTENT)) },
    });
    const { id: executionId } = await upgrade(id, firmwareId);
    const [, messageId, action] = await point.next();
    expect(action).toBe('SignedUpdateFirmware');
    point.send([4, messageId, 'NotImplemented', '', {}]);
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason: 'signedNotSupported' });
    const executions = await north.data(listExecutions, { params: { id } });
    expect(executions.items.find((one) => one.id === executionId)).toMatchObject({
      ...{ result: 3, reason: 'signedNotSupported', detail: 'NotImplemented' },
    });
    point.socket.close();
    await point.closed;
  });

  test('while a device is going to download the file, its signature cannot change', async () => {
    const { id, sn } = server.world.devices.northQuay2;
    const point = await connectRaw(`${server.deviceUrl}/${sn}`);
    await point.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.0' });
    const firmwareId = await addFirmware(server, staff, {
      ...{ version: '9.3.0', content: CONTENT, ...(await signedContent(CONTENT)) },
    });
    await upgrade(id, firmwareId);
    const [, messageId] = await point.next();
    point.send([3, messageId, { status: 'Accepted' }]);
    const params = { id: firmwareId };
    const unsigned = { ...firmwareBody('9.3.0'), signingCertificate: '', signature: '' };
    expect(await staff.call(updateFirmware, { params, body: unsigned })).toMatchObject({
      code: CODES.signatureAwaited.code,
    });
    await staff.data(updateFirmware, { params, body: { ...firmwareBody('9.3.0'), note: 'a note may change' } });
    // A report of another update does not count; a report of this one ends it.
    const { id: requestId } = await transferOnce(north, id, () => true);
    await point.call('SignedFirmwareStatusNotification', { status: 'InvalidSignature', requestId: requestId + 1 });
    expect(await transferOnce(north, id, () => true)).toMatchObject({ state: 'requested' });
    await point.call('SignedFirmwareStatusNotification', { status: 'InvalidSignature', requestId });
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason: 'invalidSignature' });
    await staff.data(updateFirmware, { params, body: unsigned });
    expect(await rowOf(firmwareId)).toMatchObject({ signedBy: null });
    point.socket.close();
    await point.closed;
  });
});
