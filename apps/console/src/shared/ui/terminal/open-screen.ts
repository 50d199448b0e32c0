import type { Terminal } from '@xterm/xterm';

/** Parts of xterm 6.0.0 that its types do not have. */
interface Inside {
  _core?: {
    _viewport?: {
      _sync?(position?: number): void;
      queueSync?(position?: number): void;
      _queuedAnimationFrame?: number;
    };
    _renderService?: { _renderDebouncer?: { _innerRefresh?(): void; _animationFrame?: number } };
    _selectionService?: { refresh?(byMouse?: boolean): void; _refreshAnimationFrame?: number };
  };
}

/** While output arrives, the screen is drawn so often. Milliseconds. */
const DRAWN_EACH_MS = 40;

/**
 * Shows a terminal. For each line of output, xterm 6.0.0 computes its scroll bar, and requests work for the next frame
 * again. Endless output takes hundreds of megabytes a second for this, so it happens once in a frame here. New output is
 * drawn at most 25 times a second, because each time leaves the elements of all lines to the garbage collection.
 */
export function openScreen(terminal: Terminal, place: HTMLElement): void {
  terminal.open(place);
  drawLessOften(terminal);
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

function drawLessOften(terminal: Terminal): void {
  const drawing = (terminal as unknown as Inside)._core?._renderService?._renderDebouncer;
  const draw = drawing?._innerRefresh;
  if (!drawing || !draw) return;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let hasOutput = false;
  terminal.onWriteParsed(() => {
    hasOutput = true;
  });
  drawing._innerRefresh = () => {
    if (hasOutput && performance.now() - drawnAt < DRAWN_EACH_MS) {
      drawing._animationFrame = requestAnimationFrame(() => drawing._innerRefresh?.());
      return;
    }
    hasOutput = false;
    drawnAt = performance.now();
    draw.call(drawing);
  };
}
