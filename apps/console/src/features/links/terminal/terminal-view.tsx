import '@xterm/xterm/css/xterm.css';
import type { TerminalPeople as People } from '@chargehand/contract';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLate } from '../../../shared/hooks/late/use-late.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { openScreen } from '../../../shared/ui/terminal/open-screen.ts';
import { screenOptions } from '../../../shared/ui/terminal/screen-options.ts';
import { copyText } from '../../../shared/ui/values/copy-text.ts';
import { TerminalPeople } from '../guests/terminal-people.tsx';
import { FontButtons } from '../shared/font-buttons.tsx';
import { SearchBar } from '../shared/search-bar.tsx';
import { type ConnectionState, openConnection, type TerminalConnection } from './connection.ts';
import { type Modifiers, pastable, pastedLines, sequenceOf, withModifiers } from './keys.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { PhoneKeys } from './phone-keys.tsx';
import css from './terminal.module.css';

const FONT = { least: 10, most: 24, usual: 14 };
const NOBODY: People = { watchers: [], guests: [] };
const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false };

/** With the first terminal: without it, the page has no files. */
const loadFiles = () => loadChunk(() => import('../files/files-panel.tsx'));

interface Props {
  /** of the WebSocket; a terminal is opened once */
  terminalKey: string;
  linkId: number;
  terminalId: number;
  shown: boolean;
  onEnded(): void;
  /** Opens another terminal in the place of one that has ended; null: the link has ended. */
  onAgain: (() => void) | null;
}

interface Screen {
  terminal: Terminal;
  search: SearchAddon;
  fit: FitAddon;
  connection: TerminalConnection;
}

