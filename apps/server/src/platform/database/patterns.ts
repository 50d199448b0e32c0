/** A text as an ILIKE pattern that finds it anywhere. Wildcards and escapes in it are matched literally. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A text as a LIKE pattern that finds values starting with it. */
export function beginning(text: string): string {
  return anywhere(text).slice(1);
}
