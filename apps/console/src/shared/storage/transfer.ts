/** The response of the store to a request with upload progress. */
export interface Sent {
  status: number;
  /** the header ETag, unchanged */
  etag: string;
}

/** The connection was lost before a response. */
export class ConnectionBroken extends Error {
  override name = 'LineBroken';
}

/** Sends a body and reports the number of sent bytes, which `fetch` cannot do. @throws ConnectionBroken, AbortError */
export function send(
  request: Request,
  body: Blob,
  options: { signal: AbortSignal; onSent(bytes: number): void },
): Promise<Sent> {
  const { signal, onSent } = options;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    const settle = (act: () => void) => () => {
      signal.removeEventListener('abort', abort);
      act();
    };
    xhr.open(request.method, request.url);
    for (const [name, value] of request.headers) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = (event) => onSent(event.loaded);
    xhr.onload = settle(() => resolve({ status: xhr.status, etag: xhr.getResponseHeader('etag') ?? '' }));
    xhr.onerror = settle(() => reject(new ConnectionBroken()));
    xhr.onabort = settle(() => reject(signal.reason ?? new DOMException('Aborted', 'AbortError')));
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    signal.addEventListener('abort', abort);
    xhr.send(body);
  });
}
