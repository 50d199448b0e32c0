/** Some known work, and the CPU time that it takes on the machine for which the limits in milliseconds were chosen. */
interface Reference {
  ms: number;
  /** Long enough for the resolution of the thread's clock (4 ms). */
  work(): void;
}

/** Some work of a server: a document of 400 kB as JSON. */
const DOCUMENT = JSON.stringify(
  Array.from({ length: 5_000 }, (_, at) => ({ id: at, name: `row ${at}`, tags: ['a', 'b', String(at)] })),
);
/** What arrives from a socket at once. */
const CHUNKS = Array<Buffer>(128).fill(Buffer.alloc(64 * 1024, 1));

const REFERENCES: Reference[] = [
  {
    ms: 45,
    work() {
      for (let time = 0; time < 10; time += 1) JSON.stringify(JSON.parse(DOCUMENT));
    },
  },
  // New memory is slow on some virtual machines, and for large bodies it is most of the work.
  { ms: 65, work: () => void [Buffer.concat(CHUNKS), Buffer.concat(CHUNKS)] },
];
/** The least of so many measurements counts, because other work on the machine only makes them longer. */
const MEASUREMENTS = 3;

/**
 * How much slower than the reference machine this one is at the moment; at least 1. A virtual machine whose host is busy
 * counts the time that it does not get as CPU time of its threads, so a limit in milliseconds means something only
 * together with a known amount of work, measured at the same time.
 */
export function slowness(): number {
  return Math.max(1, ...REFERENCES.map(({ ms, work }) => leastTime(work) / ms));
}

/** The least CPU time of some work. Milliseconds. */
function leastTime(work: () => void): number {
  const measured = Array.from({ length: MEASUREMENTS }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...measured);
}
