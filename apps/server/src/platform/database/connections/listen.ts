import type pg from 'pg';
import type { Log } from '../../log.ts';

/** The delay before a lost connection is opened again. Milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Receives notifications of transactions on a channel (`pg_notify`) after their commit. Notifications during a lost
 * connection are not received, so `onNotification` is also called whenever listening restarts.
 */
export function listenTo(
  pool: pg.Pool,
  channel: string,
  options: { log: Log; onNotification(): void },
): { stop(): Promise<void> } {
  const { log, onNotification } = options;
  let leave: () => void = () => undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const client = await pool.connect();
    let left = false;
    const leaveThis = () => {
      if (left) return;
      left = true;
      client.release(true);
      again();
    };
    leave = leaveThis;
    client.on('error', leaveThis);
    client.on('end', leaveThis);
    client.on('notification', onNotification);
    if (stopped) return leaveThis();
    await client.query(`listen ${channel}`).catch((error: unknown) => {
      leaveThis();
      throw error;
    });
    onNotification();
  };
  const begin = () => {
    coming = connect().catch((error: unknown) => {
      log.debug({ err: error, channel }, 'not listening to the database; trying again');
      again();
    });
  };
  const again = () => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(begin, AGAIN_MS);
  };
  let coming: Promise<void> = Promise.resolve();
  begin();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await coming;
      leave();
    },
  };
}
