import { expect, it } from 'vitest';
import { connectionDetail } from './connection-detail.ts';

it.each([
  ['the connection was lost', 'lost', {}],
  ['the device disconnected', 'disconnected', {}],
  ['the device announced that it disconnects', 'announced', {}],
  ['the device opened a newer connection', 'newer', {}],
  ['the device was disabled, removed or given another password', 'changed', {}],
  ['no packet within one and a half keepalive intervals', 'keepalive', {}],
  ['the server stopped', 'stopped', {}],
  ['the server is stopping', 'stopped', {}],
  ['the device is disabled', 'disabled', {}],
  ['no message for 150 s', 'silent', { seconds: '150' }],
  ['no message for 2.5 seconds', 'silent', { seconds: '2.5' }],
  ['the device closed the connection (1000)', 'closed', { code: '1000' }],
  ['the device closed the connection (1001 soft\nreset)', 'closedWith', { code: '1001', reason: 'soft\nreset' }],
  ['the device violated the WebSocket protocol: bad mask', 'violated', { problem: 'bad mask' }],
])('%j is the text %s', (detail, key, values) => {
  expect(connectionDetail(detail)).toEqual({
    key,
    values: { seconds: '', code: '', reason: '', problem: '', ...values },
  });
});

it.each(['', 'Mains below 196 V', 'the connection was lost again', 'no message for a while'])(
  '%j has no text',
  (detail) => {
    expect(connectionDetail(detail)).toBeNull();
  },
);
