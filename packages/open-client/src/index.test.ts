import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OPEN_ENDPOINTS } from '@chargehand/contract';
import { expect, onTestFinished, test } from 'vitest';
import { OpenApiError, type OperationName, openApiClient } from './index.ts';

/** A server that repeats what it gets. */
async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    response.statusCode = headers['accept-language'] === 'zh-CN' ? 409 : 200;
    const error = response.statusCode === 409 ? { code: 7, message: '离线', field: 'kind' } : {};
    response.end(JSON.stringify({ data: { method, url, key: headers['idempotency-key'] }, ...error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('every operation is sent with the method and path of the contract', async () => {
  const api = openApiClient({ url: await echo(), appId: 'app', appSecret: 'secret' });
  const { streamEvents: _, ...operations } = OPEN_ENDPOINTS;
  for (const [name, { method, path }] of Object.entries(operations)) {
    const inputs = { params: { id: 7, executionId: 'e' }, query: { limit: 5 }, idempotencyKey: 'key' };
    const sent = (await api.call(name as OperationName, inputs as never)) as unknown;
    const url = `${path.replace(':id', '7').replace(':executionId', 'e')}?limit=5`;
    expect(sent).toEqual({ method, url, ...(method === 'GET' ? {} : { key: 'key' }) });
  }
});

test('an error has its status, code, message and field', async () => {
  const api = openApiClient({ url: await echo(), appId: 'app', appSecret: 'secret', locale: 'zh-CN' });
  const error = await api.call('listSites', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenApiError);
  expect(error).toMatchObject({ status: 409, code: 7, message: '离线', field: 'kind' });
});
