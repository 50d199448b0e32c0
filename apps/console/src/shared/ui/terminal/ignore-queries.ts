import type { IFunctionIdentifier, Terminal } from '@xterm/xterm';

/** Attributes, state, modes and size of the terminal. Others have no answer. */
const QUERIES: readonly IFunctionIdentifier[] = [
  ...[{ final: 'c' }, { prefix: '>', final: 'c' }, { prefix: '=', final: 'c' }],
  ...[{ final: 'n' }, { prefix: '?', final: 'n' }, { final: 't' }, { prefix: '>', final: 'q' }],
  ...[
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
  ],
];
/** A color of the palette, the text, the background and the cursor. */
const COLORS = [4, 10, 11, 12];

/**
 * Does not answer what programs ask their terminal. The terminal of the user answers: a second answer would be typed
 * into the shell, and recorded as typed by the viewer.
 */
export function ignoreQueries({ parser }: Terminal): void {
  for (const query of QUERIES) parser.registerCsiHandler(query, () => true);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true);
  for (const color of COLORS) parser.registerOscHandler(color, (data) => data.includes('?'));
}
