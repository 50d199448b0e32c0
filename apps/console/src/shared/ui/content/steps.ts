import { type DocumentContent, textOfContent, visit } from '@chargehand/domain';
import { createContext, useContext, useMemo, useState } from 'react';
import { useUser } from '../../session/use-user.ts';

/** Longest part of a step that identifies it. */
const KEY_LENGTH = 120;

/** The ticks of a reader. */
export interface Ticks {
  keyOf(item: object): string | undefined;
  done: ReadonlySet<string>;
  count: number;
  toggle(key: string): void;
  reset(): void;
}

const TicksContext = createContext<Ticks | null>(null);
export const TicksProvider = TicksContext.Provider;
/** The ticks of the page; null where steps cannot be ticked off. */
export const useTicks = (): Ticks | null => useContext(TicksContext);

/**
 * The steps that the user has ticked off in a document, stored in this browser. Steps are identified by their text, so
 * that ticks stay at their steps when a new version of the document adds others.
 */
export function useStoredTicks(content: DocumentContent, name: string): Ticks {
  const { user } = useUser();
  const place = `chargehand.steps.${user.id}.${name}`;
  const keys = useMemo(() => keysOf(content), [content]);
  const [stored, setStored] = useState(() => ({ place, done: read(place) }));
  // Another document in the same component has its own ticks.
  const done = stored.place === place ? stored.done : read(place);
  const change = (next: Set<string>) => {
    write(place, next);
    setStored({ place, done: next });
  };
  const existing = new Set(keys.values());
  return {
    keyOf: (item) => keys.get(item),
    done: new Set([...done].filter((key) => existing.has(key))),
    count: keys.size,
    toggle: (key) => change(new Set(done.has(key) ? [...done].filter((one) => one !== key) : [...done, key])),
    reset: () => change(new Set()),
  };
}

/** The key of each step: its text, and a number where the text occurs again. */
function keysOf(content: DocumentContent): Map<object, string> {
  const keys = new Map<object, string>();
  const used = new Map<string, number>();
  visit(content, (node) => {
    if (node.type !== 'taskItem') return;
    const text = (node.content?.[0] ? textOfContent(node.content[0]) : '').slice(0, KEY_LENGTH);
    const count = used.get(text) ?? 0;
    used.set(text, count + 1);
    keys.set(node, count === 0 ? text : `${text}#${count + 1}`);
  });
  return keys;
}

function read(place: string): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []);
  } catch (error) {
    console.warn('The ticked steps could not be read', error);
    return new Set();
  }
}

function write(place: string, done: ReadonlySet<string>): void {
  try {
    if (done.size === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify([...done]));
  } catch (error) {
    // A full or forbidden storage: the ticks last until the page is closed.
    console.warn('The ticked steps could not be stored', error);
  }
}
