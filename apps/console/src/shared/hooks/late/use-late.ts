import { type ComponentType, useEffect, useState } from 'react';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** The loaded components by the function that loads them. */
const loaded = new WeakMap<object, ComponentType<never>>();

/**
 * A component in a chunk of its own that its page can do without; null until it was loaded. If that fails, the page stays
 * as it is, and the component is loaded when the page is opened again or the browser is online again.
 * @param load the same function each time
 */
export function useLate<P>(load: Load<P>): ComponentType<P> | null {
  const [component, setComponent] = useState(() => loaded.get(load) as ComponentType<P> | undefined);
  useEffect(() => {
    if (component) return;
    let left = false;
    async function start() {
      try {
        const found = (await load()).default;
        loaded.set(load, found as ComponentType<never>);
        if (!left) setComponent(() => found);
      } catch (error) {
        console.warn('A part of the page could not be loaded', error);
      }
    }
    void start();
    addEventListener('online', start);
    return () => {
      left = true;
      removeEventListener('online', start);
    };
  }, [component, load]);
  return component ?? null;
}
