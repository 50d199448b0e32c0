import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../testing/contract/open-enforcer.ts';
import { httpServer } from '../http/server.ts';
import { readConfig } from './config.ts';
import { mapOrigins } from './map-origins.ts';

const OTHERS = 'https://fonts.example.com,https://maps.example.com';

/** The sources of a directive of the content security policy that the server sends with these settings. */
async function policyOf(settings: Record<string, string>) {
  const app = await httpServer({
    ...{ log: pino({ level: 'silent' }), version: '0', https: null, enforcer: OPEN_ENFORCER, guard: async () => null },
    mapOrigins: mapOrigins(readConfig(settings)),
  });
  const { headers } = await app.inject('/api/docs/');
  await app.close();
  const directives = String(headers['content-security-policy']).split(';');
  return (name: string) => directives.find((directive) => directive.startsWith(`${name} `))?.slice(name.length + 1);
}

test.each([
  ['nothing', {}, "'self' data: blob:", "'self'"],
  ['further origins without a style', { CHARGEHAND_MAP_ORIGINS: OTHERS }, "'self' data: blob:", "'self'"],
  [
    'XYZ tiles',
    { CHARGEHAND_MAP_TILES: 'https://maps.example.com/{z}/{x}/{y}.png', CHARGEHAND_MAP_ORIGINS: OTHERS },
    "'self' data: blob: https://maps.example.com",
    "'self'",
  ],
  [
    'a style',
    { CHARGEHAND_MAP_TILES: 'https://maps.example.com/style.json' },
    "'self' data: blob:",
    "'self' https://maps.example.com",
  ],
  [
    'a style with further origins',
    { CHARGEHAND_MAP_TILES: 'https://maps.example.com/style.json', CHARGEHAND_MAP_ORIGINS: OTHERS },
    "'self' data: blob:",
    "'self' https://maps.example.com https://fonts.example.com",
  ],
])('with %s, pages load only from these origins', async (_, settings, images, connections) => {
  const policy = await policyOf(settings);
  expect(policy('img-src')).toBe(images);
  expect(policy('connect-src')).toBe(connections);
  expect(policy('worker-src')).toBe("'self' blob:");
  expect(policy('script-src')).toMatch(/^'self'( 'sha256-[^']+')*$/);
});
