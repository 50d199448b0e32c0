/** A text as the pattern of ILIKE that finds it anywhere: its own wildcards and escapes stand for themselves. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A text as the pattern of LIKE that finds what begins with it. */
export function beginning(text: string): string {
  return anywhere(text).slice(1);
}
