import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and those above it, if they are missing. Node's recursive mkdir never ends below
 * /proc, where a folder cannot be created although the one above it exists.
 */
export async function createFolder(path: string, mode?: number): Promise<void> {
  const above = dirname(path)
  const create = async () => {
    try {
      await mkdir(path, mode)
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (!isThere || !(await stat(path)).isDirectory()) throw error
    }
  }
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || above === path) throw error
    await createFolder(above, mode)
    await create()
  })
}
