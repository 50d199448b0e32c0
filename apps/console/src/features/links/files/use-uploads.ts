import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { type FilePlace, uploadFile } from './upload-file.ts';

/** Uploads at a time. The server accepts four transfers of a terminal. */
const AT_A_TIME = 2;
/** `deviceFileExists` */
const EXISTS = 11546;

export interface Upload {
  key: number;
  file: File;
  path: string;
  replace: boolean;
  sent: number;
  /** `waiting`: the connection was lost; `exists`: the user decides whether the file is replaced */
  state: 'queued' | 'sending' | 'waiting' | 'exists' | 'done' | 'failed';
  problem: string | null;
  cancel: AbortController;
}

/** The uploads of a terminal. They end when it is closed. */
export function useUploads(place: FilePlace, onDone: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const current = useRef(uploads);
  current.current = uploads;
  const keys = useRef(0);
  const running = useRef(new Set<number>());
  const change = (key: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...values } : one)));

  const next = uploads.filter(({ state }) => state === 'queued');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next upload starts when another one ends
  useEffect(() => {
    for (const upload of next) {
      if (running.current.size >= AT_A_TIME) return;
      if (!running.current.has(upload.key)) void run(upload);
    }
  }, [uploads]);
  useEffect(
    () => () => {
      for (const { cancel } of current.current) cancel.abort();
    },
    [],
  );

  async function run({ key, file, path, replace, cancel }: Upload): Promise<void> {
    running.current.add(key);
    change(key, { state: 'sending' });
    try {
      await uploadFile(file, {
        ...{ ...place, path, replace, signal: cancel.signal },
        onProgress: (sent, waiting) =>
          change(key, { state: waiting ? 'waiting' : 'sending', ...(sent < 0 ? {} : { sent }) }),
      });
      running.current.delete(key);
      change(key, { state: 'done', sent: file.size });
      onDone();
    } catch (error) {
      running.current.delete(key);
      if (cancel.signal.aborted) setUploads((all) => all.filter((one) => one.key !== key));
      else if (error instanceof ApiProblem && error.code === EXISTS) change(key, { state: 'exists' });
      else change(key, { state: 'failed', problem: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    uploads,
    add(files: Iterable<File>, pathOf: (file: File) => string): void {
      const added = [...files].map((file): Upload => {
        keys.current += 1;
        const values = { replace: false, sent: 0, state: 'queued', problem: null } as const;
        return { key: keys.current, file, path: pathOf(file), ...values, cancel: new AbortController() };
      });
      setUploads((all) => [...all, ...added]);
    },
    replace: (key: number) => change(key, { replace: true, state: 'queued' }),
    /** Cancels an upload, or removes it from the list. */
    remove(upload: Upload): void {
      upload.cancel.abort();
      if (!running.current.has(upload.key)) setUploads((all) => all.filter(({ key }) => key !== upload.key));
    },
  };
}
