import { endpoints } from 'virtual:endpoints';
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
/** The name of a call, as the contract lists it. */
export type EndpointName = keyof Endpoints;

type Defined<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
/** The inputs of each call, computed once: the compiler gives up where it has to derive them at every use. */
type Inputs = {
  [K in EndpointName]: Defined<{
    params: ParamsOf<Endpoints[K]>;
    query: QueryOf<Endpoints[K]>;
    body: BodyOf<Endpoints[K]>;
  }>;
};
type Answers = { [K in EndpointName]: AnswerOf<Endpoints[K]> };
/** What a call takes: `params`, `query` and `body`, each only where the contract has it. */
export type InputOf<K extends EndpointName> = Inputs[K];
/** What a call answers. */
export type Answer<K extends EndpointName> = Answers[K];

export interface CallOptions {
  signal?: AbortSignal;
  /** no toast on failure: the caller shows it */
  quiet?: boolean;
}

const requester = createRequester(globalThis.location?.origin ?? 'http://localhost', {
  locale: () => i18n.language,
  cookies: () => document.cookie,
  page: () => location.pathname,
  words: {
    notFound: () => i18n.t('com_api_error_404'),
    serverError: () => i18n.t('com_error_500'),
    network: () => i18n.t('com_error_net'),
    system: () => i18n.t('com_error_system'),
  },
  showError: (message) => toast.error(message),
  seesAs: () => {
    const now = session.get();
    if (now.status !== 'signedIn') return null;
    return now.info.viewing ? String(now.user.id) : '0';
  },
  identityChanged,
  sessionEnded: ({ path, ...end }) => session.set(endedSession(session.get(), end, path)),
  privacyWaits: () => askAgain(),
  log: (message, detail) => console.warn(message, detail),
});

/** Calls an endpoint of the contract and gives the `data` of its envelope. @throws ApiProblem */
export async function call<K extends EndpointName>(
  name: K,
  input: InputOf<K>,
  options: CallOptions = {},
): Promise<Answer<K>> {
  const [method, path] = endpoints[name];
  const { body, ...address } = input as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  return (await requester.json({ method, url: addressOf(path, address), body, ...options })) as Answer<K>;
}

let asking = false;

/** Asks anew who is signed in and what waits for them: the shell shows the privacy policy when one does. */
function askAgain(): void {
  const now = session.get();
  if (asking || now.status !== 'signedIn' || now.info.privacy.needConfirm) return;
  asking = true;
  call('info', { body: {} }, { quiet: true })
    .then((info) => session.set(sessionOf(info)))
    .catch((problem: unknown) => console.warn('The privacy policy could not be asked for', problem))
    .finally(() => {
      asking = false;
    });
}

/** Has the server say why it does not stream: the end of a session is taken note of, in the user's language. */
export async function whyNoStream(input: InputOf<'stream'>): Promise<void> {
  const [method, path] = endpoints.stream;
  await requester
    .askWhy({ method, url: addressOf(path, input), quiet: true })
    .catch((problem: unknown) => console.warn('There is no live stream', problem));
}

export interface DownloadOptions {
  /** stops the file on its way */
  signal?: AbortSignal;
  /** told how many bytes have come */
  onBytes?: (bytes: number) => void;
}

/** Fetches the file that an endpoint answers and hands it to the browser under the name the server gave. @throws ApiProblem */
export async function download<K extends EndpointName>(
  endpoint: K,
  input: InputOf<K>,
  options: DownloadOptions = {},
): Promise<void> {
  const [method, path] = endpoints[endpoint];
  const answer = await requester.file({ method, url: addressOf(path, input), ...options });
  const name = fileNameOf(answer.headers.get('content-disposition')) ?? path.split('/').at(-1);
  saveFile(answer.body, name ?? endpoint);
}
