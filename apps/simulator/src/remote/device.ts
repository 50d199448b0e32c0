/** The user and password of the terminals of simulated devices. They are documented, so they protect nothing. */
export const SHELL_USER = 'demo';
export const SHELL_PASSWORD = 'demo';

/** What the terminal and the web page of a device show. */
export interface RemoteDevice {
  sn: string;
  model: string;
  firmware(): string;
  /** names and current values */
  status(): [name: string, value: string][];
  /** Restarts it after the links have ended. */
  reboot(): void;
}
