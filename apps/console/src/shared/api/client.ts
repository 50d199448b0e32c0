import { publicEndpoints } from 'virtual:public-endpoints';
import type { AnswerOf, BodyOf, ENDPOINTS, ParamsOf, QueryOf } from '@chargehand/contract';
import { i18n } from '../i18n/i18n.ts';
import { fileNameOf } from '../lib/files/file-name.ts';
import { saveFile } from '../lib/files/save-file.ts';
import { identityChanged } from '../session/identity.ts';
import { endedSession, session, sessionOf } from '../session/session.ts';
import { toast } from '../ui/dialogs/toast.ts';
import { addressOf } from './address.ts';
import { createRequester } from './request.ts';

type Endpoints = typeof ENDPOINTS;
/** The name of an endpoint in the contract. */
export type EndpointName = keyof Endpoints;

type Defined<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
/** The inputs of each endpoint, computed once, because deriving them at every use exceeds the compiler's limits. */
type Inputs = {
  [K in EndpointName]: Defined<{
    params: ParamsOf<Endpoints[K]>;
    query: QueryOf<Endpoints[K]>;
    body: BodyOf<Endpoints[K]>;
  }>;
};
type Answers = { [K in EndpointName]: AnswerOf<Endpoints[K]> };
/** The inputs of an endpoint: `params`, `query` and `body`, as far as the contract has them. */
export type InputOf<K extends EndpointName> = Inputs[K];
/** The data of the response. */
export type Answer<K extends EndpointName> = Answers[K];

export interface CallOptions {
  signal?: AbortSignal;
  /** no toast on errors, because the caller shows them */
  quiet?: boolean;
  /** the request outlives the page; if its body is small enough */
  keepalive?: boolean;
}

const requester = createRequester(globalThis.location?.origin ?? 'http://localhost', {
  locale: () => i18n.language,
  cookies: () => document.cookie,
  page: () => location.pathname,
  words: {
    notFound: () => i18n.t('com_api_error_404'),
    serverError: (requestId) =>
      requestId === null ? i18n.t('com_error_500') : i18n.t('error500Of', { requestId: requestId.slice(0, 8) }),
    network: () => i18n.t('com_error_net'),
    resultUnknown: () => i18n.t('resultUnknown'),
    system: () => i18n.t('com_error_system'),
  },
  showError: (message) => toast.error(message),
  impersonatedUser: () => {
    const now = session.get();
    if (now.status !== 'signedIn') return null;
    return now.info.viewing ? String(now.user.id) : '0';
  },
  identityChanged,
  sessionEnded: ({ path, ...end }) => session.set(endedSession(session.get(), end, path)),
  privacyWaits: () => refetchSession(),
  log: (message, detail) => console.warn(message, detail),
});

let places: typeof import('./places.ts') | undefined;

/**
 * The method and path of an endpoint. Those of signed-in users are a part of the console, which the sign-in page does not
 * load.
 */
async function placeOf(name: EndpointName): Promise<readonly [method: string, path: string]> {
  const open = publicEndpoints[name];
  if (open) return open;
  places ??= await import('./places.ts');
  return places.placeOf(name);
}

/** Calls an endpoint of the contract and returns the `data` of its envelope. @throws ApiProblem */
export async function call<K extends EndpointName>(
  name: K,
  input: InputOf<K>,
  options: CallOptions = {},
): Promise<Answer<K>> {
  const [method, path] = await placeOf(name);
  const { body, ...address } = input as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  return (await requester.json({ method, url: addressOf(path, address), body, ...options })) as Answer<K>;
}

let refetching = false;

/** Fetches the session again, including pending steps. The shell shows the privacy policy when it is pending. */
function refetchSession(): void {
  const now = session.get();
  if (refetching || now.status !== 'signedIn' || now.info.privacy.needConfirm) return;
  refetching = true;
  call('info', { body: {} }, { quiet: true })
    .then((info) => session.set(sessionOf(info)))
    .catch((problem: unknown) => console.warn('The session could not be fetched', problem))
    .finally(() => {
      refetching = false;
    });
}

/**
 * Requests the reason why the server does not stream. If the session has ended, this records it in the user's language.
 */
export async function streamRefusal(input: InputOf<'stream'>): Promise<void> {
  const [method, path] = await placeOf('stream');
  await requester
    .reportRefusal({ method, url: addressOf(path, input), quiet: true })
    .catch((problem: unknown) => console.warn('The live stream failed', problem));
}

export interface DownloadOptions {
  /** cancels the download */
  signal?: AbortSignal;
  /** called with the number of received bytes */
  onBytes?: (bytes: number) => void;
}

/** The file of an endpoint. @throws ApiProblem */
export async function readFile<K extends EndpointName>(
  endpoint: K,
  input: InputOf<K>,
  options: DownloadOptions = {},
): Promise<{ body: Blob; name: string }> {
  const [method, path] = await placeOf(endpoint);
  const { headers, body } = await requester.file({ method, url: addressOf(path, input), ...options });
  return { body, name: fileNameOf(headers.get('content-disposition')) ?? path.split('/').at(-1) ?? endpoint };
}

/** Downloads the file of an endpoint and lets the browser save it with the name from the server. @throws ApiProblem */
export async function download<K extends EndpointName>(
  endpoint: K,
  input: InputOf<K>,
  options: DownloadOptions = {},
): Promise<void> {
  const { body, name } = await readFile(endpoint, input, options);
  saveFile(body, name);
}
