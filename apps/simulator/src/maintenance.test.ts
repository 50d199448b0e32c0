import { describe, expect, test } from 'vitest';
import { setAcceptedScene } from './testing/scene.ts';

const SN = 'SIM00001';
const NOW = '2020-01-01T00:00:00Z';

describe('Reset', () => {
  test('soft: ends the transaction in order, closes, boots again', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'Reset', { type: 'Soft' })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'BootNotification', {}, 2);
    await central.seen(SN, 'StatusNotification', { connectorId: 2 }, 2);
    expect(central.story(SN).slice(8)).toEqual([
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

  test('hard: goes down at once and tells the end of the transaction after the boot', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.seen(SN, 'StatusNotification', { status: 'Charging' });
    expect(await central.call(SN, 'Reset', { type: 'Hard' })).toEqual({ status: 'Accepted' });
    await central.seen(SN, 'StopTransaction', { transactionId: 101, reason: 'HardReset' });
    const story = central.story(SN).slice(8);
    expect(story[0]).toBe('BootNotification');
    expect(device.charging).toBe(false);
  });

  test('keeps a connector out of service that was so before', async () => {
    const { central } = await setAcceptedScene();
    await central.call(SN, 'ChangeAvailability', { connectorId: 2, type: 'Inoperative' });
    await central.call(SN, 'Reset', { type: 'Hard' });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Unavailable' }, 2);
  });
});

describe('UpdateFirmware', () => {
  test('goes through its stages and boots with the version of the file', async () => {
    const { central, device } = await setAcceptedScene();
    const location = 'ftp://files.example/hs-9.8.7.bin';
    expect(await central.call(SN, 'UpdateFirmware', { location, retrieveDate: NOW })).toEqual({});
    await central.seen(SN, 'BootNotification', { firmwareVersion: '9.8.7' });
    expect(central.story(SN).slice(4)).toEqual([
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

  test('waits with the installation for the end of a charge', async () => {
    const { central, device } = await setAcceptedScene();
    device.plugIn(1);
    await central.call(SN, 'UpdateFirmware', { location: 'ftp://files.example/hs-2.0.0.bin', retrieveDate: NOW });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Downloaded' });
    expect(device.charging).toBe(true);
    device.unplug(1);
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'Installing' });
    const story = central.story(SN);
    expect(story.indexOf('StopTransaction')).toBeLessThan(story.indexOf('FirmwareStatusNotification Installing'));
  });

  test('fails after its retries when there is no file', async () => {
    const { central } = await setAcceptedScene();
    const order = { location: 'gopher://files.example/', retrieveDate: NOW, retries: 1, retryInterval: 1 };
    await central.call(SN, 'UpdateFirmware', order);
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'DownloadFailed' }, 2);
    expect(central.story(SN).slice(4)).toEqual([
      'FirmwareStatusNotification Downloading',
      'FirmwareStatusNotification DownloadFailed',
      'FirmwareStatusNotification Downloading',
      'FirmwareStatusNotification DownloadFailed',
    ]);
  });

  test('fails to install a corrupt file and stays in service', async () => {
    const { central, device } = await setAcceptedScene();
    const before = device.firmwareVersion;
    await central.call(SN, 'UpdateFirmware', { location: 'ftp://files.example/corrupt-3.0.0.bin', retrieveDate: NOW });
    await central.seen(SN, 'FirmwareStatusNotification', { status: 'InstallationFailed' });
    await central.seen(SN, 'StatusNotification', { connectorId: 2, status: 'Available' }, 2);
    expect(device.firmwareVersion).toBe(before);
  });
});

describe('GetDiagnostics', () => {
  test.each([
    ['ftp://files.example/diagnostics/', 'Uploaded'],
    ['gopher://files.example/', 'UploadFailed'],
  ])('to %s names the file and ends in %s', async (location, end) => {
    const { central } = await setAcceptedScene();
    expect(await central.call(SN, 'GetDiagnostics', { location })).toEqual({
      fileName: expect.stringMatching(/^diagnostics-SIM00001-\d{14}\.log$/),
    });
    await central.seen(SN, 'DiagnosticsStatusNotification', { status: end });
    expect(central.story(SN).slice(4)).toEqual([
      'DiagnosticsStatusNotification Uploading',
      `DiagnosticsStatusNotification ${end}`,
    ]);
  });
});
