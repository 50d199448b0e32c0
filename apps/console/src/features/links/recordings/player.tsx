import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { Button, Checkbox, Select } from 'antd';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openScreen } from '../../../shared/ui/terminal/open-screen.ts';
import { screenOptions } from '../../../shared/ui/terminal/screen-options.ts';
import { copyText } from '../../../shared/ui/values/copy-text.ts';
import { FontButtons } from '../shared/font-buttons.tsx';
import { SearchBar } from '../shared/search-bar.tsx';
import { type Cast, clockOf, findTimes, indexAfter, textOf, withoutPauses } from './cast.ts';
import css from './recordings.module.css';
import { usePlayback } from './use-playback.ts';

const SPEEDS = [0.5, 1, 2, 4, 8];
const FONT = { least: 6, most: 24, usual: 14 };
const LONGEST_PAUSE = 2;
const MOST_MATCHES = 500;
const MOST_TEXT = 200_000;
const NO_PAUSES = 'noPauses';

/** Plays the recording of a terminal. What the device sent is only drawn: titles, links and clipboard texts do nothing. */
export default function Player({ cast: whole }: { cast: Cast }) {
  const { t } = useTranslation('links');
  const id = useId();
  const host = useRef<HTMLElement>(null);
  const terminal = useRef<Terminal | null>(null);
  const [fontSize, setFontSize] = useState<number>(FONT.usual);
  const [speed, setSpeed] = useState(1);
  const [skips, setSkips] = useState(true);
  const [asText, setAsText] = useState(false);
  const cast = useMemo(() => (skips ? withoutPauses(whole, LONGEST_PAUSE) : whole), [whole, skips]);
  const { at, playing, seek, toggle } = usePlayback(terminal, cast, speed);
  const label = t('recordings.screen');

  // The playback draws in a later effect.
  useEffect(() => {
    const place = host.current!;
    const size = fittingFont(place.clientWidth, whole.cols);
    const screen = new Terminal({
      ...screenOptions(),
      ...{ cols: whole.cols, rows: whole.rows, fontSize: size, disableStdin: true },
    });
    openScreen(screen, place);
    setFontSize(size);
    // Nothing can be typed: keyboard users stay in the controls, and read the text below.
    screen.textarea?.setAttribute('tabindex', '-1');
    screen.textarea?.setAttribute('aria-hidden', 'true');
    terminal.current = screen;
    return () => {
      terminal.current = null;
      screen.dispose();
    };
  }, [whole]);

  useEffect(() => {
    if (terminal.current) terminal.current.options.fontSize = fontSize;
  }, [fontSize]);

  const text = useMemo(() => textOf(whole.events), [whole]);
  const [wanted, setWanted] = useState('');
  const matches = useMemo(() => findTimes(cast.events, text, wanted, MOST_MATCHES), [cast, text, wanted]);
  const jump = (forward: boolean) => {
    const next = forward ? matches.find((time) => time > at) : matches.findLast((time) => time < at);
    const to = next ?? (forward ? matches[0] : matches.at(-1));
    if (to !== undefined) seek(to);
  };
  const gaps = useMemo(() => cast.events.filter(({ kind }) => kind === 'marker'), [cast]);
  const gap = gaps[indexAfter(gaps, at) - 1];
  const percent = (time: number) => `${cast.duration === 0 ? 0 : (time / cast.duration) * 100}%`;
  const time = t('recordings.time', { at: clockOf(at), of: clockOf(cast.duration) });
  return (
    <div className={css.player}>
      <div className={css.screen}>
        <section ref={host} aria-label={label} />
      </div>
      <div className={css.bar}>
        <Button type="primary" onClick={toggle}>
          {t(playing ? 'recordings.pause' : 'recordings.play')}
        </Button>
        <div className={css.seek}>
          <input
            type="range"
            min={0}
            max={Math.max(1, Math.ceil(cast.duration))}
            step={1}
            value={Math.round(at)}
            aria-label={t('recordings.position')}
            aria-valuetext={time}
            onChange={(event) => seek(event.target.valueAsNumber)}
          />
          <div className={css.marks} aria-hidden="true">
            {matches.map((match) => (
              <span key={match} style={{ insetInlineStart: percent(match) }} />
            ))}
          </div>
        </div>
        <span className="no-break">{time}</span>
        <Select
          size="small"
          aria-label={t('recordings.speed')}
          value={speed}
          options={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
          onChange={setSpeed}
        />
        <Checkbox id={`${id}-${NO_PAUSES}`} checked={skips} onChange={(event) => setSkips(event.target.checked)}>
          {t('recordings.skipPauses')}
        </Checkbox>
        <FontButtons size={fontSize} least={FONT.least} most={FONT.most} onChange={setFontSize} />
        <Button size="small" onClick={() => void copyText(shownText(terminal.current))}>
          {t('recordings.copy')}
        </Button>
      </div>
      <SearchBar text={wanted} onText={setWanted} disabled={matches.length === 0} onFind={jump}>
        {wanted !== '' &&
          (matches.length === 0 ? t('terminal.noMatch') : t('recordings.matches', { count: matches.length }))}
      </SearchBar>
      {gap && <p className="warning-note">{t('recordings.gap')}</p>}
      <Button type="link" className={css.asText} aria-expanded={asText} onClick={() => setAsText(!asText)}>
        {t('recordings.asText')}
      </Button>
      {asText && (
        // A region that scrolls can be reached with the keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        <section className={css.text} aria-label={t('recordings.asText')} tabIndex={0}>
          {text.text.length > MOST_TEXT && <p className="quiet">{t('recordings.textEnd')}</p>}
          <pre>{text.text.slice(-MOST_TEXT)}</pre>
        </section>
      )}
    </div>
  );
}

/** The largest font with which all columns fit. */
function fittingFont(width: number, cols: number): number {
  const fitting = Math.floor(width / cols / 0.61);
  return Math.min(FONT.usual, Math.max(FONT.least, fitting));
}

/** The selected text, or the whole screen. */
function shownText(terminal: Terminal | null): string {
  if (!terminal) return '';
  if (terminal.hasSelection()) return terminal.getSelection();
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: terminal.rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}
