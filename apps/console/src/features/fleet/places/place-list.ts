/** A filter of the address, `true` or `false`, as the contract's calls take it. */
export function flagOf(text: string | undefined): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}
