/** A list with one of its members at another place; the same list when nothing moves. */
export function moved<T>(list: T[], member: T, to: number): T[] {
  const from = list.indexOf(member);
  if (from < 0 || to < 0 || to >= list.length || to === from) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), member, ...rest.slice(to)];
}
