/** Work of several owners for a few places, none of which an owner can keep for itself. */
export interface FairQueue {
  /**
   * Runs a work when a place is free. Owners take turns, and one runs in at most its share of the places.
   * @throws {QueueFull} when the owner, or all together, have too many that wait, or a place is not free in time
   */
  run<T>(owner: string, work: (place: number) => Promise<T>): Promise<T>;
}

/** Too much other work is waiting. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/** What a queue allows. `share`: works of one owner that run at the same time. */
export interface FairQueueLimits {
  places: number;
  share: number;
  /** works of one owner, and of all, that wait */
  waiting: { owner: number; all: number };
  /** the longest time that a work waits */
  waitMs: number;
}

/** A queue in which each owner has a line of its own. */
export function fairQueue({ places, share, waiting, waitMs }: FairQueueLimits): FairQueue {
  const free = Array.from({ length: places }, (_, place) => places - 1 - place);
  const lines = new Map<string, ((place: number) => void)[]>();
  const running = new Map<string, number>();
  /** the last turn of each owner that has works */
  const served = new Map<string, number>();
  let turn = 0;
  let count = 0;

  const next = () => {
    for (let place = free.at(-1); place !== undefined; place = free.at(-1)) {
      const [owner] = [...lines.keys()]
        .filter((one) => (running.get(one) ?? 0) < share)
        .toSorted((one, other) => (served.get(one) ?? 0) - (served.get(other) ?? 0));
      if (owner === undefined) return;
      free.pop();
      running.set(owner, (running.get(owner) ?? 0) + 1);
      turn += 1;
      served.set(owner, turn);
      const line = lines.get(owner)!;
      const begin = line.shift()!;
      if (line.length === 0) lines.delete(owner);
      count -= 1;
      begin(place);
    }
  };

  const taken = (owner: string) =>
    new Promise<number>((resolve, reject) => {
      const line = lines.get(owner) ?? [];
      if (line.length >= waiting.owner || count >= waiting.all) return reject(new QueueFull());
      const begin = (place: number) => {
        clearTimeout(timer);
        resolve(place);
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) lines.delete(owner);
        count -= 1;
        reject(new QueueFull());
      }, waitMs);
      line.push(begin);
      lines.set(owner, line);
      count += 1;
      next();
    });

  return {
    async run(owner, work) {
      const place = await taken(owner);
      try {
        return await work(place);
      } finally {
        const left = (running.get(owner) ?? 1) - 1;
        if (left === 0) running.delete(owner);
        else running.set(owner, left);
        if (left === 0 && !lines.has(owner)) served.delete(owner);
        free.push(place);
        next();
      }
    },
  };
}
