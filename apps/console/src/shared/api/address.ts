/** What goes into the address of a call. */
export interface AddressInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
}

/**
 * The address of a call: `:name` parts filled from `params`, `query` appended in the order given. Values that are
 * undefined, null or an empty text are left out, since a filter that is not set is not sent.
 * @throws RangeError when a part of the path has no value
 */
export function addressOf(path: string, input: AddressInput = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined || value === null || value === '') throw new RangeError(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.append(name, String(value));
  }
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}
