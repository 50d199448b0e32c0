import { describe, expect, it } from 'vitest';
import { addressOf } from './address.ts';

describe('the URL of a call', () => {
  it.each([
    ['/api/devices', {}, '/api/devices'],
    ['/api/devices/:id/frames', { params: { id: 7 } }, '/api/devices/7/frames'],
    ['/api/files/:name', { params: { name: 'a/b?c' } }, '/api/files/a%2Fb%3Fc'],
    [
      '/api/devices',
      { query: { page: 1, search: '充电 &', siteId: undefined, type: null, status: '' } },
      '/api/devices?page=1&search=%E5%85%85%E7%94%B5+%26',
    ],
    ['/api/devices', { query: { after: 0, active: false } }, '/api/devices?after=0&active=false'],
  ])('%s with %j is %s', (path, input, address) => expect(addressOf(path, input)).toBe(address));

  it('is rejected when a parameter of the path has no value', () => {
    expect(() => addressOf('/api/devices/:id', { params: {} })).toThrow(RangeError);
  });
});
