import type { Crash } from '../../platform/config/run-record.ts';
import type { RecordedError } from './error-recorder.ts';

/** A crash of the server as an error of the time when it was last seen. */
export function errorOfCrash({ version, startedAt, lastSeenAt, memoryMb, error }: Crash): RecordedError {
  return {
    ...{ source: 'server', version, at: lastSeenAt },
    name: error?.name ?? 'ServerKilled',
    message: error
      ? `The server crashed: ${error.message}`
      : 'The server ended without stopping: it was killed, ran out of memory, or lost power',
    stack: error?.stack ?? null,
    occurrence: {
      ...{ requestId: null, userName: null, deviceId: null, path: null, userAgent: null, address: null },
      details: {
        startedAt: startedAt.toISOString(),
        lastHeartbeat: lastSeenAt.toISOString(),
        uptime: lasted(lastSeenAt.getTime() - startedAt.getTime()),
        memory: `${memoryMb} MB`,
      },
    },
  };
}

/** A duration as `26:03:09`. */
function lasted(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
