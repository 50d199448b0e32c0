import { useLocation } from 'react-router';

/** The state of a navigation to a list whose rows are to be selected first. */
export const CHOOSE_FIRST = { chooseFirst: true } as const;

/** True on a list that was opened to select its rows. */
export function useChooseFirst(): boolean {
  const { state } = useLocation();
  return (state as { chooseFirst?: boolean } | null)?.chooseFirst === true;
}
