/** How the engine quotes the text around an error: ten characters before it, unless the text starts there. */
const QUOTED = /^Unexpected token '?(.{1,2}?)'?, (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/;
const BEFORE_FAULT = 10;

/**
 * The position of a JSON syntax error, from the engine's message; the end of the text when the message has none. Lines
 * and columns from 1.
 */
export function jsonFaultPlace(text: string, message: string): { line: number; column: number } {
  return placeOf(text, faultPosition(text, message));
}

/** The line and column of a position in a text, both from 1. */
export function placeOf(text: string, position: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: position - start + 1 };
}

function faultPosition(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, token = '', begun, around = ''] = QUOTED.exec(message) ?? [];
  const start = around === '' ? -1 : text.indexOf(around);
  if (start < 0) return text.length;
  return start + (begun ? BEFORE_FAULT : Math.max(0, around.indexOf(token)));
}
