/** The last output of a terminal, from which a page that joins late shows the screen. */
export interface ScreenTail {
  add(data: Buffer): void;
  /** Output that shows the present screen in an empty terminal. */
  read(): Buffer;
}

const TAIL_BYTES = 64 * 1024;
/** Programs that use the whole window switch to another screen, and back when they end. */
const OTHER_SCREEN = '\x1b[?1049';
const LINE_FEED = 10;
const ESCAPE = 27;
const LETTER_H = 104;

/**
 * Keeps the last output. It starts at a line, so that no sequence is shown in parts. A program that uses the whole window
 * may have drawn parts of it earlier; these are shown when it draws them again.
 */
export function screenTail(limit = TAIL_BYTES): ScreenTail {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = Buffer.alloc(0);
  let cut = false;
  let otherScreen = false;

  function forget(chunk: Buffer): void {
    // A sequence may be in two chunks.
    const text = Buffer.concat([dropped, chunk]);
    const last = text.length - OTHER_SCREEN.length - 1;
    const at = last < 0 ? -1 : text.lastIndexOf(OTHER_SCREEN, last);
    if (at >= 0) otherScreen = text[at + OTHER_SCREEN.length] === LETTER_H;
    dropped = Buffer.from(text.subarray(-OTHER_SCREEN.length));
    cut = true;
  }

  return {
    add(data) {
      chunks.push(data);
      size += data.length;
      while (size > limit) {
        const [first = Buffer.alloc(0)] = chunks;
        const left = Math.max(0, first.length - (size - limit));
        forget(first.subarray(0, first.length - left));
        size -= first.length - left;
        if (left === 0) chunks.shift();
        else chunks[0] = Buffer.from(first.subarray(first.length - left));
      }
    },
    read() {
      const all = Buffer.concat(chunks);
      if (!cut) return all;
      const line = all.indexOf(LINE_FEED);
      const sequence = all.indexOf(ESCAPE);
      const start = line >= 0 ? line + 1 : Math.max(0, sequence);
      return Buffer.concat([Buffer.from(otherScreen ? `${OTHER_SCREEN}h` : ''), all.subarray(start)]);
    },
  };
}
