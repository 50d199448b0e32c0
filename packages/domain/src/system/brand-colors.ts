/** WCAG 2.2, level AA, for text. */
export const LEAST_CONTRAST = 4.5;
/** The raised surface of the dark theme, on which its buttons have the least contrast. */
const DARK_SURFACE = '#202529';

/** The colors of main buttons for both themes. The one for the dark theme is lightened until it can be seen. */
export function brandColors(color: string): { light: string; lightHover: string; dark: string; darkHover: string } {
  let dark = color;
  for (let share = 1; contrast(dark, DARK_SURFACE) < LEAST_CONTRAST; share += 1) {
    dark = mixed(color, '#ffffff', share / 20);
  }
  return {
    light: color,
    lightHover: mixed(color, '#000000', 0.2),
    dark,
    darkHover: mixed(dark, '#ffffff', 0.3),
  };
}

/**
 * The style sheet with the colors of main buttons. It is more specific than the tokens of the console, which it
 * replaces.
 */
export function brandStyle(color: string): string {
  const { light, lightHover, dark, darkHover } = brandColors(color);
  return `html:root{--primary:light-dark(${light},${dark});--primary-hover:light-dark(${lightHover},${darkHover})}`;
}

/** The contrast ratio of two colors, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [least = 0, most = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (most + 0.05) / (least + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function mixed(color: string, into: string, share: number): string {
  const to = channels(into);
  const parts = channels(color).map((from, at) => Math.round(from + ((to[at] ?? 0) - from) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
