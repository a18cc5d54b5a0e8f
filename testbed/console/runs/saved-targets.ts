import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import type { PlanName } from '#conformance/kit/check.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { isJsonObject } from '#core/json/json-object.ts'

const program = resolve(
  import.meta.dirname,
  `../../command-line/main${extname(import.meta.filename)}`,
)

/** Names of saved targets are names of files. */
export const zTargetName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens')

/** A problem of a target, of its text or of the system. */
const zProblem = z.object({ member: z.string(), message: z.string(), advice: z.string() })
export type ShownProblem = z.infer<typeof zProblem>

/** The target files of the console. */
export interface SavedTargets {
  list(): Promise<readonly string[]>
  /** @throws TestbedError `unknown_target` (404) */
  read(name: string): Promise<string>
  /** Saves a target and returns the path of its file. */
  save(name: string, text: string): Promise<string>
  /** @throws TestbedError `unknown_target` (404) */
  remove(name: string): Promise<void>
  /** Connects to the system, in a separate process with the variables of this one. */
  connect(plan: PlanName, path: string): Promise<readonly ShownProblem[]>
  close(): Promise<void>
}

const connectLimit = 90_000

/** @param stateFolder the folder with the state of the testbed; without it, targets end with it */
export function createSavedTargets(stateFolder: string | undefined): SavedTargets {
  let temporary: Promise<string> | undefined
  async function folder(): Promise<string> {
    temporary ??= stateFolder === undefined ? mkdtemp(join(tmpdir(), 'lear-targets-')) : undefined
    const path =
      stateFolder === undefined ? ((await temporary) ?? '') : join(stateFolder, 'targets')
    await mkdir(path, { recursive: true, mode: 0o700 })
    return path
  }
  const pathOf = async (name: string) => join(await folder(), `${name}.yaml`)
  const unknown = () => {
    const message = 'There is no saved target of this name.'
    return new TestbedError({ code: 'unknown_target', status: 404, message })
  }
  return {
    async list() {
      const names = (await readdir(await folder())).map((file) => file.replace(/\.yaml$/, ''))
      return names.filter((name) => zTargetName.safeParse(name).success).sort()
    },
    async read(name) {
      const text = await readFile(await pathOf(name), 'utf8').catch(() => undefined)
      if (text !== undefined) return text
      throw unknown()
    },
    async save(name, text) {
      const path = await pathOf(name)
      // A target may contain keys.
      await writeFile(path, text, { mode: 0o600 })
      return path
    },
    async remove(name) {
      await rm(await pathOf(name)).catch(() => {
        throw unknown()
      })
    },
    async connect(plan, path) {
      const options = ['--target', path, '--check-target', '--json']
      const { promise, resolve: settle } = Promise.withResolvers<string>()
      execFile(
        process.execPath,
        [program, 'conformance', plan, ...options],
        { timeout: connectLimit },
        (_, stdout) => settle(stdout),
      )
      try {
        return z.object({ problems: z.array(zProblem) }).parse(JSON.parse(await promise)).problems
      } catch (cause) {
        const message = 'The target could not be checked. Try again.'
        throw new TestbedError({ code: 'not_checked', status: 409, message, cause })
      }
    },
    async close() {
      if (temporary !== undefined) await rm(await temporary, { recursive: true, force: true })
    },
  }
}

/** Writes the members that a form has collected as a target file. */
export const writeTarget = (value: Readonly<Record<string, unknown>>): string => stringify(value)

/** The members of a target file for a form; undefined if it is not a mapping. */
export function readMembers(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 })
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
