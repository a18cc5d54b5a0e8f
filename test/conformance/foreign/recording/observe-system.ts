import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ForeignSystem } from './foreign-system.ts'
import { installProgram, readPinnedVersion } from './install-program.ts'
import { foreignFolder, type RecordedRun } from './recorded-runs.ts'
import { runPlanAgainst } from './run-plan-against.ts'

const projectFolder = join(foreignFolder, '../../..')

/** Runs the plan of a system, and says with which versions. */
export async function observeSystem(
  system: ForeignSystem,
  signal: AbortSignal,
): Promise<RecordedRun> {
  const folder = join(foreignFolder, system.name)
  const when = {
    date: new Date().toISOString().slice(0, 10),
    kitRevision: await readKitRevision(),
  }
  const { packages, program } = system
  if (program) {
    await installProgram(folder, program)
    const versions = { [packages[0] ?? '']: await readPinnedVersion(folder, program) }
    return { ...when, versions, ...(await runPlanAgainst(system, { folder, signal })) }
  }
  if (!system.hasOwnPackages) {
    const versions = await readVersions(system, projectFolder)
    return { ...when, versions, ...(await runPlanAgainst(system, { folder, signal })) }
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'foreign-packages-'))
  try {
    const installed = await install(folder, workFolder)
    const versions = await readVersions(system, installed)
    return { ...when, versions, ...(await runPlanAgainst(system, { folder: installed, signal })) }
  } finally {
    await rm(workFolder, { recursive: true })
  }
}

/** The commit that last changed the kit. */
async function readKitRevision(): Promise<string> {
  const args = ['log', '-1', '--format=%h', '--', 'conformance']
  const { stdout } = await promisify(execFile)('git', args, { cwd: projectFolder })
  return stdout.trim()
}

/**
 * A copy of the folder with its packages in it, and next to it the testbed's modules that its
 * programs import.
 */
async function install(folder: string, workFolder: string): Promise<string> {
  const installed = join(workFolder, 'system')
  await cp(folder, installed, { recursive: true })
  await copyFile(join(foreignFolder, 'shared-glue.ts'), join(workFolder, 'shared-glue.ts'))
  await writeFile(join(workFolder, 'package.json'), '{ "type": "module" }')
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: installed,
  })
  return installed
}

async function readVersions({ packages }: ForeignSystem, installedIn: string) {
  const entries = packages.map(async (name) => {
    const file = join(installedIn, 'node_modules', name, 'package.json')
    const { version } = JSON.parse(await readFile(file, 'utf8'))
    return [name, String(version)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}
