import { afterEach, describe, expect, test } from 'vitest';
import { type Bus, NoResponder, RequestTimeout } from '../platform/bus/bus.ts';
import { soon } from './within.ts';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    [subject: `test.${string}`]: unknown;
  }
  interface BusRequests {
    [subject: `test.${string}`]: { request: unknown; answer: unknown };
  }
}

/** An installation for the suite: two nodes on one bus. A driver for a single process uses one bus for both. */
export interface BusNodes {
  one: Bus;
  other: Bus;
  /** resolves once the other node receives everything subscribed or served so far */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The requirements for every driver of the bus. `onError` receives the errors of listeners. */
export function busContract(
  name: string,
  open: (onError: (error: unknown, subject: string) => void) => Promise<BusNodes>,
) {
  describe(`the ${name} bus`, () => {
    const errors: [string, unknown][] = [];
    const opened: BusNodes[] = [];
    const nodes = async () => {
      const bus = await open((error, subject) => errors.push([subject, error]));
      opened.push(bus);
      return bus;
    };
    afterEach(async () => {
      errors.length = 0;
      for (const bus of opened.splice(0)) await bus.close();
    });
    /** Subscribes, and returns the next messages one by one. */
    const inbox = (bus: Bus, subject: `test.${string}`) => {
      const received: unknown[] = [];
      const waiting: ((message: unknown) => void)[] = [];
      const stop = bus.subscribe(subject, (message) => {
        const first = waiting.shift();
        if (first) first(message);
        else received.push(message);
      });
      const next = () =>
        soon(
          `a message on ${subject}`,
          received.length > 0 ? Promise.resolve(received.shift()) : new Promise((resolve) => waiting.push(resolve)),
        );
      return { next, stop, received };
    };

    test('sends a message to every subscriber of exactly this subject, on both nodes', async () => {
      const { one, other, settled } = await nodes();
      const [here, there, longer] = [inbox(one, 'test.a'), inbox(other, 'test.a'), inbox(one, 'test.a.b')];
      await settled();
      other.publish('test.a', { text: 'hello', list: [1, null, true] });
      other.publish('test.a.b', 'end');
      expect(await longer.next()).toBe('end');
      for (const box of [here, there]) expect(await box.next()).toEqual({ text: 'hello', list: [1, null, true] });
      expect(longer.received).toEqual([]);
    });

    test('keeps the order of one publisher', async () => {
      const { one, other, settled } = await nodes();
      const box = inbox(other, 'test.order');
      await settled();
      for (let index = 0; index < 100; index += 1) one.publish('test.order', index);
      for (let index = 0; index < 100; index += 1) expect(await box.next()).toBe(index);
    });

    test('gives each subscriber a copy: what the publisher or another one changes does not reach it', async () => {
      const { one, settled } = await nodes();
      const [first, second] = [inbox(one, 'test.copy'), inbox(one, 'test.copy')];
      await settled();
      const message = { values: [1] };
      one.publish('test.copy', message);
      message.values.push(2);
      const received = (await first.next()) as typeof message;
      received.values.push(3);
      expect(await second.next()).toEqual({ values: [1] });
    });

    test('publishes without a subscriber, and sends nothing after a subscription has ended', async () => {
      const { one, other, settled } = await nodes();
      one.publish('test.nobody', 1);
      const [ended, kept] = [inbox(other, 'test.end'), inbox(other, 'test.end')];
      await settled();
      ended.stop();
      await settled();
      one.publish('test.end', 1);
      expect(await kept.next()).toBe(1);
      expect(ended.received).toEqual([]);
    });

    test('reports a listener that throws; the others still receive the message', async () => {
      const { one, settled } = await nodes();
      one.subscribe('test.throws', () => {
        throw new Error('broken listener');
      });
      const box = inbox(one, 'test.throws');
      await settled();
      one.publish('test.throws', 1);
      expect(await box.next()).toBe(1);
      expect(errors).toEqual([['test.throws', new Error('broken listener')]]);
    });

    test('answers a request on another node, and rejects with the error of the responder', async () => {
      const { one, other, settled } = await nodes();
      one.serve('test.double', async (request) => ({ twice: 2 * (request as number) }));
      one.serve('test.fails', () => Promise.reject(new Error('refused')));
      await settled();
      expect(await other.request('test.double', 21, 5_000)).toEqual({ twice: 42 });
      await expect(other.request('test.fails', null, 5_000)).rejects.toThrow('refused');
    });

    test('distinguishes a missing responder from a slow one', async () => {
      const { one, other, settled } = await nodes();
      await expect(one.request('test.absent', 1, 5_000)).rejects.toBeInstanceOf(NoResponder);
      const stop = other.serve('test.slow', () => new Promise(() => undefined));
      await settled();
      await expect(one.request('test.slow', 1, 20)).rejects.toBeInstanceOf(RequestTimeout);
      stop();
      await settled();
      await expect(one.request('test.slow', 1, 5_000)).rejects.toBeInstanceOf(NoResponder);
    });

    test('a later responder takes over, and the end of the earlier one does not end it', async () => {
      const { one, settled } = await nodes();
      const stop = one.serve('test.taken', async () => 'first');
      one.serve('test.taken', async () => 'second');
      await settled();
      stop();
      await settled();
      expect(await one.request('test.taken', null, 5_000)).toBe('second');
    });
  });
}
