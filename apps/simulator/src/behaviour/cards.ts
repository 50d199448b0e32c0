/** The cards of regular drivers. Seven of ten drivers have one of them; the demo adds them as tokens. */
export const REGULAR_CARDS: readonly string[] = Array.from({ length: 24 }, (_, index) =>
  (0x04a2c100 + index * 0x1d).toString(16).toUpperCase().padStart(8, '0'),
);
