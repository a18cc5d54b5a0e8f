import { chmodSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENOENT: 'the file does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}

/** Describes why a file could not be read or written; undefined for any other error. */
export function describeFileError(error: unknown): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException
  const folder = path && dirname(path)
  // The file does not exist before it is written, so only its folder can be missing then.
  if (code === 'ENOENT' && folder && !existsSync(folder)) return `there is no folder ${folder}`
  return reasons[code]
}

/** Adds the path to the system's error of a write, which does not name the file. */
export function withPath<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/**
 * Restricts a file (0600) or a folder (0700) to its owner. Skips what does not exist or belongs to
 * another user.
 */
export function restrictAccess(path: string, mode: 0o600 | 0o700): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(code)) throw error
  }
}
