/** One quantity of a reading layout, as stored in `reading_layouts.items`. */
export interface LayoutItem {
  key: string;
  unit: string;
  counter: boolean;
}

/** The position of a quantity's values in the arrays of a layout. Positions count from 1, as in PostgreSQL. */
export interface ItemPosition extends LayoutItem {
  layoutId: number;
  position: number;
}

/** The places of all quantities of a layout: analog values and counters are counted separately. */
export function positionsOf(layoutId: number, items: readonly LayoutItem[]): ItemPosition[] {
  let analog = 0;
  let counters = 0;
  return items.map((item) => {
    if (item.counter) counters += 1;
    else analog += 1;
    return { ...item, layoutId, position: item.counter ? counters : analog };
  });
}
