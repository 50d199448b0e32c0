import type { LinkRow } from '@chargehand/contract';
import type { LinkState } from '@chargehand/domain';

/** The state of a link as users see it: a request that waits for a second person is distinguished. */
export type ShownState = LinkState | 'approval';

/** The shown state of a link. */
export function shownState({ state, approval }: Pick<LinkRow, 'state' | 'approval'>): ShownState {
  return state === 'requested' && approval.needed && approval.by === null ? 'approval' : state;
}

/** The address of a link in the list of the fleet. */
export function linkPath(id: number): string {
  return `/manage/device/links?link=${id}`;
}

/** The page of the terminals of a link. */
export function terminalPath(id: number): string {
  return `/manage/device/terminal?link=${id}`;
}
