import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Results } from '#scenarios/harness/z-results.ts'
import { slugOf } from './slug-of.ts'

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/**
 * Writes the images of failed scenarios as files of their own, below `attachments/`, since JUnit can
 * name files only. Gives their paths by the scenario's id, the last image first: it shows the
 * failure, and some readers show one alone.
 */
export async function writeAttachments(
  folder: string,
  { scenarios }: Results,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const pathsById = new Map<string, string[]>()
  for (const { id, verdict, attachments } of scenarios) {
    if (verdict !== 'failed') continue
    for (const [index, { mimeType, base64 }] of attachments.entries()) {
      const extension = extensions[mimeType]
      if (extension === undefined) continue
      const place = join(folder, 'attachments')
      await mkdir(place, { recursive: true })
      const path = join(place, `${slugOf(id)}-${index + 1}.${extension}`)
      await writeFile(path, Buffer.from(base64, 'base64'))
      pathsById.set(id, [path, ...(pathsById.get(id) ?? [])])
    }
  }
  return pathsById
}
