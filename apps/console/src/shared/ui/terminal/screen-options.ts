import type { ITerminalOptions } from '@xterm/xterm';

/** How terminals and recordings look and behave everywhere. A device must not open pages: its links do nothing. */
export function screenOptions(): ITerminalOptions {
  return {
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono').trim() || 'monospace',
    fontSize: 14,
    scrollback: 5_000,
    minimumContrastRatio: 4.5,
    theme: { background: '#14181a', foreground: '#e4e8e9' },
    linkHandler: { activate: () => undefined },
  };
}
