import { type FtpFolder, FtpRefusal, type FtpSignIn } from '../../platform/ftp/port.ts';
import { S3Problem } from '../../platform/objects/protocol/problem.ts';
import { ftpUserOf } from '../transfer-calls.service.ts';
import { type DeliveriesService, DeliveryRefused, type Fault } from './deliveries.service.ts';

/** The messages for devices, by RFC 959 §4.2. */
const ANSWERS: Readonly<Record<Fault, [code: number, text: string]>> = {
  unknown: [530, 'Wrong user name or password.'],
  over: [550, 'The credential was used already or has expired.'],
  busy: [450, 'An upload is already running.'],
  tooLarge: [552, 'The file is too large.'],
  empty: [554, 'The file is empty.'],
  direction: [550, 'This account does not allow this command.'],
};

/** The folder of a transfer for its device: with the firmware file in it, or empty and ready for a log. */
export function ftpFolders(deliveries: DeliveriesService): FtpSignIn {
  return async (user, password) => {
    try {
      const delivery = await deliveries.open(password, 'ftp');
      if (user !== ftpUserOf(delivery.id)) return null;
      return delivery.kind === 'log' ? logFolder(deliveries, password) : await firmwareFolder(deliveries, password);
    } catch (error) {
      if (error instanceof DeliveryRefused) return null;
      throw error;
    }
  };
}

async function firmwareFolder(deliveries: DeliveriesService, credential: string): Promise<FtpFolder> {
  const { size, fileName, delivery } = await deliveries.firmware(credential, 'ftp');
  // Checked each time: the credential may have expired since the sign-in.
  const present = () => translated(deliveries.firmware(credential, 'ftp'));
  return {
    file: { name: fileName, size, modifiedAt: delivery.askedAt },
    read: async (first) => await translated(deliveries.read(await present(), { first, last: size - 1 })),
    delivered: () => deliveries.delivered({ delivery, size, fileName }),
    takes: false,
    write: async () => {
      throw new FtpRefusal(...ANSWERS.direction);
    },
  };
}

function logFolder(deliveries: DeliveriesService, credential: string): FtpFolder {
  return {
    file: null,
    read: async () => null,
    delivered: async () => undefined,
    takes: true,
    write: async (name, chunks) => {
      const delivery = await translated(deliveries.open(credential, 'ftp'));
      await translated(deliveries.receive(delivery, name, chunks));
    },
  };
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DeliveryRefused) throw new FtpRefusal(...ANSWERS[error.fault]);
    if (error instanceof S3Problem && error.status === 507) throw new FtpRefusal(452, 'There is no space left.');
    throw error;
  }
}
