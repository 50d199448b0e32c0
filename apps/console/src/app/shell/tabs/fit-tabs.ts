/**
 * Which tabs fit into a width, in pixels. If all fit, there is no menu; otherwise the menu needs its width, too. Home and
 * the tab of the current page are always among them, then the latest ones.
 * @param widths of all tabs, in their order
 * @param pinned the number of tabs at the start that always stay
 * @param current the position of the current tab, -1 for none
 */
export function fitTabs(
  widths: readonly number[],
  { room, menu, pinned, current }: { room: number; menu: number; pinned: number; current: number },
): boolean[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= room) return widths.map(() => true);
  const shown = widths.map((_, index) => index < pinned || index === current);
  let left = room - menu - widths.reduce((sum, width, index) => sum + (shown[index] ? width : 0), 0);
  for (let index = widths.length - 1; index >= pinned; index -= 1) {
    if (shown[index]) continue;
    left -= widths[index] ?? 0;
    // The tabs beside the menu are the latest without a gap, so that a user knows which ones are in it.
    if (left < 0) break;
    shown[index] = true;
  }
  return shown;
}
