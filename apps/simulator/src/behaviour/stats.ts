/** Counters of a fleet since its start, over all its charge points. */
export interface FleetStats {
  /** Sockets opened. */
  connects: number;
  /** Connection attempts that did not end in an open socket. */
  refusedConnects: number;
  /** Open sockets that closed, for any reason. */
  disconnects: number;
  /** CALLs sent, including repetitions. */
  sent: number;
  /** CALLRESULTs received for them. */
  answered: number;
  /** CALLERRORs received for them. */
  callErrors: number;
  /** CALLs without a response in time. */
  timeouts: number;
  /** CALLs received from the central system. */
  received: number;
  /** Received frames that were not readable or did not belong to a CALL. */
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
