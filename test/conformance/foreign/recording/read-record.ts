import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignFolder } from './observe-system.ts'
import { type RecordedRun, zRecord } from './z-record.ts'

/** What was recorded of a system. */
export async function readRecord(name: string): Promise<RecordedRun> {
  const text = await readFile(join(foreignFolder, name, 'recorded.json'), 'utf8')
  return zRecord.parse(JSON.parse(text))
}
