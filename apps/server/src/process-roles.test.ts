import { alarmEndpoints, deviceModelEndpoints } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer } from './testing/server.ts';

/** The result of a registered charge point's connection to /ocpp. */
function connect(url: string, sn: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url}/${sn}`, ['ocpp1.6']);
    socket.once('open', () => {
      resolve('open');
      socket.close();
    });
    socket.once('error', (error) => resolve(error.message));
  });
}

test('a process without the role api serves devices, their files and health, and no API', async () => {
  const server = await startTestServer({ roles: new Set(['gateway']) });
  try {
    const staff = await server.as('vendorStaff');
    const { code } = await staff.call(alarmEndpoints.listAlarms, { query: {} });
    expect(code).not.toBe(0);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await connect(server.deviceUrl, server.world.devices.northQuay1.sn)).toBe('open');
    const answer = await fetch(`${server.url}/device-files/${'x'.repeat(43)}/firmware.bin`);
    expect(await answer.text()).toBe('There is no file at this address.\n');
  } finally {
    await server.stop();
  }
});

test('a process without the role gateway serves the API, and no devices', async () => {
  const server = await startTestServer({ roles: new Set(['api']) });
  try {
    const staff = await server.as('vendorStaff');
    const { code } = await staff.call(alarmEndpoints.listAlarms, { query: {} });
    expect(code).toBe(0);
    expect(await connect(server.deviceUrl, server.world.devices.northQuay1.sn)).not.toBe('open');
  } finally {
    await server.stop();
  }
});

test('a test can start one room with those that it needs', async () => {
  const server = await startTestServer({}, { only: ['models'] });
  try {
    const staff = await server.as('vendorStaff');
    const { code } = await staff.call(deviceModelEndpoints.listDeviceModels, { query: {} });
    expect(code).toBe(0);
    expect((await fetch(`${server.url}${alarmEndpoints.listAlarms.path}`)).status).toBe(404);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
