/** What the user may be notified about. */
export interface NotifiedOf {
  kind: 'site' | 'issue';
  id: number;
  name: string;
}
