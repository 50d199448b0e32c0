import { CODES, ENDPOINTS, type NewCommand } from '@chargehand/contract';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { minimalPayload } from '../testing/contract/minimal-payload.ts';
import { connectPile } from '../testing/gateways/pile.ts';
import { describeModel, executionOnce } from '../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { OCPP16 } from './ocpp16/index.ts';
import { OCPP21 } from './ocpp21/index.ts';
import { OCPP201 } from './ocpp201/index.ts';

const { sendCommand, listMessages, readMessage, checkMessage, readExecution } = ENDPOINTS;

let server: TestServer;
let root: Client;
let id: number;
let sn: string;
beforeAll(async () => {
  server = await startTestServer();
  root = await server.as('root');
  ({ id, sn } = server.world.devices.northQuay1);
});
afterAll(() => server.stop());

const send = (body: NewCommand, person = root) => person.call(sendCommand, { params: { id }, body });
const message = (action: string, payload: Record<string, unknown>): NewCommand => ({
  kind: 'sendMessage',
  action,
  payload,
});
const ended = (executionId: string) => executionOnce(root, id, executionId, ({ state }) => state === 'ended');

test.each([OCPP16, OCPP201, OCPP21])('every message that $name lists has its schemas', ({ requests, schemas }) => {
  expect(requests.length).toBeGreaterThan(20);
  expect(new Set(requests).size).toBe(requests.length);
  for (const action of requests) {
    const schema = schemas.schemaOf(action, 'req');
    expect(schema, action).not.toBeNull();
    expect(schemas.schemaOf(action, 'conf'), action).not.toBeNull();
    expect(schemas.violationOf(action, 'req', minimalPayload(schema!)), action).toBeNull();
  }
});

describe.each([OCPP16, OCPP201])('a strict client of a third-party OCPP library in $name', (dialect) => {
  test('accepts every message with the minimum that its schema requires', { timeout: 120_000 }, async () => {
    const client = new RPCClient({
      endpoint: server.deviceUrl,
      identity: sn,
      protocols: [dialect.subprotocol],
      strictMode: true,
      reconnect: false,
    } as ConstructorParameters<typeof RPCClient>[0]);
    const problems: unknown[] = [];
    const got: string[] = [];
    client.on('strictValidationFailure', (problem: unknown) => problems.push(problem));
    client.on('badMessage', (problem: unknown) => problems.push(problem));
    client.handle(async ({ method = '' }: { method?: string | undefined }) => {
      got.push(method);
      return minimalPayload(dialect.schemas.schemaOf(method, 'conf')!);
    });
    await client.connect();
    await vi.waitFor(
      async () => {
        const { protocol } = await root.data(listMessages, { params: { id } });
        expect(protocol).toBe(dialect.subprotocol);
      },
      { timeout: 10_000 },
    );
    const { items } = await root.data(listMessages, { params: { id } });
    expect(items).toEqual(dialect.requests);
    for (const action of items) {
      const { schema } = await root.data(readMessage, { params: { id, action } });
      // The message that contains a secret is refused; any other content is accepted.
      const payload = minimalPayload(schema as object);
      const sent = await send(message(action, payload));
      expect(sent, action).toMatchObject({ code: 0 });
      const execution = await ended((sent.data as { id: string }).id);
      expect(execution.reason, action).not.toBe('badAnswer');
      expect(execution.result, action).not.toBe(4);
      const detail = await root.data(readExecution, { params: { id, executionId: execution.id } });
      expect(detail.answer, action).toEqual(minimalPayload(dialect.schemas.schemaOf(action, 'conf')!));
    }
    expect(got.filter((action) => items.includes(action))).toEqual(expect.arrayContaining([...items]));
    expect(problems).toEqual([]);
    await client.close();
  });
});

