/** The folder of attachments in the main bucket: written and read only by the server. */
export const ATTACHMENT_FILES = 'attachments/';
