import { afterEach, describe, expect, test } from 'vitest';
import { type Bus, NoResponder, RequestTimeout } from '../../platform/bus/bus.ts';
import { soon } from '../within.ts';

declare module '../../platform/bus/bus.ts' {
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
  /** what can only happen between processes; null for a driver within one */
  faults: BusFaults | null;
}

export interface BusFaults {
  /** Breaks the connection of the other node. It connects again by itself. */
  loseOther(): Promise<void>;
  /** Ends the other node as kill -9 does; resolves once the bus can know. */
  killOther(): Promise<void>;
  /** Lets the other node receive nothing, as SIGSTOP does, until the returned function is called. */
  freezeOther(): () => void;
}

/** The requirements for every driver of the bus. `onError` receives the errors of listeners. */
export function busContract(
  name: string,
  open: (onError: (error: unknown, subject: string) => void) => Promise<BusNodes>,
  { hasFaults }: { hasFaults: boolean },
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

    test('identical messages are as many messages', async () => {
      const { one, other, settled } = await nodes();
      const box = inbox(other, 'test.same');
      await settled();
      for (let time = 0; time < 5; time += 1) one.publish('test.same', 'again');
      one.publish('test.same', 'end');
      for (let time = 0; time < 5; time += 1) expect(await box.next()).toBe('again');
      expect(await box.next()).toBe('end');
    });

    test('messages, requests and answers of any size arrive, in order', async () => {
      const { one, other, settled } = await nodes();
      const box = inbox(other, 'test.large');
      other.serve('test.echo', async (request) => request);
      await settled();
      const texts = [7_990, 1, 8_100, 1_200_000, 3].map((size, index) => `${index}"\\é\u{1F50C}`.repeat(size / 8 + 1));
      for (const text of texts) one.publish('test.large', text);
      for (const text of texts) expect((await box.next()) === text).toBe(true);
      expect((await one.request('test.echo', texts[3], 20_000)) === texts[3]).toBe(true);
    });

    test('of two nodes that serve a subject, one executes a request: the one that received it, if it serves', async () => {
      const { one, other, settled } = await nodes();
      const executed: string[] = [];
      const serve = (bus: Bus, where: string) =>
        bus.serve('test.both', async () => {
          executed.push(where);
          return where;
        });
      const stop = serve(one, 'one');
      serve(other, 'other');
      await settled();
      const answers = [await other.request('test.both', null, 5_000), await other.request('test.both', null, 5_000)];
      expect(answers).toEqual(['other', 'other']);
      expect(executed).toEqual(answers);
      stop();
      await settled();
      expect(await one.request('test.both', null, 5_000)).toBe('other');
    });

    test('an answer after the timeout is dropped, and the next request gets its own answer', async () => {
      const { one, other, settled } = await nodes();
      const first = Promise.withResolvers<string>();
      const wanted = [first.promise, Promise.resolve('second')];
      other.serve('test.late', () => wanted.shift()!);
      await settled();
      await expect(one.request('test.late', null, 30)).rejects.toBeInstanceOf(RequestTimeout);
      first.resolve('first');
      expect(await one.request('test.late', null, 5_000)).toBe('second');
    });

    test.runIf(hasFaults)('after a lost connection the node learns of it, and everything works again', async () => {
      const { one, other, settled, faults } = await nodes();
      const gap = Promise.withResolvers<void>();
      const box = inbox(other, 'test.lost');
      other.serve('test.lost.served', async () => 'here');
      other.onGap(gap.resolve);
      await settled();
      await faults!.loseOther();
      await soon('a gap', gap.promise);
      one.publish('test.lost', 1);
      expect(await box.next()).toBe(1);
      expect(await one.request('test.lost.served', null, 5_000)).toBe('here');
    });

    test.runIf(hasFaults)(
      'a killed node is no responder, and a frozen one does not execute what nobody waits for',
      async () => {
        const { one, other, settled, faults } = await nodes();
        let executed = 0;
        other.serve('test.frozen', async () => {
          executed += 1;
          return 'done';
        });
        await settled();
        const thaw = faults!.freezeOther();
        // Whether it was executed is known: it was not.
        await expect(one.request('test.frozen', null, 100)).rejects.toBeInstanceOf(NoResponder);
        thaw();
        expect(await one.request('test.frozen', null, 5_000)).toBe('done');
        expect(executed).toBe(1);
        await faults!.killOther();
        await expect(one.request('test.frozen', null, 5_000)).rejects.toBeInstanceOf(NoResponder);
      },
    );
  });
}
