import { constants, sign } from 'node:crypto';
import { generate } from 'selfsigned';
import { describe, expect, test } from 'vitest';
import { startFiles } from '../testing/files.ts';
import { setAcceptedScene } from '../testing/scene.ts';

const SN = 'SIM00001';
const NOW = '2020-01-01T00:00:00Z';

/** A signed file, with a certificate that is valid for a year from a start time. */
async function signed(way: 'rsa-pss' | 'rsa' | 'ec', content: Buffer, notBeforeDate = new Date(Date.now() - 60_000)) {
  const keyType = way === 'ec' ? 'ec' : 'rsa';
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Maker' }], {
    ...{ keyType, notBeforeDate, algorithm: 'sha256' },
  });
  const padding = way === 'rsa-pss' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return { cert, signature: sign('sha256', content, { key, ...padding }).toString('base64') };
}

describe('Reset', () => {
  test('soft: ends the transaction in order, closes the connection and boots again', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 86_400 });
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'Reset', { type: 'Soft' })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'BootNotification', {}, 2);
    await central.seen(SN, 'StatusNotification', { connectorId: 2 }, 2);
    expect(central.framesOf(SN).slice(8)).toEqual([
      'StopTransaction',
      '1 Finishing',
      'BootNotification',
      '0 Available',
      '1 Finishing',
      '2 Available',
    ]);
    await central.seen(SN, 'StopTransaction', { reason: 'SoftReset' });
    expect(device.receivedCalls.Reset).toBe(1);
    expect(central.violations).toEqual([]);
  });

  test('hard: restarts immediately and reports the end of the transaction after the boot', async () => {
    const { central, device } = await setAcceptedScene({ meterInterval: 86_400 });
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'Reset', { type: 'Hard' })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'StopTransaction', { transactionId: 101, reason: 'HardReset' });
    const story = central.framesOf(SN).slice(8);
    expect(story[0]).toBe('BootNotification');
    expect(device.charging).toBe(false);
  });

  test('keeps an unavailable connector unavailable', async () => {
    const { central } = await setAcceptedScene();
    await central.call(SN, 'ChangeAvailability', { connectorId: 2, type: 'Inoperative' });
    await central.call(SN, 'Reset', { type: 'Hard' });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Unavailable' }, 2);
  });
});

describe('UpdateFirmware', () => {
  test('goes through its states and boots with the version of the file', async () => {
    const { central, device } = await setAcceptedScene();
    const { url } = await startFiles();
    const location = `${url}hs-9.8.7.bin`;
    expect(await central.call(SN, 'UpdateFirmware', { location, retrieveDate: NOW })).toEqual({});
    await central.seen(SN, 'BootNotification', { firmwareVersion: '9.8.7' });
    expect(central.framesOf(SN).slice(4)).toEqual([
      'FirmwareStatusNotification Downloading',
      'FirmwareStatusNotification Downloaded',
      'FirmwareStatusNotification Installing',
      '0 Unavailable',
      '1 Unavailable',
      '2 Unavailable',
      'FirmwareStatusNotification Installed',
      'BootNotification',
    ]);
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Available' }, 2);
    expect(device.firmwareVersion).toBe('9.8.7');
    expect(central.violations).toEqual([]);
  });

  test('reports the installation before the restart, however slow the responses are', async () => {
    const { central } = await setAcceptedScene();
    const { url } = await startFiles();
    const slowly = () => new Promise<object>((resolve) => setTimeout(() => resolve({}), 800));
    central.replies.FirmwareStatusNotification = slowly;
    central.replies.StatusNotification = slowly;
    await central.call(SN, 'UpdateFirmware', { location: `${url}hs-9.8.7.bin`, retrieveDate: NOW });
    await central.seen(SN, 'BootNotification', { firmwareVersion: '9.8.7' });
    expect(central.framesOf(SN).slice(-2)).toEqual(['FirmwareStatusNotification Installed', 'BootNotification']);
  });

  test('waits for the end of a charging session before the installation', async () => {
    const { central, device } = await setAcceptedScene();
    const { url } = await startFiles();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    await central.call(SN, 'UpdateFirmware', { location: `${url}hs-2.0.0.bin`, retrieveDate: NOW });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Downloaded' });
    expect(device.charging).toBe(true);
    device.unplug(1);
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Installing' });
    const story = central.framesOf(SN);
    expect(story.indexOf('StopTransaction')).toBeLessThan(story.indexOf('FirmwareStatusNotification Installing'));
  });

  test('fails after its retries when the file does not exist', async () => {
    const { central } = await setAcceptedScene();
    const order = { location: 'gopher://files.example/', retrieveDate: NOW, retries: 1, retryInterval: 1 };
    await central.call(SN, 'UpdateFirmware', order);
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'DownloadFailed' }, 2);
    expect(central.framesOf(SN).slice(4)).toEqual([
      'FirmwareStatusNotification Downloading',
      'FirmwareStatusNotification DownloadFailed',
      'FirmwareStatusNotification Downloading',
      'FirmwareStatusNotification DownloadFailed',
    ]);
  });

  test('fails to install a corrupt file and stays in service', async () => {
    const { central, device } = await setAcceptedScene();
    const before = device.firmwareVersion;
    const { url } = await startFiles();
    await central.call(SN, 'UpdateFirmware', { location: `${url}corrupt-3.0.0.bin`, retrieveDate: NOW });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'InstallationFailed' });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Available' }, 2);
    expect(device.firmwareVersion).toBe(before);
  });
});

