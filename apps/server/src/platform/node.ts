/** The name of the one node of a small installation. */
export const ONLY_NODE = 'main';
