import { expect, test } from 'vitest';
import { addressForBrowser, recordedRequest, requestHeaders, responseHeaders } from './headers.ts';

const target = { port: 8080, deviceOrigin: 'http://127.0.0.1:8080', pageOrigin: 'http://label.localhost:3000' };
const page = target.pageOrigin;

test.each<[string, string | number]>([
  ['/login', '/login'],
  ['login?next=http://192.168.1.1/', 'login?next=http://192.168.1.1/'],
  ['http://127.0.0.1:8080/a?b#c', `${page}/a?b#c`],
  ['HTTP://192.168.1.9:8080', `${page}/`],
  ['//10.0.0.1:8080/x', `${page}/x`],
  ['http://[fe80::1]:8080/x', `${page}/x`],
  ['http://pile-7:8080/x', `${page}/x`],
  ['http://pile.local:8080//evil.example', `${page}//evil.example`],
  ['http://127.0.0.1/', 80],
  ['https://192.168.1.9/', 443],
  ['http://localhost:3000/api', 3000],
  ['https://vendor.example.com/', 'https://vendor.example.com/'],
  ['http://8.8.8.8:8080/', 'http://8.8.8.8:8080/'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['http://[', 'http://['],
])('the address %s becomes %s', (given, shown) => {
  expect(addressForBrowser(given, target)).toBe(shown);
});

test('headers that would affect other addresses do not reach the browser', () => {
  const harmful = {
    ...{
      'set-cookie': ['x-csrf=1; Domain=localhost'],
      'strict-transport-security': 'max-age=1',
      'clear-site-data': '"*"',
    },
    ...{
      'service-worker-allowed': '/',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
    },
    ...{ 'alt-svc': 'h3=":1"', 'report-to': '{}', 'reporting-endpoints': 'a="/r"', nel: '{}', 'public-key-pins': 'x' },
    ...{ connection: 'close, x-hop', 'x-hop': '1', 'keep-alive': 'timeout=5', 'transfer-encoding': 'chunked' },
    'content-security-policy-report-only': "default-src 'none'",
  };
  expect(responseHeaders({ ...harmful, etag: '"1"', 'content-encoding': 'gzip' }, target)).toEqual({
    headers: { etag: '"1"', 'content-encoding': 'gzip', 'referrer-policy': 'same-origin' },
  });
});

test('redirects and policies are rewritten', () => {
  expect(
    responseHeaders(
      {
        location: 'http://192.168.1.9:8080/x',
        refresh: "3; URL='http://192.168.1.9:8080/y'",
        'content-security-policy': "upgrade-insecure-requests; default-src 'self'; report-uri http://192.168.1.9/r",
        'referrer-policy': 'unsafe-url',
      },
      target,
    ),
  ).toEqual({
    headers: {
      location: `${page}/x`,
      refresh: `3; url=${page}/y`,
      'content-security-policy': "default-src 'self'",
      'referrer-policy': 'same-origin',
    },
  });
});

test('a request has the host of the device, and nothing of the browser session', () => {
  const headers = {
    ...{
      ':authority': 'x',
      host: 'label.localhost:3000',
      cookie: 'chargehand-page=1',
      via: '1.1 proxy',
      te: 'trailers',
    },
    ...{ origin: 'http://other.example', referer: `${page}.evil.example/`, authorization: 'Basic eDp5' },
  };
  expect(requestHeaders(headers, target, 'sid=1')).toEqual({
    ...{ host: '127.0.0.1:8080', origin: 'http://other.example', referer: `${page}.evil.example/` },
    ...{ authorization: 'Basic eDp5', cookie: 'sid=1' },
  });
});

test.each([
  ['/a/b', 'GET /a/b'],
  ['/a?', 'GET /a'],
  ['/login?user=admin&password=a=b&x&', 'GET /login?user=…&password=…&…&…'],
  ['/cgi-bin/luci/;stok=0123/admin;a', 'GET /cgi-bin/luci/;stok=…/admin;a'],
])('%s is recorded as %s', (url, text) => {
  expect(recordedRequest('GET', url)).toBe(text);
});

test.each<[string | undefined, string | undefined]>([
  ['5', '5'],
  ['0;url=/login', '0; url=/login'],
  [' ; URL = "/login" ', '0; url=/login'],
  ['1, url=http://127.0.0.1:8080/x', `1; url=${page}/x`],
  ['1; url=""', '1; url=""'],
  ['1; link=/x', '1; link=/x'],
  [`1;${'\t'.repeat(60_000)}url=/x`, undefined],
])('the refresh %j becomes %j', (refresh, shown) => {
  const answer = responseHeaders({ refresh }, target);
  expect('headers' in answer && answer.headers.refresh).toBe(shown);
});
