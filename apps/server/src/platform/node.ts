/** The name of the only node of a small installation. */
export const ONLY_NODE = 'main';
