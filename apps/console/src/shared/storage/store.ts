import type { StorageCredential } from '@chargehand/contract';
import { SIGNED_URL_SECONDS } from '@chargehand/contract/constants';
import { contentDisposition, downloadKey } from '@chargehand/domain';
import { AwsClient } from 'aws4fetch';
import { call } from '../api/client.ts';
import { session } from '../session/session.ts';
import { type CredentialMode, credentialCache } from './credentials.ts';

/** How often the storage client is created again (spec §4, §9). */
const REFRESH_MS = 10_000;

/** A signer for one set of credentials, with the address of the accessible objects. */
export interface StoreClient {
  aws: AwsClient;
  credential: StorageCredential;
  /** the URL of an object */
  url(key: string): URL;
}

const credentialsFor = credentialCache(fetchCredentials, Date.now);
const clients = new Map<string, { at: number; client: Promise<StoreClient> }>();

/** A client with the user's credentials, at most ten seconds old. */
export function storeClient(mode: CredentialMode['mode'], customerId?: number): Promise<StoreClient> {
  const now = session.get();
  const userId = now.status === 'signedIn' || now.status === 'ended' ? now.user.id : null;
  const wanted = { mode, userId, customerId };
  const name = JSON.stringify(wanted);
  const known = clients.get(name);
  if (known && Date.now() - known.at < REFRESH_MS) return known.client;
  const client = credentialsFor(wanted).then(clientOf);
  clients.set(name, { at: Date.now(), client });
  client.catch(() => clients.delete(name));
  return client;
}

/**
 * A URL that gives access to an object for an hour (spec §7), null when a text contains no key. `fileName` makes it a
 * download; `bare` omits the signature for public objects.
 */
export async function signedUrl(
  text: string,
  options: { fileName?: string; bare?: boolean } = {},
): Promise<string | null> {
  const key = downloadKey(text);
  if (key === null) return null;
  const client = await readerOf(key);
  return options.bare ? client.url(key).href : await signed(client, key, options.fileName);
}

/** A download URL for one object with separate credentials and a file name. */
export async function signedWith(credential: StorageCredential, key: string, fileName: string): Promise<string> {
  return await signed(clientOf(credential), key, fileName);
}

async function signed({ aws, url }: StoreClient, key: string, fileName: string | undefined): Promise<string> {
  const target = url(key);
  target.searchParams.set('X-Amz-Expires', String(SIGNED_URL_SECONDS));
  if (fileName) target.searchParams.set('response-content-disposition', contentDisposition(fileName));
  return (await aws.sign(target, { aws: { signQuery: true } })).url;
}

/** The client for a key: the common one, or that of its customer when the scope is too large for one. */
async function readerOf(key: string): Promise<StoreClient> {
  const client = await storeClient('read');
  const customer = /^images\/customers\/(\d+)\//.exec(key)?.[1];
  const covered = client.credential.prefixes.some((prefix) => key.startsWith(prefix));
  return covered || customer === undefined ? client : await storeClient('read', Number(customer));
}

function fetchCredentials({ mode, userId, customerId }: CredentialMode): Promise<StorageCredential> {
  if (userId === null) {
    return call(mode === 'read' ? 'readCredentialsAnonymous' : 'writeCredentialsAnonymous', {}, { quiet: true });
  }
  if (mode === 'write') return call('writeCredentials', {}, { quiet: true });
  return call('readCredentials', { query: { customerId } }, { quiet: true });
}

/** A client for given credentials. */
export function clientOf(credential: StorageCredential): StoreClient {
  const { accessKeyId, accessKeySecret, securityToken, region, bucket, endpoint } = credential;
  const aws = new AwsClient({
    accessKeyId,
    secretAccessKey: accessKeySecret,
    sessionToken: securityToken,
    region,
    service: 's3',
    retries: 0,
  });
  const base = `${endpoint || location.origin}/${bucket}/`;
  const url = (key: string) => new URL(base + key.split('/').map(encodeURIComponent).join('/'));
  return { aws, credential, url };
}
