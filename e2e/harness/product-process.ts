import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { Locale } from '@chargehand/contract';
import { inject } from 'vitest';
import type { Config } from '../../apps/server/src/platform/config/config.ts';
import type { Certificate } from '../../apps/server/src/platform/tls/certificate.ts';
import { type Client, client, openSession } from '../../apps/server/src/testing/client.ts';
import { testConfig } from '../../apps/server/src/testing/config.ts';
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database/database.ts';
import { trustedCertificate } from '../../apps/server/src/testing/trusted-certificate.ts';
import type { Person, World } from '../../apps/server/src/testing/world.ts';

/** The addresses of a product in another process. */
export interface Addresses {
  id: string;
  url: string;
  deviceUrl: string;
  /** null when the embedded MQTT broker has no open plain port */
  mqttUrl: string | null;
  port: number;
}

/** What the process of products needs to start one. */
export interface StartOrder {
  databaseUrl: string;
  config: Config;
  certificate: Certificate | null;
}

/** A product in a process of its own, with a database copied from the seeded world. */
export interface ServedProduct extends Omit<Addresses, 'id'> {
  /** A database connection of the test, separate from those of the product. */
  database: TestDatabase;
  /** the folder of its files */
  dataFolder: string;
  world: World;
  /** A signed-in user of the world, with a new session for each call. */
  as(person: Person, locale?: Locale): Promise<Client>;
  anonymous: Client;
  /** Stops the product and starts it again on the same database and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a product in the host process of this worker. `settings` override the default configuration. `tls`: it serves
 * HTTPS, with a certificate that this process trusts.
 */
export async function startProduct(settings: Partial<Config>, tls = false): Promise<ServedProduct> {
  const { template, world } = inject('seededWorld');
  const [database, dataFolder] = await Promise.all([
    createTestDatabase({ max: 4, template }),
    mkdtemp(join(tmpdir(), 'chargehand-objects-')),
  ]);
  const config = testConfig(dataFolder, settings);
  const certificate = tls ? { ...(await trustedCertificate()), selfSigned: false } : null;
  const order: StartOrder = { databaseUrl: database.url, config, certificate };
  let at = (await callHost('POST', '', order)) as Addresses;
  const { url, deviceUrl, port } = at;
  return {
    ...{ url, deviceUrl, port, database, dataFolder, world },
    get mqttUrl() {
      return at.mqttUrl;
    },
    anonymous: client(url),
    async as(person, locale = 'en-US') {
      return client(url, await openSession(database.db, world.users[person]), locale);
    },
    async restart() {
      at = (await callHost('POST', `${at.id}/restart`)) as Addresses;
    },
    async stop() {
      await callHost('DELETE', at.id);
      await database.drop();
      // An aborted upload may still be deleting its own file.
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Sends a request to the host of this worker. Each worker has its own. */
async function callHost(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const hosts = inject('productHosts');
  const host = hosts[(Number(process.env.VITEST_POOL_ID) - 1) % hosts.length];
  const response = await fetch(`${host}/${path}`, { method, body: serialize(body) });
  if (!response.ok) throw new Error(`The product's host answered ${response.status}: ${await response.text()}`);
  return await response.json();
}