describe('sending a message manually', () => {
  test('an invalid payload is refused before anything is sent, and the problem names each field', async () => {
    const pile = await connectPile(server, sn);
    expect(await send(message('Reset', { type: 'Maybe' }))).toMatchObject({
      code: CODES.messageInvalid.code,
      field: 'payload',
      message: expect.stringContaining('type'),
    });
    expect(await send(message('Heartbeat', {}))).toMatchObject({ code: CODES.messageUnknown.code, field: 'action' });
    const body = { action: 'ChangeConfiguration', payload: { key: 1 } };
    const { faults } = await root.data(checkMessage, { params: { id }, body });
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: '', keyword: 'required', params: { missingProperty: 'value' } }),
        expect.objectContaining({ path: '/key', keyword: 'type' }),
      ]),
    );
    expect(await send(message('ChangeConfiguration', { key: 'WifiPsk', value: 'a' }))).toMatchObject({
      code: CODES.messageHoldsSecret.code,
    });
    expect(await send(message('GetDiagnostics', { location: 'ftp://user:word@files.example/' }))).toMatchObject({
      code: CODES.messageHoldsSecret.code,
    });
    expect(await send({ kind: 'sendMessage', action: 'Reset' })).toMatchObject({
      code: CODES.paramMissing.code,
      field: 'payload',
    });
    expect(pile.calls).toEqual([]);
    await pile.cut();
  });

  test('a text is sent byte for byte, with its line breaks; only what cannot be stored is refused', async () => {
    const pile = await connectPile(server, sn);
    const certificate = '-----BEGIN CERTIFICATE-----\r\nMIIB\u202Ee\u0301\t==\r\n-----END CERTIFICATE-----\n';
    const payload = { certificateType: 'CentralSystemRootCertificate', certificate };
    const sent = await root.data(sendCommand, { params: { id }, body: message('InstallCertificate', payload) });
    const call = await pile.call(1);
    expect(call.payload).toEqual(payload);
    pile.answer(call.id, { status: 'Accepted' });
    expect((await ended(sent.id)).result).toBe(2);
    for (const data of ['a\0b', 'half \ud800'])
      expect(await send(message('DataTransfer', { vendorId: 'V', data }))).toMatchObject({
        ...{ code: CODES.fieldCharacters.code, field: 'payload' },
      });
    await pile.cut();
  });

  test('a parameter changed this way is shown with its new value, and a status other than Accepted is a failure', async () => {
    const pile = await connectPile(server, sn);
    const sent = await root.data(sendCommand, {
      params: { id },
      body: message('ChangeConfiguration', { key: 'HeartbeatInterval', value: '77' }),
    });
    pile.answer((await pile.call(1)).id, { status: 'Accepted' });
    expect(await ended(sent.id)).toMatchObject({ result: 2, params: { action: 'ChangeConfiguration' } });
    await vi.waitFor(async () => {
      const { rows } = await server.database.pool.query(
        `select value from device_parameters where device_id = $1 and key = 'HeartbeatInterval'`,
        [id],
      );
      expect(rows).toEqual([{ value: '77' }]);
    });
    const next = await root.data(sendCommand, {
      params: { id },
      body: message('CancelReservation', { reservationId: 1 }),
    });
    pile.answer((await pile.call(2)).id, { status: 'Rejected' });
    expect(await ended(next.id)).toMatchObject({ result: 3, reason: 'otherStatus', detail: 'Rejected' });
    const wrong = await root.data(sendCommand, { params: { id }, body: message('ClearCache', {}) });
    pile.answer((await pile.call(3)).id, { status: 'Perhaps' });
    expect(await ended(wrong.id)).toMatchObject({ result: 3, reason: 'badAnswer' });
    await pile.cut();
  });

  test('a user without the level cannot send, and sees neither the payload nor the answer', async () => {
    const pile = await connectPile(server, sn);
    const sent = await root.data(sendCommand, { params: { id }, body: message('GetConfiguration', { key: ['A'] }) });
    pile.answer((await pile.call(1)).id, { configurationKey: [{ key: 'A', readonly: false, value: '1' }] });
    await ended(sent.id);
    const filter = { params: { id, executionId: sent.id } };
    expect(await root.data(readExecution, filter)).toMatchObject({
      params: { action: 'GetConfiguration', payload: { key: ['A'] } },
      answer: { configurationKey: [{ key: 'A', readonly: false, value: '1' }] },
    });
    const reader = await server.as('northReader');
    expect(await send(message('ClearCache', {}), reader)).toMatchObject({ code: CODES.noPermission.code });
    const seen = await reader.data(readExecution, filter);
    expect(seen).toMatchObject({ params: { action: 'GetConfiguration' }, answer: null });
    expect(seen.params).not.toHaveProperty('payload');
    await pile.cut();
  });

  test('a device model can set a level for the workbench; a model that does not name it does not offer it', async () => {
    const pile = await connectPile(server, sn);
    await describeModel(server, { controls: [{ type: 1 }] });
    expect(await send(message('ClearCache', {}))).toMatchObject({ code: CODES.controlNotOffered.code });
    await describeModel(server, { controls: [{ type: 17 }] });
    expect(await send(message('ClearCache', {}))).toMatchObject({ code: 0 });
    expect((await pile.call(1)).action).toBe('ClearCache');
    await pile.cut();
  });
});