describe('SignedUpdateFirmware', () => {
  const content = Buffer.from('version: 7.7.7');
  const order = (location: string, signed: { cert: string; signature: string }) => ({
    requestId: 12,
    firmware: {
      ...{ location, retrieveDateTime: NOW },
      ...{ signingCertificate: signed.cert, signature: signed.signature },
    },
  });

  test.each([
    ['1.6', 'rsa-pss'],
    ['1.6', 'rsa'],
    ['1.6', 'ec'],
    ['2.0.1', 'rsa-pss'],
    ['2.0.1', 'ec'],
  ] as const)('in %s, %s: verifies the downloaded file and installs it', async (version, way) => {
    const ocpp201 = version === '2.0.1' ? 1 : 0;
    const { central, device } = await setAcceptedScene({ ocpp201 });
    const { url } = await startFiles(String(content));
    const [action, report] = ocpp201
      ? ['UpdateFirmware', 'FirmwareStatusNotification']
      : ['SignedUpdateFirmware', 'SignedFirmwareStatusNotification'];
    const request = order(`${url}pile.bin`, await signed(way, content));
    expect(await central.call(SN, action, request)).toEqual({ status: 'Accepted' });
    await central.seen(SN, report, { status: 'Installed', requestId: 12 });
    await central.seen(SN, 'BootNotification', {}, 2);
    const reports = central.of(SN).filter((call) => call.action === report);
    expect(reports.map(({ payload }) => payload.status)).toEqual([
      ...['Downloading', 'Downloaded', 'SignatureVerified', 'Installing', 'Installed'],
    ]);
    await expect.poll(() => device.firmwareVersion, { timeout: 30_000 }).toBe('7.7.7');
    expect(central.violations).toEqual([]);
  });

  test('reports its progress with the statuses of the protocol', async () => {
    const { central, device } = await setAcceptedScene();
    const { url } = await startFiles(String(content));
    // With a vehicle plugged in, it does not install: the signature status is its last report.
    device.plugIn(1);
    await expect.poll(() => device.charging, { timeout: 30_000 }).toBe(true);
    await central.call(SN, 'SignedUpdateFirmware', order(`${url}pile.bin`, await signed('ec', content)));
    await central.seen(SN, 'SignedFirmwareStatusNotification', { status: 'SignatureVerified' });
    expect(await central.call(SN, 'UpdateFirmware', { location: url, retrieveDate: NOW })).toEqual({});
    await central.call(SN, 'TriggerMessage', { requestedMessage: 'FirmwareStatusNotification' });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Downloaded' });
    expect(central.violations).toEqual([]);
  });

  test.each(['1.6', '2.0.1'] as const)('in %s, does not install a file with a wrong signature', async (version) => {
    const ocpp201 = version === '2.0.1' ? 1 : 0;
    const { central, device } = await setAcceptedScene({ ocpp201 });
    const before = device.firmwareVersion;
    const { url } = await startFiles(`${content}, and more`);
    const request = order(`${url}pile.bin`, await signed('rsa-pss', content));
    const action = ocpp201 ? 'UpdateFirmware' : 'SignedUpdateFirmware';
    expect(await central.call(SN, action, request)).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'SecurityEventNotification', { type: 'InvalidFirmwareSignature' });
    const report = ocpp201 ? 'FirmwareStatusNotification' : 'SignedFirmwareStatusNotification';
    const reports = central.of(SN).filter((call) => call.action === report);
    expect(reports.map(({ payload }) => payload.status)).toEqual(['Downloading', 'Downloaded', 'InvalidSignature']);
    expect(device.firmwareVersion).toBe(before);
    expect(central.violations).toEqual([]);
    // It is available for the next one.
    const { url: good } = await startFiles(String(content));
    const again = order(`${good}pile.bin`, await signed('ec', content));
    expect(await central.call(SN, action, again)).toEqual({ status: 'Accepted' });
  });

  test.each([
    ['that fits', content, { status: 'Accepted' }, 'Installed'],
    ['that does not match', Buffer.from('other'), { status: 'Accepted' }, 'InvalidSignature'],
    ['without a certificate', null, { status: 'Rejected', data: 'InvalidCertificate' }, null],
  ])('of the PLC, by DataTransfer: a signature %s', async (_, of, answer, end) => {
    const { central } = await setAcceptedScene();
    const { url } = await startFiles(String(content));
    const { cert, signature } = of === null ? { cert: 'none', signature: 'AAAA' } : await signed('ec', of);
    const data = JSON.stringify({ location: `${url}plc.bin`, requestId: 9, signingCertificate: cert, signature });
    const wanted = { vendorId: 'Chargehand', messageId: 'updatePlcFirmware', data };
    expect(await central.call(SN, 'DataTransfer', wanted)).toEqual(answer);
    if (end === null) return;
    await central.seen(SN, 'SignedFirmwareStatusNotification', { status: end, requestId: 9 });
    expect(central.violations).toEqual([]);
  });

  test.each([
    ['is not readable', async () => ({ cert: 'none', signature: 'AAAA' })],
    ['has expired', () => signed('ec', content, new Date('2020-01-01T00:00:00Z'))],
  ] as const)('rejects a certificate that %s', async (_, made) => {
    const { central } = await setAcceptedScene();
    const request = order('http://127.0.0.1:9/pile.bin', await made());
    expect(await central.call(SN, 'SignedUpdateFirmware', request)).toEqual({ status: 'InvalidCertificate' });
    await central.seen(SN, 'SecurityEventNotification', { type: 'InvalidFirmwareSigningCertificate' });
    expect(central.violations).toEqual([]);
  });
});

