/** The subject on which the end of a session is announced; the message is `{ code }`, one of 20001-20004 (spec §4). */
export function sessionEnded(sessionId: string): string {
  return `session.${sessionId}.ended`;
}
