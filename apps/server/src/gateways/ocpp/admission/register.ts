import type { Bus, Stop } from '../../../platform/bus/bus.ts';
import type { SendResult } from '../../../ports/devices/device-link.ts';
import { type DeviceRequest, deviceSubject } from '../../bus-device-link.ts';
import { publishOpened, subscribeOpened } from '../../opened.ts';
import type { Session } from '../connection/session.ts';

export interface SessionRegister {
  /** Adds a new connection. It replaces an older connection of the same device in any gateway. */
  add(session: Session): void;
  remove(session: Session): void;
  sessions(): Iterable<Session>;
  readonly size: number;
  close(): void;
}

/** The reason that is sent to the device and stored when we close its connection on purpose. */
const DISCONNECT_DETAILS: Readonly<Record<string, string>> = {
  deviceDisabled: 'the device was disabled',
  deviceRemoved: 'the device was removed',
  credentialsChanged: 'the password was changed',
};

/** The open connections. Each one responds on the bus for its device. `reload` reads its device again. */
export function sessionRegister(bus: Bus, reload: (session: Session) => Promise<void>): SessionRegister {
  const sessions = new Map<number, { session: Session; stopServing: Stop }>();

  const replace = (session: Session) => session.end('replaced', 'the device opened a newer connection', 1000);

  const unsubscribe = subscribeOpened(bus, (deviceId) => sessions.get(deviceId)?.session ?? null, replace);

  return {
    add(session) {
      const { deviceId } = session;
      const former = sessions.get(deviceId);
      former?.stopServing();
      const stopServing = bus.serve(deviceSubject(deviceId), (request) => respond(session, request, reload));
      sessions.set(deviceId, { session, stopServing });
      if (former) replace(former.session);
      publishOpened(bus, deviceId, session);
    },
    remove(session) {
      const entry = sessions.get(session.deviceId);
      if (entry?.session !== session) return;
      entry.stopServing();
      sessions.delete(session.deviceId);
    },
    sessions: () => [...sessions.values()].map((entry) => entry.session),
    get size() {
      return sessions.size;
    },
    close: unsubscribe,
  };
}

/** Responds to the requests of `busDeviceLink`. */
async function respond(
  session: Session,
  request: DeviceRequest,
  reload: (session: Session) => Promise<void>,
): Promise<SendResult | null> {
  if (request.verb === 'execute') return session.execute(request.call);
  if (request.verb === 'reload') {
    await reload(session);
    return null;
  }
  session.end('authRejected', DISCONNECT_DETAILS[request.reason] ?? request.reason, 1008);
  return null;
}
