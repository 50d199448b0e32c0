import type { Terminal } from '@xterm/xterm';

/** Parts of xterm 6.0.0 that its types do not have. */
interface Inside {
  _core?: {
    _viewport?: {
      _sync?(position?: number): void;
      queueSync?(position?: number): void;
      _queuedAnimationFrame?: number;
    };
    _selectionService?: { refresh?(byMouse?: boolean): void; _refreshAnimationFrame?: number };
  };
}

/**
 * Shows a terminal. For each line of output, xterm 6.0.0 computes its scroll bar, and requests work for the next frame
 * again. Endless output takes hundreds of megabytes a second for this, so it happens once in a frame here.
 */
export function openScreen(terminal: Terminal, place: HTMLElement): void {
  terminal.open(place);
  const { _viewport: viewport, _selectionService: selection } = (terminal as unknown as Inside)._core ?? {};
  const { _sync: sync, queueSync } = viewport ?? {};
  const refresh = selection?.refresh;
  if (!viewport || !sync || !queueSync || !selection || !refresh) return;
  const queue = (position?: number) => {
    if (position !== undefined || viewport._queuedAnimationFrame === undefined) queueSync.call(viewport, position);
  };
  viewport.queueSync = queue;
  // A line of output passes no position; the work of a frame does.
  viewport._sync = function (position) {
    // biome-ignore lint/complexity/noArguments: an array for each line is what this avoids
    if (arguments.length === 0) queue();
    else sync.call(viewport, position);
  };
  selection.refresh = (byMouse) => {
    if (byMouse === true || !selection._refreshAnimationFrame) refresh.call(selection, byMouse);
  };
}
