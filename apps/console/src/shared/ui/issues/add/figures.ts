/** What a chart shows. */
export interface Figures {
  /** what is shown, with its period */
  title: string;
  /** what the names of the rows are, such as times or sites */
  heading: string;
  rows: readonly { name: string; values: readonly number[]; tone?: string }[];
  /** what is counted, with the name of its color token */
  series: readonly { name: string; tone: string }[];
  /** a bar per row: upright, with the values stacked or side by side, or lying with its name */
  bars: 'stacked' | 'grouped' | 'lying';
  format?(value: number): string;
}
