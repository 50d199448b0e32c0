const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;

/** What a device may send to change or read what is outside of its terminal. `click` is a link, `shown` is text. */
export const HOSTILE_OUTPUT = [
  // Title of the window and its icon, also set and read with the stack of titles
  ...[`${ESC}]0;owned${BEL}`, `${ESC}]1;owned${ST}`, `${ESC}]2;owned${ST}`, `${ESC}[22;0t${ESC}[21t${ESC}[20t`],
  // Clipboard: write and read
  ...[`${ESC}]52;c;b3duZWQ=${BEL}`, `${ESC}]52;c;?${BEL}`],
  // Links, notifications, the folder
  `${ESC}]8;;https://evil.example/${BEL}click${ESC}]8;;${BEL}`,
  ...[`${ESC}]9;owned${BEL}`, `${ESC}]777;notify;owned;owned${BEL}`, `${ESC}]7;file://evil.example/${BEL}`],
  // Images: iTerm2, kitty and sixel
  `${ESC}]1337;File=inline=1:R0lGODlhAQABAAAAACwAAAAAAQABAAA=${BEL}`,
  ...[`${ESC}_Gf=24,s=1,v=1;AAAA${ST}`, `${ESC}Pq#0;2;0;0;0~~${ST}`],
  // Strings that some terminals repeat in their answer
  ...[`${ESC}P$qowned${ST}`, `${ESC}P+q6f776e6564${ST}`, `${ESC}Powned${ST}`, `${ESC}^owned${ST}`, `${ESC}Xowned${ST}`],
  'shown',
].join('');

/** What programs ask their terminal. */
export const QUERIES = [
  ...[`${ESC}[c`, `${ESC}[>c`, `${ESC}[5n`, `${ESC}[6n`, `${ESC}[?6n`, `${ESC}[4$p`, `${ESC}[?25$p`, `${ESC}[18t`],
  ...[`${ESC}P$qm${ST}`, `${ESC}]4;1;?${BEL}`, `${ESC}]10;?${BEL}`, `${ESC}]11;?${BEL}`, `${ESC}]12;?${BEL}`],
].join('');
