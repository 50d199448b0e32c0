import { atEnd } from './show.tsx';

/** The answer of `writeCredentials` that belongs to `stubUploads`. */
export const UPLOAD_CREDENTIAL = {
  ...{ accessKeyId: 'k', accessKeySecret: 's', securityToken: 't', expiration: '2099-01-01T00:00:00.000Z' },
  ...{ bucket: 'chargehand', region: 'r', endpoint: '', prefixes: ['document/incoming/u1/', 'images/incoming/u1/'] },
};

/** An upload that waits for its answer. */
interface HeldUpload {
  body: Blob;
  /** Answers it. */
  finish(status?: number): void;
  /** Reports how many bytes have arrived. */
  progress(bytes: number): void;
  /** Breaks its connection. */
  cut(): void;
}

/** An object store that takes every upload at once, until the end of the test. Returns what it received. */
export function stubUploads(): Blob[] {
  const received: Blob[] = [];
  stubStore((upload) => {
    received.push(upload.body);
    queueMicrotask(() => upload.finish());
  });
  return received;
}

/** An object store whose uploads wait until the test answers them, until the end of the test. */
export function holdUploads(): HeldUpload[] {
  const waiting: HeldUpload[] = [];
  stubStore((upload) => waiting.push(upload));
  return waiting;
}

function stubStore(onSend: (upload: HeldUpload) => void): void {
  const real = globalThis.XMLHttpRequest;
  class StubXhr {
    upload: { onprogress?: (event: { loaded: number }) => void } = {};
    status = 0;
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    open() {
      return undefined;
    }
    setRequestHeader() {
      return undefined;
    }
    getResponseHeader() {
      return '"etag"';
    }
    abort() {
      this.onabort?.();
    }
    send(body: Blob) {
      onSend({
        body,
        finish: (status = 200) => {
          this.status = status;
          this.onload?.();
        },
        progress: (loaded) => this.upload.onprogress?.({ loaded }),
        cut: () => this.onerror?.(),
      });
    }
  }
  globalThis.XMLHttpRequest = StubXhr as never;
  atEnd(() => {
    globalThis.XMLHttpRequest = real;
  });
}
