import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestbedFile, zTestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** The running testbed of a data folder, or undefined where none says that it runs. */
export async function readTestbedFile(dataFolder: string): Promise<TestbedFile | undefined> {
  try {
    const file = zTestbedFile.safeParse(
      JSON.parse(await readFile(join(dataFolder, 'testbed.json'), 'utf8')),
    )
    return file.success ? file.data : undefined
  } catch {
    return undefined
  }
}
