import { type Bus, NoResponder, RequestTimeout } from './bus.ts';

/**
 * The bus of a single process. When a listener throws, the error goes to `onError`, and the others still receive the
 * message.
 */
export function localBus(
  onError: (error: unknown, subject: string) => void,
): Bus & { serves(subject: string): boolean } {
  const listeners = new Map<string, Set<(message: never) => void>>();
  const responders = new Map<string, (request: never) => Promise<unknown>>();
  const bus: ReturnType<typeof localBus> = {
    publishHere: (subject, message) => bus.publish(subject, message),
    publish(subject, message) {
      const subscribers = listeners.get(subject);
      if (!subscribers?.size) return;
      const copy = JSON.stringify(message);
      for (const listener of [...subscribers]) {
        queueMicrotask(() => {
          try {
            listener(JSON.parse(copy) as never);
          } catch (error) {
            onError(error, subject);
          }
        });
      }
    },
    subscribe(subject, listener) {
      const set = listeners.get(subject) ?? new Set();
      listeners.set(subject, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(subject) === set) listeners.delete(subject);
      };
    },
    serve(subject, responder) {
      responders.set(subject, responder);
      return () => {
        if (responders.get(subject) === responder) responders.delete(subject);
      };
    },
    serves: (subject) => responders.has(subject),
    // Nothing is lost within a process.
    onGap: () => () => undefined,
    offsetMs: () => 0,
    async request(subject, request, timeoutMs) {
      const responder = responders.get(subject);
      if (!responder) throw new NoResponder(subject);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RequestTimeout(subject, timeoutMs)), timeoutMs);
      });
      try {
        const answer = await Promise.race([responder(copyOf(request) as never), late]);
        return copyOf(answer) as never;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      listeners.clear();
      responders.clear();
    },
  };
  return bus;
}

/** A copy as a network connection would make it. */
function copyOf<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
