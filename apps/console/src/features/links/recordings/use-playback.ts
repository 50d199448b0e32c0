import type { Terminal } from '@xterm/xterm';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Cast, indexAfter, parseSize } from './cast.ts';

/** Characters that the terminal gets at a time, so that the page responds while a large recording is shown. */
const CHUNK = 128 * 1024;

/** Plays a recording on a terminal. Times are seconds of the recording. */
export function usePlayback(terminal: RefObject<Terminal | null>, cast: Cast, speed: number) {
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const position = useRef(0);
  const shown = useRef(0);
  const busy = useRef(false);

  /** Brings the terminal to the position: forward by the output in between, back by a new start. */
  const draw = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      for (;;) {
        const screen = terminal.current;
        const wanted = indexAfter(cast.events, position.current);
        if (!screen || shown.current === wanted) return;
        if (shown.current > wanted) {
          shown.current = 0;
          screen.reset();
          screen.resize(cast.cols, cast.rows);
        }
        let text = '';
        while (shown.current < wanted && text.length < CHUNK) {
          const event = cast.events[shown.current]!;
          const size = event.kind === 'size' ? parseSize(event.text) : null;
          if (size && text !== '') break;
          shown.current += 1;
          if (size) screen.resize(size.cols, size.rows);
          else if (event.kind === 'output') text += event.text;
        }
        if (text !== '') await new Promise<void>((resolve) => screen.write(text, resolve));
      }
    } finally {
      busy.current = false;
    }
  }, [cast, terminal]);

  const seek = useCallback(
    (to: number) => {
      position.current = Math.min(Math.max(0, to), cast.duration);
      setAt(position.current);
      void draw();
    },
    [cast, draw],
  );

  // The same recording with other pauses has other times.
  const before = useRef(cast);
  useEffect(() => {
    const events = before.current.events;
    before.current = cast;
    const index = indexAfter(events, position.current);
    seek(index === 0 ? 0 : (cast.events[index - 1]?.at ?? 0));
  }, [cast, seek]);

  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const next = position.current + ((now - last) / 1_000) * speed;
      last = now;
      seek(next);
      if (next >= cast.duration) setPlaying(false);
      else frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, cast, seek]);

  return {
    at,
    playing,
    seek,
    /** Starts or pauses; at the end it starts again. */
    toggle() {
      if (!playing && position.current >= cast.duration) seek(0);
      setPlaying(!playing);
    },
  };
}
