import { atEnd } from './show.tsx';

/** The answer of `writeCredentials` that belongs to `stubUploads`. */
export const UPLOAD_CREDENTIAL = {
  ...{ accessKeyId: 'k', accessKeySecret: 's', securityToken: 't', expiration: '2099-01-01T00:00:00.000Z' },
  ...{ bucket: 'chargehand', region: 'r', endpoint: '', prefixes: ['document/incoming/u1/', 'images/incoming/u1/'] },
};

/** An object store that takes every upload at once, until the end of the test. Returns what it received. */
export function stubUploads(): Blob[] {
  const received: Blob[] = [];
  const real = globalThis.XMLHttpRequest;
  class StubXhr {
    upload = {};
    status = 0;
    onload?: () => void;
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
      return undefined;
    }
    send(body: Blob) {
      received.push(body);
      this.status = 200;
      queueMicrotask(() => this.onload?.());
    }
  }
  globalThis.XMLHttpRequest = StubXhr as never;
  atEnd(() => {
    globalThis.XMLHttpRequest = real;
  });
  return received;
}
