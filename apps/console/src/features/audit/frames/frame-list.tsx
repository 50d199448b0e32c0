import type { ProtocolFrameRow } from '@chargehand/contract';
import { FRAME_TYPES } from '@chargehand/contract/constants';
import { formatSpan, formatTime } from '@chargehand/domain';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError, type Pair } from './frames.ts';
import css from './protocol.module.css';

/** The row height in px; protocol.css uses the same value. */
const ROW = 26;
const OVERSCAN = 12;

export type FrameTypeName = keyof typeof FRAME_TYPES;

interface Props {
  /** newest first */
  frames: readonly ProtocolFrameRow[];
  pairs: ReadonlyMap<number, Pair>;
  chosenId: number | null;
  narrow: boolean;
  /** the device of each frame, in a list of several devices; request and response are one row there */
  deviceOf?: ((frame: ProtocolFrameRow) => { sn: string; other: ProtocolFrameRow | undefined }) | undefined;
  busy: boolean;
  onChoose(id: number): void;
  /** opens a frame by a click or Enter; without it, choosing shows it */
  onOpen?: ((id: number) => void) | undefined;
  /** called when the end comes into view: older frames are needed */
  onEnd(): void;
}

/**
 * A virtual list of frames with rows of equal height. When the user has scrolled down, new frames at the top do not
 * move the visible ones.
 */
export function FrameList({ frames, pairs, chosenId, narrow, deviceOf, busy, onChoose, onOpen, onEnd }: Props) {
  const { t } = useTranslation('audit');
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const newest = useRef(frames[0]?.id);

  useLayoutEffect(() => {
    const newCount = newest.current === undefined ? 0 : frames.findIndex(({ id }) => id === newest.current);
    newest.current = frames[0]?.id;
    if (newCount > 0 && box.current && box.current.scrollTop > ROW) box.current.scrollTop += newCount * ROW;
  }, [frames]);
  useEffect(() => {
    if (box.current) setScroll({ top: box.current.scrollTop, height: box.current.clientHeight });
  }, []);

  const first = Math.max(0, Math.floor(scroll.top / ROW) - OVERSCAN);
  const last = Math.min(frames.length, Math.ceil((scroll.top + scroll.height) / ROW) + OVERSCAN);
  const chosenIndex = frames.findIndex(({ id }) => id === chosenId);

  function walk(event: KeyboardEvent) {
    if (event.key === 'Enter' && onOpen && chosenId !== null) return onOpen(chosenId);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }[event.key];
    if (step === undefined || !box.current) return;
    event.preventDefault();
    const next = Math.min(frames.length - 1, Math.max(0, chosenIndex < 0 ? 0 : chosenIndex + step));
    onChoose(frames[next]!.id);
    const { scrollTop, clientHeight } = box.current;
    if (next * ROW < scrollTop) box.current.scrollTop = next * ROW;
    else if ((next + 1) * ROW > scrollTop + clientHeight) box.current.scrollTop = (next + 1) * ROW - clientHeight;
  }

  return (
    <div
      ref={box}
      className="frames"
      role="listbox"
      aria-label={t('frame.title')}
      aria-activedescendant={chosenIndex >= 0 ? `frame-${chosenId}` : undefined}
      tabIndex={0}
      onKeyDown={walk}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        setScroll({ top: scrollTop, height: clientHeight });
        if (scrollTop + clientHeight > scrollHeight - 20 * ROW) onEnd();
      }}
    >
      <div className={css.framesSpace} style={{ height: frames.length * ROW + (busy ? ROW : 0) }}>
        {frames.slice(first, last).map((frame, index) => (
          <FrameRow
            key={frame.id}
            frame={frame}
            pair={pairs.get(frame.id)}
            chosen={frame.id === chosenId}
            paired={chosenId !== null && pairs.get(frame.id)?.otherId === chosenId}
            narrow={narrow}
            device={deviceOf?.(frame)}
            top={(first + index) * ROW}
            onChoose={(id) => {
              onChoose(id);
              onOpen?.(id);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  frame: ProtocolFrameRow;
  pair: Pair | undefined;
  chosen: boolean;
  /** the counterpart of the selected frame */
  paired: boolean;
  narrow: boolean;
  device: { sn: string; other: ProtocolFrameRow | undefined } | undefined;
  top: number;
  onChoose(id: number): void;
}

function FrameRow({ frame, pair, chosen, paired, narrow, device, top, onChoose }: RowProps) {
  const { t } = useTranslation('audit');
  const type = typeName(frame.type);
  const error = isCallError(frame) || (device?.other !== undefined && isCallError(device.other));
  const isAnswered = pair !== undefined && (device?.other !== undefined || frame.id > pair.otherId);
  const ms = device?.other ? Math.max(0, Date.parse(device.other.at) - Date.parse(frame.at)) : (pair?.ms ?? null);
  return (
    <button
      type="button"
      tabIndex={-1}
      id={`frame-${frame.id}`}
      className={css.frameRow}
      role="option"
      aria-selected={chosen}
      data-chosen={chosen}
      data-paired={paired}
      data-error={error}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onChoose(frame.id)}
    >
      <span className={css.frameTime}>{`${otherDay(frame.at)}${clockOf(frame.at)}`}</span>
      {device && <span className={css.frameDevice}>{device.sn}</span>}
      <FrameMark type={type} />
      <span className={css.frameAction}>
        {frame.action ?? pair?.action ?? (type === 'open' || type === 'close' ? t(`frame.connection.${type}`) : '')}
        {isAnswered && <span className="quiet">{` ${error ? 'CALLERROR' : '✓'}`}</span>}
      </span>
      <span className={css.frameBody}>{frame.body ?? ''}</span>
      {frame.note && (
        <span className={css.frameNote} title={frame.note}>
          {frame.note}
        </span>
      )}
      {!narrow && <span className={css.frameMs}>{isAnswered && ms !== null ? formatSpan(ms) : ''}</span>}
    </button>
  );
}

/** The name of a frame's type (spec §3, protocol data types). */
export function typeName(type: number): FrameTypeName {
  const names = Object.keys(FRAME_TYPES) as FrameTypeName[];
  return names.find((name) => FRAME_TYPES[name] === type) ?? 'receive';
}

const ARROWS: Record<FrameTypeName, string> = { open: '●', close: '○', receive: '→', send: '←' };

/** The direction of a frame, from the perspective of the server: received from the device or sent to it. */
export function FrameMark({ type }: { type: FrameTypeName }) {
  const { t } = useTranslation('audit');
  return (
    <span className={`${css.frameMark} frame-mark-${type}`}>
      <span aria-hidden="true">{ARROWS[type]}</span> {t(`frame.types.${type}`)}
    </span>
  );
}

/** The day of a time that is not today, as `11-26 `. */
function otherDay(at: string): string {
  const day = formatTime(at).slice(0, 10);
  return day === formatTime(Date.now()).slice(0, 10) ? '' : `${day.slice(5)} `;
}

/** The time of day with milliseconds. */
export function clockOf(at: string): string {
  return `${formatTime(at).slice(11)}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`;
}
