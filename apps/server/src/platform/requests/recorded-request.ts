import { AsyncLocalStorage } from 'node:async_hooks';

/** A request that changes something, while its handler runs. */
export interface RecordedRequest {
  /** what is stored with its change; null for a request without a key */
  key: { hash: Buffer; fingerprint: Buffer } | null;
  /** a transaction of this request has been committed with its key */
  recorded: boolean;
  /** the handler has ended: work that it started in the background is not part of the request */
  ended: boolean;
}

/** The request that the current code works for. */
export const recordedRequest = new AsyncLocalStorage<RecordedRequest>();

/** Another request with the same key has committed its change. Nothing of this one was written. */
export class RepeatedRequest extends Error {
  override name = 'RepeatedRequest';
}
