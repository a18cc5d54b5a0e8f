import { chmodSync } from 'node:fs'

/**
 * Takes a file (0600) or a folder (0700) away from everyone but its owner. What does not exist, and
 * what belongs to another user, stays as it is.
 */
export function restrictAccess(path: string, mode: 0o600 | 0o700): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(code)) throw error
  }
}
