import { access, constants, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wrongUsage } from '../registries/wrong-usage.ts'

/**
 * Finds out before a run whether its reports can be written: a person may spend an hour on it.
 * @throws TestbedError `invalid_option`
 */
export async function openReportFolder(report: string): Promise<void> {
  const folder = resolve(report)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (cause) {
    throw wrongUsage(`No reports can be written to ${folder}: ${tellError(cause)}`)
  }
}

const tellError = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))
