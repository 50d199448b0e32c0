import { asProblem, type OfficeFault } from './unpack.ts';

/** What a worker answers about a file. */
export type OfficeAnswer<T> = { value: T } | { fault: OfficeFault };

/** Answers each message to this worker, which is a file, with what is shown of it. */
export function answerFiles<T>(read: (file: ArrayBuffer) => Promise<T>): void {
  addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
    const answer = (value: OfficeAnswer<T>) => (postMessage as (message: unknown) => void)(value);
    read(data).then(
      (value) => answer({ value }),
      (error: unknown) => answer({ fault: asProblem(error).fault }),
    );
  });
}
