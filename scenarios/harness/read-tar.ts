export interface TarFile {
  readonly path: string
  readonly mode: number
  readonly body: Buffer
}

/**
 * The plain files of a tar archive in the ustar form (POSIX.1-1988) that npm packages carry; folders
 * and links are left out. Throws a TypeError for a path that would lead out of the target folder.
 */
export function readTar(archive: Buffer): TarFile[] {
  const files: TarFile[] = []
  let position = 0
  while (position + 512 <= archive.length && archive[position] !== 0) {
    const header = archive.subarray(position, position + 512)
    const text = (from: number, length: number) =>
      header.toString('utf8', from, from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/')
    const type = text(156, 1)
    if (path.startsWith('/') || path.split('/').includes('..') || !Number.isSafeInteger(size)) {
      throw new TypeError(`not a path to unpack: ${path}`)
    }
    if (type === '0' || type === '') {
      const body = archive.subarray(position + 512, position + 512 + size)
      files.push({ path, mode: Number.parseInt(text(100, 8), 8) & 0o777, body })
    }
    position += 512 + Math.ceil(size / 512) * 512
  }
  return files
}
