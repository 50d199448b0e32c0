/** Path of s3cmd, installed now if need be. */
export function requireS3cmd(): string;
export function requireLftp(): string;
export function requireMosquitto(): void;
