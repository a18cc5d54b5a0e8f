import { createHash } from 'node:crypto'

/** SHA-256 in hex, as `sha256sum` prints it. */
export const sha256Of = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