describe('UpdateFirmware uses the version of the file', () => {
  test.each([
    ['from the content of the file', 'any-1.1.1.bin', '4.5.6'],
    ['and stays the same when nothing changed', 'stale-4.5.6.bin', null],
  ])('%s', async (_, name, expected) => {
    const { central, device } = await setAcceptedScene();
    const { url } = await startFiles('maker: x\nversion: 4.5.6\n');
    const before = device.firmwareVersion;
    await central.call(SN, 'UpdateFirmware', { location: url + name, retrieveDate: NOW });
    await central.seen(SN, 'BootNotification', { firmwareVersion: expected ?? before }, expected === null ? 2 : 1);
  });

  test('of the PLC without a restart', async () => {
    const { central } = await setAcceptedScene();
    const { url } = await startFiles();
    const data = JSON.stringify({ location: `${url}plc-2.2.2.bin` });
    const order = { vendorId: 'Chargehand', messageId: 'updatePlcFirmware', data };
    expect(await central.call(SN, 'DataTransfer', order)).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Installed' });
    expect(await central.call(SN, 'GetConfiguration', { key: ['PlcFirmwareVersion'] })).toMatchObject({
      configurationKey: [{ value: '2.2.2' }],
    });
  });
});

describe('GetDiagnostics', () => {
  test('uploads its log with the file name of its response', async () => {
    const { central } = await setAcceptedScene();
    const { url, received } = await startFiles();
    const answer = await central.call(SN, 'GetDiagnostics', { location: url });
    expect(answer).toEqual({ fileName: expect.stringMatching(/^diagnostics-SIM00001-\d{14}\.log$/) });
    await central.seen(SN, 'DiagnosticsStatusNotification', { status: 'Uploaded' });
    expect(central.framesOf(SN).slice(4)).toEqual([
      'DiagnosticsStatusNotification Uploading',
      'DiagnosticsStatusNotification Uploaded',
    ]);
    const [name, text] = [...received][0] ?? [];
    expect(name).toMatch(/^\/diagnostics-SIM00001-\d{14}\.log$/);
    expect(text).toMatch(/AuthorizationKey=\*\*\*/);
  });

  test('fails when the server rejects the file', async () => {
    const { central } = await setAcceptedScene();
    await central.call(SN, 'GetDiagnostics', { location: 'gopher://files.example/' });
    await central.seen(SN, 'DiagnosticsStatusNotification', { status: 'UploadFailed' });
  });

  test('of the security extension contains the request id', async () => {
    const { central } = await setAcceptedScene();
    const { url, received } = await startFiles();
    const order = { logType: 'SecurityLog', requestId: 7, log: { remoteLocation: url } };
    expect(await central.call(SN, 'GetLog', order)).toMatchObject({ status: 'Accepted' });
    await central.seen(SN, 'LogStatusNotification', { status: 'Uploaded', requestId: 7 });
    expect([...received.values()][0]).toContain('[security]');
  });
});
