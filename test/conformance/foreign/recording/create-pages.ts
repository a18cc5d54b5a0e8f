import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOverviewPage } from './create-overview-page.ts'
import { createSystemPage } from './create-system-page.ts'
import { foreignSystems } from './foreign-systems.ts'
import { foreignFolder } from './observe-system.ts'
import { readRecord } from './read-record.ts'

export const pagesFolder = join(foreignFolder, '../../../docs/reference/foreign-systems')

/** The pages about the third-party systems, made of their records, by file name. */
export async function createPages(): Promise<Record<string, string>> {
  const recorded = await Promise.all(
    foreignSystems.map(async (system) => ({
      system,
      name: system.name,
      readme: await readFile(join(foreignFolder, system.name, 'README.md'), 'utf8'),
      record: await readRecord(system.name),
    })),
  )
  return {
    'README.md': createOverviewPage(recorded),
    ...Object.fromEntries(
      recorded.map(({ system, name, readme, record }) => [
        `${name}.md`,
        createSystemPage(system, readme, record),
      ]),
    ),
  }
}
