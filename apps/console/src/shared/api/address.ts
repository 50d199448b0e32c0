/** The inputs for the URL of a call. */
export interface AddressInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
}

/**
 * The URL of a call: `:name` is replaced from `params`, and `query` is appended in the given order. Undefined, null and
 * empty values are omitted, because an unset filter is not sent.
 * @throws RangeError when a parameter of the path has no value
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
