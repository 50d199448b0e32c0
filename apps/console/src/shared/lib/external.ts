import { useSyncExternalStore } from 'react';

/** A value outside React that notifies its readers of changes. */
export interface External<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function external<T>(initial: T): External<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value in a component, which renders again when it changes. */
export function useExternal<T>(store: Pick<External<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
