import { type Answer, call } from '../../../shared/api/client.ts';

/** Until the page has measured the terminal. */
export const FIRST_SIZE = { cols: 80, rows: 24 };

/** Terminals that were requested before their page is shown, by link. */
const begun = new Map<number, Promise<Answer<'openTerminal'>>>();

/** Opens a terminal with the key of the link while its page is loading. */
export function beginTerminal(linkId: number): void {
  if (begun.has(linkId)) return;
  const terminal = open(linkId);
  begun.set(linkId, terminal);
  // The page shows why it failed.
  terminal.catch(() => undefined);
}

/** The terminal that `beginTerminal` has opened; otherwise a new one. */
export async function openTerminal(linkId: number): Promise<Answer<'openTerminal'>> {
  const terminal = begun.get(linkId);
  begun.delete(linkId);
  return await (terminal ?? open(linkId));
}

function open(linkId: number): Promise<Answer<'openTerminal'>> {
  return call('openTerminal', { params: { id: linkId }, body: FIRST_SIZE }, { quiet: true });
}
