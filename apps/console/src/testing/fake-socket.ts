/** A WebSocket of which the test is the other side. */
export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: unknown[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.onopen();
  }

  output(text: string): void {
    this.onmessage({ data: new TextEncoder().encode(text).buffer });
  }

  /** Closes the connection from the other side, or the network. */
  fail(code = 1006): void {
    this.readyState = 3;
    this.onclose({ code });
  }

  /** The binary messages that were sent, as text. */
  input(): string {
    const bytes = this.sent.filter((one) => one instanceof Uint8Array);
    return bytes.map((one) => new TextDecoder().decode(one)).join('');
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = 3;
  }
}
