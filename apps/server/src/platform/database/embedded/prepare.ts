// `npm run build`: completes the embedded PostgreSQL, because a service may not write to the folder of the product.
import { findBinaries } from './embedded-binaries.ts';

// A machine without embedded PostgreSQL uses DATABASE_URL; the start says so if it is missing.
await findBinaries().catch(() => undefined);
