/** How the engine quotes what surrounds a fault: ten characters before it, unless the text begins there. */
const QUOTED = /^Unexpected token '?(.+?)'?, (\.\.\.)?"([\s\S]*)"(?:\.\.\.)? is not valid JSON$/;
const BEFORE_FAULT = 10;

/** Where reading a JSON text failed, from the engine's message; the end of the text when it does not say. Lines and columns from 1. */
export function jsonFaultPlace(text: string, message: string): { line: number; column: number } {
  const before = text.slice(0, faultPosition(text, message)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function faultPosition(text: string, message: string): number {
  const told = /at position (\d+)/.exec(message)?.[1];
  if (told !== undefined) return Number(told);
  const [, token = '', begun, around = ''] = QUOTED.exec(message) ?? [];
  const start = around === '' ? -1 : text.indexOf(around);
  if (start < 0) return text.length;
  return start + (begun ? BEFORE_FAULT : Math.max(0, around.indexOf(token)));
}
