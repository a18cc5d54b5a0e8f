import { access, constants, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { wrongUsage } from '#scenarios/errors.ts'
import { profileFrom } from '#scenarios/harness/command-line.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import { createFolder } from '#wallet-emulator/store/create-folder.ts'
import { createDifference } from './create-difference.ts'
import { createJunit } from './create-junit.ts'
import { createPage } from './create-page.ts'
import { createSummary } from './create-summary.ts'
import { slugOf } from './formatting.ts'

export interface WriteReportsOptions {
  /** An earlier run to compare with, on the page and in the summary. */
  readonly earlier?: Results | undefined
  /** Folder to which the paths in JUnit are relative: a CI's working copy. */
  readonly workingFolder?: string | undefined
}

/**
 * Checks before a run that its reports can be written: it may take an hour.
 * @throws TestbedError `invalid_option`
 */
export async function openReportFolder(report: string): Promise<void> {
  const folder = resolve(report)
  try {
    await createFolder(folder)
    await access(folder, constants.W_OK)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw wrongUsage(`No reports can be written to ${folder}: ${reason}`)
  }
}

/**
 * Writes `results.json`, `junit.xml`, `summary.md` and `index.html` into a folder, which is created
 * if it is missing, and the images of failed scenarios below `attachments/`. Each report appears
 * whole or not at all. Returns the paths of the reports.
 */
export async function writeReports(
  folder: string,
  results: Results,
  { earlier, workingFolder }: WriteReportsOptions = {},
): Promise<string[]> {
  const difference = earlier && createDifference(earlier, results)
  const written = await writeAttachments(folder, results)
  const attachments = new Map(
    [...written].map(([id, paths]) => [id, paths.map((path) => pathFrom(workingFolder, path))]),
  )
  const files = {
    'results.json': `${JSON.stringify(results)}\n`,
    'junit.xml': createJunit(results, { attachments }),
    'summary.md': createSummary(results, { difference }),
    'index.html': createPage(results, { difference, profile: profileFrom(folder) }),
  }
  await createFolder(folder)
  return Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const path = join(folder, name)
      await writeWhole(path, content)
      return path
    }),
  )
}

/** Writes a file whole or not at all. Leaves nothing behind if the disk is full. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, content)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** A path below a folder, relative to it, with slashes; other paths are unchanged. */
function pathFrom(folder: string | undefined, path: string): string {
  const seen = folder === undefined ? path : relative(folder, path)
  return seen.startsWith('..') ? path : seen.replaceAll('\\', '/')
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}

/**
 * Writes the images of failed scenarios as separate files below `attachments/`, because JUnit can
 * only refer to files. Returns their paths by the scenario's id, the last image first: it shows the
 * failure, and some readers show only one.
 */
async function writeAttachments(
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
      await createFolder(place)
      const path = join(place, `${slugOf(id)}-${index + 1}.${extension}`)
      await writeFile(path, Buffer.from(base64, 'base64'))
      pathsById.set(id, [path, ...(pathsById.get(id) ?? [])])
    }
  }
  return pathsById
}