/** A terminal with its tools. Leaving it closes the terminal. */
export default function TerminalView({ terminalKey, linkId, terminalId, shown, onEnded, onAgain }: Props) {
  const { t } = useTranslation('links');
  const host = useRef<HTMLElement>(null);
  const screen = useRef<Screen | null>(null);
  const [people, setPeople] = useState(NOBODY);
  const [state, setState] = useState<ConnectionState>({ kind: 'connecting' });
  const [fontSize, setFontSize] = useState(FONT.usual);
  const [selected, setSelected] = useState(false);
  const [pasted, setPasted] = useState<string | null>(null);
  const [searching, setSearching] = useState(false);
  const FilesPanel = useLate(loadFiles);
  const [files, setFiles] = useState<'unused' | 'shown' | 'hidden'>('unused');
  const [modifiers, setModifiers] = useState(NO_MODIFIERS);
  function takePaste(text: string) {
    const clean = pastable(text);
    if (pastedLines(clean) > 1) setPasted(clean);
    else paste(clean);
  }
  const current = useRef({ modifiers, onEnded, takePaste });
  current.current = { modifiers, onEnded, takePaste };
  const inputLabel = t('terminal.input');
  const phone = useMedia('(pointer: coarse), (max-width: 760px)');

  useEffect(() => {
    const place = host.current!;
    const terminal = new Terminal(screenOptions());
    const fit = new FitAddon();
    const search = new SearchAddon();
    terminal.loadAddon(fit);
    terminal.loadAddon(search);
    // The connection is opened while the browser draws the terminal.
    const connection = openConnection(terminalKey, {
      onOutput: (data, done) => terminal.write(data, done),
      onPeople: setPeople,
      onState(next) {
        setState(next);
        terminal.options.disableStdin = next.kind !== 'open';
        if (next.kind === 'ended') current.current.onEnded();
      },
    });
    openScreen(terminal, place);
    screen.current = { terminal, search, fit, connection };
    terminal.onData((text) => {
      const { modifiers: held } = current.current;
      connection.send(new TextEncoder().encode(withModifiers(text, held)));
      if (held.ctrl || held.alt) setModifiers(NO_MODIFIERS);
    });
    // Reports of the mouse are bytes.
    terminal.onBinary((text) => connection.send(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    terminal.onResize(({ cols, rows }) => connection.resize({ cols, rows }));
    terminal.onSelectionChange(() => setSelected(terminal.hasSelection()));
    terminal.attachCustomKeyEventHandler((event) => {
      if (!event.ctrlKey || !event.shiftKey || (event.code !== 'KeyC' && event.code !== 'KeyF')) return true;
      event.preventDefault();
      if (event.type !== 'keydown') return false;
      if (event.code === 'KeyF') setSearching(true);
      else if (terminal.hasSelection()) void copyText(terminal.getSelection());
      return false;
    });
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      current.current.takePaste(event.clipboardData?.getData('text/plain') ?? '');
    };
    place.addEventListener('paste', onPaste, { capture: true });
    const sizes = new ResizeObserver(() => {
      if (place.clientWidth > 0) fit.fit();
    });
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      place.removeEventListener('paste', onPaste, { capture: true });
      screen.current = null;
      connection.close();
      terminal.dispose();
    };
  }, [terminalKey]);

  useEffect(() => {
    screen.current?.terminal.textarea?.setAttribute('aria-label', inputLabel);
  }, [inputLabel]);

  useEffect(() => {
    if (!screen.current) return;
    screen.current.terminal.options.fontSize = fontSize;
    if (host.current && host.current.clientWidth > 0) screen.current.fit.fit();
  }, [fontSize]);

  useEffect(() => {
    if (shown) screen.current?.terminal.focus();
  }, [shown]);

  const focus = () => screen.current?.terminal.focus();
  function paste(text: string) {
    screen.current?.terminal.paste(text);
    focus();
  }
  async function readClipboard() {
    try {
      takePaste(await navigator.clipboard.readText());
    } catch (error) {
      console.warn('The clipboard is not available', error);
      toast.error(t('terminal.pasteFailed'));
    }
  }
  const ended = state.kind === 'ended';
  return (
    <div className={css.view} hidden={!shown}>
      <div className="field-row">
        <Button
          size="small"
          disabled={!selected}
          onClick={() => void copyText(screen.current?.terminal.getSelection() ?? '').then(focus)}
        >
          {t('terminal.copy')}
        </Button>
        <Button size="small" disabled={state.kind !== 'open'} onClick={() => void readClipboard()}>
          {t('terminal.paste')}
        </Button>
        <Button
          size="small"
          aria-expanded={searching}
          onClick={() => {
            setSearching(!searching);
            if (searching) focus();
          }}
        >
          {t('terminal.search')}
        </Button>
        <FontButtons size={fontSize} least={FONT.least} most={FONT.most} onChange={setFontSize} />
        <Button
          size="small"
          aria-expanded={files === 'shown'}
          disabled={state.kind !== 'open' || !FilesPanel}
          onClick={() => setFiles(files === 'shown' ? 'hidden' : 'shown')}
        >
          {t('files.button')}
        </Button>
        <p className={css.status} role="status">
          {state.kind === 'connecting' && t('terminal.connecting')}
          {state.kind === 'lost' && t('terminal.lost')}
          {ended && t(`terminal.ends.${state.end}`)}
        </p>
        {ended && onAgain && (
          <Button size="small" type="primary" onClick={onAgain}>
            {t('terminal.again')}
          </Button>
        )}
      </div>
      <TerminalPeople linkId={linkId} terminalId={terminalId} people={people} ended={ended} />
      {searching && (
        <OutputSearch
          onFind={(text, forward) =>
            (forward ? screen.current?.search.findNext(text) : screen.current?.search.findPrevious(text)) ?? false
          }
          onClose={() => {
            setSearching(false);
            focus();
          }}
        />
      )}
      {FilesPanel && files !== 'unused' && !ended && (
        <FilesPanel linkId={linkId} terminalKey={terminalKey} hidden={files === 'hidden'} />
      )}
      <div className={css.screen}>
        <section ref={host} className={css.host} aria-label={t('terminal.output')} />
      </div>
      {phone && !ended && (
        <PhoneKeys
          modifiers={modifiers}
          onModifiers={(next) => {
            setModifiers(next);
            focus();
          }}
          onKey={(key) => {
            const now = screen.current;
            if (!now) return;
            const application = now.terminal.modes.applicationCursorKeysMode;
            now.connection.send(new TextEncoder().encode(sequenceOf(key, application, modifiers)));
            setModifiers(NO_MODIFIERS);
            now.terminal.scrollToBottom();
          }}
        />
      )}
      {pasted !== null && (
        <PasteDialog
          text={pasted}
          onPaste={() => {
            setPasted(null);
            paste(pasted);
          }}
          onClose={() => setPasted(null)}
        />
      )}
    </div>
  );
}

/** Finds a text in the output: Enter goes on to older output, Shift+Enter to newer. */
function OutputSearch({ onFind, onClose }: { onFind(text: string, forward: boolean): boolean; onClose(): void }) {
  const { t } = useTranslation('links');
  const [text, setText] = useState('');
  const [found, setFound] = useState(true);
  const find = (forward: boolean) => setFound(text === '' || onFind(text, forward));
  return (
    <SearchBar
      text={text}
      disabled={text === ''}
      backward
      onText={(next) => {
        setText(next);
        setFound(true);
      }}
      onFind={find}
      onClose={onClose}
    >
      {!found && t('terminal.noMatch')}
    </SearchBar>
  );
}
