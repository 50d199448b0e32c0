import { expect, test } from 'vitest';
import { isLocalName, sharedDomain } from './pages-domain.ts';

test.each([
  ['console.example.com', 'links.example.com', 'example.com'],
  ['console.example.com', 'example.com', 'example.com'],
  ['console.example.com', 'console.example.com', 'example.com'],
  ['console.example.com', 'a.console.example.com', 'example.com'],
  ['console.example.co.uk', 'links.example.co.uk', 'example.co.uk'],
  ['console.corp.lan', 'links.corp.lan', 'corp.lan'],
  ['intranet', 'links.intranet', 'intranet'],
  ['a.github.io', 'x.a.github.io', 'a.github.io'],
])('pages of %s must not be on %s', (host, domain, shared) => {
  expect(sharedDomain(host, domain)).toBe(shared);
});

test.each([
  ['console.example.com', 'example-links.com'],
  ['console.example.co.uk', 'links.other.co.uk'],
  ['a.github.io', 'b.github.io'],
  ['192.168.1.2', 'links.example.com'],
  ['localhost', 'localhost'],
  ['console.localhost', 'localhost'],
])('pages of %s may be on %s', (host, domain) => {
  expect(sharedDomain(host, domain)).toBeNull();
});

test('names of this machine', () => {
  const names = ['localhost', 'a.localhost', '127.0.0.1', '[::1]', '127.0.0.1.example.com', 'example.com', '10.0.0.1'];
  expect(names.filter(isLocalName)).toEqual(['localhost', 'a.localhost', '127.0.0.1', '[::1]']);
});
