import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { ignoreQueries } from './ignore-queries.ts';
import { openScreen } from './open-screen.ts';
import { screenOptions } from './screen-options.ts';
import { openViewer, type ViewerConnection, type ViewerState } from './viewer-connection.ts';
import css from './viewer-screen.module.css';

interface Props {
  /** of the WebSocket */
  path: string;
  label: string;
  inputLabel: string;
  /** the viewer may type now */
  types: boolean;
  onState(state: ViewerState): void;
}

/** The screen of a terminal that somebody else uses, in the size of that user. */
export default function ViewerScreen({ path, label, inputLabel, types, onState }: Props) {
  const host = useRef<HTMLElement>(null);
  const terminal = useRef<Terminal | null>(null);
  const current = useRef(onState);
  current.current = onState;

  useEffect(() => {
    const shown = new Terminal({
      ...screenOptions(),
      disableStdin: true,
    });
    terminal.current = shown;
    ignoreQueries(shown);
    openScreen(shown, host.current!);
    const connection: ViewerConnection = openViewer(path, {
      onOutput: (data) => shown.write(data),
      onScreen: () => shown.reset(),
      onState(state) {
        const { size } = state;
        if (size && (size.cols !== shown.cols || size.rows !== shown.rows)) shown.resize(size.cols, size.rows);
        current.current(state);
      },
    });
    shown.onData((text) => connection.send(new TextEncoder().encode(text)));
    return () => {
      terminal.current = null;
      connection.close();
      shown.dispose();
    };
  }, [path]);

  useEffect(() => {
    if (!terminal.current) return;
    terminal.current.options.disableStdin = !types;
    if (types) terminal.current.focus();
  }, [types]);
  useEffect(() => {
    terminal.current?.textarea?.setAttribute('aria-label', inputLabel);
  }, [inputLabel]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the screen scrolls
    <section ref={host} className={css.screen} aria-label={label} tabIndex={0} />
  );
}
