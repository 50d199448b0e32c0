/** Path of s3cmd, installed if necessary. */
export function requireS3cmd(): string;
export function requireLftp(): string;
export function requireMosquitto(): void;
export function requirePromtool(): string;
/** Path of Firefox, installed if necessary. */
export function requireFirefox(): string;
