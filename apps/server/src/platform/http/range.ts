/**
 * The range of a file that a request asks for. Several ranges at once are answered with the whole file (RFC 9110
 * §14.2).
 */
export function rangeOf(header: string | undefined, size: number): { first: number; last: number } | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'none' : { first, last };
}
