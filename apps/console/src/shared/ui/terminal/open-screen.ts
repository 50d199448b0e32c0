import type { Terminal } from '@xterm/xterm';

/** Parts of xterm 6.0.0 that its types do not have. */
interface Inside {
  _core?: {
    buffer?: { lines?: { get?(index: number): Line | undefined } };
    _viewport?: {
      _sync?(position?: number): void;
      queueSync?(position?: number): void;
      _queuedAnimationFrame?: number;
    };
    _renderService?: { _renderDebouncer?: { _innerRefresh?(): void; _animationFrame?: number } };
    _selectionService?: { refresh?(byMouse?: boolean): void; _refreshAnimationFrame?: number };
  };
}

/** A line of the screen. Its values are in an array; the maps hold combined characters and underlines of some columns. */
interface Line {
  length: number;
  isWrapped: boolean;
  _data: Uint32Array;
  _combined: object;
  _extendedAttrs: object;
  copyFrom(other: Line): void;
}

/** While output arrives, the screen is drawn so often. Milliseconds. */
const DRAWN_EACH_MS = 40;

/**
 * Shows a terminal. For each line of output, xterm 6.0.0 computes its scroll bar, and requests work for the next frame
 * again. Endless output takes hundreds of megabytes a second for this, so it happens once in a frame here. New output is
 * drawn at most 25 times a second, because each time leaves the elements of all lines to the garbage collection. The maps of
 * a line are kept if they are empty.
 */
export function openScreen(terminal: Terminal, place: HTMLElement): void {
  terminal.open(place);
  drawLessOften(terminal);
  keepEmptyMaps(terminal);
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

/** When the screen scrolls, xterm copies a line over another one, with two new maps. This was three quarters of all memory. */
function keepEmptyMaps(terminal: Terminal): void {
  const line = (terminal as unknown as Inside)._core?.buffer?.lines?.get?.(0);
  if (!line?._combined || !line._extendedAttrs) return;
  // All lines share the methods.
  const methods = Object.getPrototypeOf(line) as Line;
  if (patched.has(methods)) return;
  patched.add(methods);
  const { copyFrom } = methods;
  methods.copyFrom = function (other) {
    if (this.length !== other.length || hasMaps(this) || hasMaps(other)) {
      copyFrom.call(this, other);
      return;
    }
    this._data.set(other._data);
    this.isWrapped = other.isWrapped;
  };
}

const patched = new WeakSet<Line>();

function hasMaps({ _combined, _extendedAttrs }: Line): boolean {
  for (const _ in _combined) return true;
  for (const _ in _extendedAttrs) return true;
  return false;
}
