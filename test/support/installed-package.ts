import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './repository.ts'

const execute = promisify(execFile)
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Another project, in an empty folder, with the package installed from its tarball. */
export interface InstalledPackage {
  readonly folder: string
  /** Path of the tarball from `npm pack`. */
  readonly tarball: string
  /** Runs a program in the project as its owner does; the testbed's variables are not set. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<Outcome>
  remove(): void
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

// npm and vitest pass their settings to the programs they start; a terminal has none of them.
const ownVariables = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|TESTBED)/i.test(name)),
)

/** The environment of another user's terminal, with the Node of the tests first on the PATH. */
export const terminalEnvironment: Readonly<Record<string, string | undefined>> = {
  ...ownVariables,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
}

/** Runs a program to its end. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: RunOptions = {},
): Promise<Outcome> {
  // A program that hangs ends before its test does, so that the test shows its output.
  const limits = { timeout: 570_000, maxBuffer: 2 ** 26 }
  const options = { cwd, env: { ...terminalEnvironment, ...env }, ...limits }
  try {
    return { code: 0, ...(await execute(command, args, options)) }
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome
    return { code, stdout, stderr }
  }
}

async function succeed(...given: Parameters<typeof runProgram>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(...given)
  if (code !== 0) throw new Error(`${given[0]} ${given[1].join(' ')}: ${code}\n${stderr}${stdout}`)
  return stdout
}

/**
 * Packs a copy of the repository into a folder, because several test files pack at the same time;
 * returns the path of the tarball.
 * @throws Error if packing leaves anything in the copy
 */
export async function packRepository(folder: string): Promise<string> {
  const listed = await succeed('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  const copy = join(folder, 'source')
  for (const file of listed.trim().split('\n')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  }
  // The package names the commit from which it was built.
  for (const name of ['node_modules', '.git']) symlinkSync(join(root, name), join(copy, name))
  const before = readdirSync(copy)
  const packed = await succeed('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: copy,
  })
  const left = readdirSync(copy).filter((name) => !before.includes(name))
  if (left.length > 0) throw new Error(`npm pack leaves ${left.join(', ')}`)
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }]
  return join(folder, filename)
}

/** Packs the repository, and installs the tarball into a project outside it. */
export async function installPackage(fixture: string): Promise<InstalledPackage> {
  const work = mkdtempSync(join(tmpdir(), 'lear-testbed-package-'))
  const remove = () => rmSync(work, { recursive: true, force: true })
  try {
    const folder = join(work, 'project')
    const tarball = await packRepository(work)
    cpSync(fixture, folder, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    await succeed('npm', ['install', '--save-dev', ...quiet, tarball], { cwd: folder })
    return {
      folder,
      tarball,
      run: (command, args, options) => runProgram(command, args, { cwd: folder, ...options }),
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}
