/** Some work of a server: a document of 400 kB as JSON. */
const DOCUMENT = JSON.stringify(
  Array.from({ length: 5_000 }, (_, at) => ({ id: at, name: `row ${at}`, tags: ['a', 'b', String(at)] })),
);
/** How often the work is done for one measurement: often enough for the resolution of the thread's clock (4 ms). */
const TIMES = 10;
/** The CPU time of one measurement on the machine for which the limits in milliseconds were chosen. */
const REFERENCE_MS = 45;
/** The least of so many measurements counts, because other work on the machine only makes them longer. */
const MEASUREMENTS = 3;

/**
 * How much slower than the reference machine this one is at the moment; at least 1. A virtual machine whose host is busy
 * counts the time that it does not get as CPU time of its threads, so a limit in milliseconds means something only
 * together with a known amount of work, measured at the same time.
 */
export function slowness(): number {
  const measured = Array.from({ length: MEASUREMENTS }, () => {
    const before = process.threadCpuUsage();
    for (let time = 0; time < TIMES; time += 1) JSON.stringify(JSON.parse(DOCUMENT));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.max(1, Math.min(...measured) / REFERENCE_MS);
}
