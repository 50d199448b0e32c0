import type { MapWindow } from '../plane.ts';

/** The width of a cell of detailed coasts, in units of the plane. */
export const COAST_CELL = 50;
/** The unit of their coordinates, in units of the plane: about 400 m, the precision of the data. */
export const COAST_UNIT = 0.01;

/** The file of a cell in the build. */
export function cellFile(edition: number, cell: string): string {
  return `assets/coast-${edition}-${cell}.json`;
}

/** The cells that a window shows, as `column-row`. */
export function cellsOf({ x, y, width }: MapWindow, ratio: number): string[] {
  const span = (center: number, length: number) => {
    const first = Math.floor((center - length / 2) / COAST_CELL);
    const last = Math.floor((center + length / 2) / COAST_CELL);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };
  return span(x, width).flatMap((column) => span(y, width * ratio).map((row) => `${column}-${row}`));
}
