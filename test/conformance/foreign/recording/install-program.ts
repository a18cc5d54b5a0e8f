import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { splitCommand } from '#conformance/targets/adapters/programs.ts'
import type { ForeignProgram } from './foreign-system.ts'

/** Files of a system's folder that do not change its program. */
const others = /(^|\/)(README\.md|recorded\.json|target\.yaml)$/

/** Says which of its commands this machine lacks; undefined if it has all. */
export function findMissingCommands({ needs }: ForeignProgram): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const missing = needs.filter((name) => !folders.some((each) => existsSync(join(each, name))))
  return missing.length === 0 ? undefined : `not on this machine: ${missing.join(', ')}`
}

/** Installs a program in `.cache` in its folder, unless it is there as the folder's files say. */
export async function installProgram(folder: string, program: ForeignProgram): Promise<void> {
  if (await isInstalled(folder)) return
  for (const line of program.install) {
    const [command = '', ...args] = splitCommand(line) ?? []
    await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  }
  await writeFile(stampOf(folder), await fingerprint(folder))
}

/** Whether a program is in `.cache`, installed from the present files of its folder. */
export async function isInstalled(folder: string): Promise<boolean> {
  const stamp = stampOf(folder)
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === (await fingerprint(folder))
}

/** The version of a program, from the file that pins it. */
export async function readPinnedVersion(folder: string, { pin: [file, before] }: ForeignProgram) {
  const text = await readFile(join(folder, file), 'utf8')
  const [, after = ''] = text.split(before)
  const [version = ''] = /^[\w.]+/.exec(after) ?? []
  if (version === '') throw new Error(`${file} has no version after ${before}`)
  return version
}

const stampOf = (folder: string) => join(folder, '.cache/installed')

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const files = globSync('**/*.*', { cwd: folder }).filter((file) => !others.test(file))
  for (const file of files.sort()) hash.update(file).update(await readFile(join(folder, file)))
  return hash.digest('hex')
}
