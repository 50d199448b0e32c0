/** The name of the server in the database. A database has one server. */
export const ONLY_NODE = 'main';
