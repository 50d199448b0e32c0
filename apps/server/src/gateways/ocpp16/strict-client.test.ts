import { randomUUID } from 'node:crypto';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

test('a third-party charge point runs a whole day, and every message is strictly valid in both directions', async () => {
  const id = await bed.addDevice('STRICT-1', { password: 'a-password-of-length' });
  const client = new RPCClient({
    endpoint: bed.url,
    identity: 'STRICT-1',
    password: 'a-password-of-length',
    protocols: ['ocpp1.6'],
    strictMode: true,
    reconnect: false,
    // The library's types require every option, but its code has a default for each.
  } as ConstructorParameters<typeof RPCClient>[0]);
  const problems: unknown[] = [];
  client.on('strictValidationFailure', (problem: unknown) => problems.push(problem));
  client.on('badMessage', (problem: unknown) => problems.push(problem));
  client.handle('Reset', async ({ params }: { params?: unknown }) => {
    expect(params).toEqual({ type: 'Soft' });
    return { status: 'Accepted' };
  });
  client.handle('GetConfiguration', async () => ({
    configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }],
    unknownKey: [],
  }));
  client.handle('SignedUpdateFirmware', async ({ params }: { params?: unknown }) => {
    expect(params).toMatchObject({ requestId: 7, firmware: { signature: 'AAAA' } });
    return { status: 'RevokedCertificate' };
  });
  await client.connect();

  const now = () => new Date().toISOString();
  const boot = { chargePointVendor: 'Other', chargePointModel: 'Make', firmwareVersion: '9' };
  expect(await client.call('BootNotification', boot)).toMatchObject({ status: 'Accepted', interval: 60 });
  await client.call('StatusNotification', {
    connectorId: 0,
    errorCode: 'NoError',
    status: 'Available',
    timestamp: now(),
  });
  await client.call('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Preparing',
    timestamp: now(),
  });
  await client.call('Authorize', { idTag: 'CARD' });
  const start = { connectorId: 1, idTag: 'CARD', meterStart: 5, timestamp: now() };
  const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
  await client.call('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Charging',
    timestamp: now(),
  });
  const sampledValue = [
    { value: '6', unit: 'Wh', measurand: 'Energy.Active.Import.Register', context: 'Sample.Periodic' },
  ];
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: now(), sampledValue }] });
  await client.call('Heartbeat', {});

  expect(
    await bed.link.execute(id, { executionId: randomUUID(), kind: 'softReset', connector: 0, params: {} }),
  ).toEqual({
    outcome: 'sent',
  });
  await eventually(
    async () => bed.answers.length,
    (count) => count === 1,
  );
  await bed.link.execute(id, { executionId: randomUUID(), kind: 'refreshConfiguration', connector: 0, params: {} });
  await eventually(
    async () => bed.answers.length,
    (count) => count === 2,
  );
  expect(bed.answers.map(({ success, reason }) => ({ success, reason }))).toEqual([
    { success: true, reason: 'accepted' },
    { success: true, reason: 'accepted' },
  ]);
  const file = { location: 'http://files/t/a.bin', requestId: 7, retries: 2, retryIntervalSeconds: 60 };
  const signing = { signingCertificate: '-----BEGIN CERTIFICATE-----', signature: 'AAAA' };
  const params = { ...file, ...signing, retrieveAt: now() };
  await bed.link.execute(id, { executionId: randomUUID(), kind: 'upgradeSoftware', connector: 0, params });
  await eventually(
    async () => bed.answers.length,
    (count) => count === 3,
  );
  expect(bed.answers[2]).toMatchObject({ success: false, reason: 'revokedCertificate' });

  const stop = { transactionId, meterStop: 7, timestamp: now(), transactionData: [{ timestamp: now(), sampledValue }] };
  await client.call('StopTransaction', stop);
  await client.call('DataTransfer', { vendorId: 'other' });
  await client.call('DiagnosticsStatusNotification', { status: 'Idle' });
  await client.call('FirmwareStatusNotification', { status: 'Installed' });
  await client.call('SignedFirmwareStatusNotification', { status: 'SignatureVerified', requestId: 7 });
  await client.close({ awaitPending: true });

  expect(problems).toEqual([]);
  const { rows } = await bed.pool.query('select meter_start, meter_stop from transactions where device_id = $1', [id]);
  expect(rows).toEqual([{ meter_start: 5, meter_stop: 7 }]);
});
