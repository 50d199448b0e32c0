import type { CodeEntry } from '../operations/message.ts';

/** Problems with the files of a device in a terminal. */
export const LINK_FILE_CODES = {
  deviceWithoutSftp: {
    code: 11541,
    en: 'The SSH server of the device does not offer file transfer (SFTP). Install its SFTP server, for example the package openssh-sftp-server.',
    zh: '设备的 SSH 服务不支持文件传输（SFTP），请在设备上安装 SFTP 服务，例如 openssh-sftp-server 软件包。',
  },
  deviceFileMissing: {
    code: 11542,
    en: 'The device has no file or folder {path}.',
    zh: '设备上不存在文件或文件夹 {path}。',
  },
  deviceFileDenied: {
    code: 11543,
    en: 'This user of the device has no permission for {path}.',
    zh: '设备的当前用户无权访问 {path}。',
  },
  deviceFileFailed: {
    code: 11544,
    en: 'The device could not do this with {path}.',
    zh: '设备未能对 {path} 执行该操作。',
  },
  deviceDiskFull: {
    code: 11545,
    en: 'The device has only {free} of free space.',
    zh: '设备的可用空间仅剩 {free}。',
  },
  deviceFileExists: {
    code: 11546,
    en: 'The device already has a file {path}.',
    zh: '设备上已存在文件 {path}。',
  },
  deviceNotFile: {
    code: 11547,
    en: '{path} is not a file.',
    zh: '{path} 不是文件。',
  },
  deviceTransfersFull: {
    code: 11548,
    en: 'This terminal already transfers {most} files. Wait until one of them is complete.',
    zh: '该终端正在传输 {most} 个文件，请等待其中一个完成。',
  },
  deviceUploadPart: {
    code: 11549,
    en: 'This part does not continue the upload. Continue at the position that the server reports.',
    zh: '该分片与上传进度不连续，请从服务器返回的位置继续。',
  },
  deviceTransferUnrecorded: {
    code: 11514,
    en: 'The transfer cannot be recorded at the moment, so it was not started. Try again.',
    zh: '当前无法记录该文件传输，因此未开始，请稍后重试。',
  },
} as const satisfies Record<string, CodeEntry>;
