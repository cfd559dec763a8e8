/** A sync that ended with an error: it is tried again, at the next resync or after a back-off. The message is upstream's. */
export class SyncError extends Error {}
