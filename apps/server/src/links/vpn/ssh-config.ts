/** The name of the device in the configuration, and the only host that its key reaches. */
export const DEVICE_HOST = 'device';

export interface SshConfigFacts {
  /** the name of the product, on one line */
  product: string;
  linkId: number;
  /** the SSH server for the users' computers */
  server: { host: string; port: number; hostKeys: readonly string[] };
  user: string;
  /** in the format of OpenSSH */
  privateKey: string;
  /** the port of the device */
  port: number;
  until: Date;
}

/**
 * The files with which OpenSSH 8.1 or later reaches a device, in a folder of their own. The paths in them are relative to
 * the folder in which `ssh` runs, so that they are the same on all systems.
 */
export function sshConfig({ product, linkId, server, user, privateKey, port, until }: SshConfigFacts) {
  const config = `# ${product}: link ${linkId}, until ${until.toISOString()}
# Run in this folder: ssh -F config USER@${DEVICE_HOST}

Host gateway
  HostName ${server.host}
  Port ${server.port}
  User ${user}
  IdentityFile key
  IdentitiesOnly yes
  IdentityAgent none
  PreferredAuthentications publickey
  HostKeyAlias chargehand
  StrictHostKeyChecking yes

Host ${DEVICE_HOST}
  HostName ${DEVICE_HOST}
  Port ${port}
  ProxyJump gateway
  HostKeyAlias ${DEVICE_HOST}
  StrictHostKeyChecking accept-new

Host *
  UserKnownHostsFile known_hosts
  ConnectTimeout 20
  ServerAliveInterval 15
  ServerAliveCountMax 3
`;
  return {
    folder: `chargehand-${linkId}`,
    files: [
      { name: 'config', text: config, private: false },
      { name: 'key', text: privateKey.endsWith('\n') ? privateKey : `${privateKey}\n`, private: true },
      { name: 'known_hosts', text: server.hostKeys.map((key) => `chargehand ${key}\n`).join(''), private: false },
    ],
  };
}
