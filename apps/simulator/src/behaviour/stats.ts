/** What a fleet has done since its start, counted over all its charge points. */
export interface FleetStats {
  /** Sockets opened. */
  connects: number;
  /** Connection attempts that did not end in an open socket. */
  refusedConnects: number;
  /** Open sockets that closed, for whatever reason. */
  disconnects: number;
  /** CALLs sent, repetitions included. */
  sent: number;
  /** CALLRESULTs received for them. */
  answered: number;
  /** CALLERRORs received for them. */
  callErrors: number;
  /** CALLs without an answer in time. */
  timeouts: number;
  /** CALLs received from the central system. */
  received: number;
  /** Frames received that could not be read or that answered nothing. */
  strayFrames: number;
}

export function newStats(): FleetStats {
  return {
    connects: 0,
    refusedConnects: 0,
    disconnects: 0,
    sent: 0,
    answered: 0,
    callErrors: 0,
    timeouts: 0,
    received: 0,
    strayFrames: 0,
  };
}
