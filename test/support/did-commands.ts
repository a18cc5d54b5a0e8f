import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createDidKey } from './create-did-key.ts'
import { runCommand } from './processes.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A folder in which `testbed did …` runs, as for its user; removed after the running test. */
export function createDidCommands() {
  const cwd = createTemporaryFolder()
  const did = (args: readonly string[], input?: string) =>
    runCommand(['did', ...args], {
      cwd,
      ...(input === undefined ? {} : { input: Buffer.from(input) }),
    })
  return {
    cwd,
    did,
    /** Runs with `--json`; returns stdout if the command succeeds. */
    json: async (args: readonly string[], input?: string) => {
      const { stdout, exitCode, stderr } = await did([...args, '--json'], input)
      expect(exitCode, stderr).toBe(0)
      return JSON.parse(stdout)
    },
    /** Writes a file with the private key of a label; returns its name. */
    keyFile: (label: string) => {
      writeFileSync(join(cwd, `${label}.key`), createDidKey(label).wallet.privateKey)
      return `${label}.key`
    },
    /** Writes a file with a value as JSON; returns its name. */
    fileWith: (name: string, content: unknown) => {
      writeFileSync(join(cwd, name), JSON.stringify(content))
      return name
    },
  }
}

/** Returns the digits of a private key, to search for leaks. */
export const digitsOf = (key: string) => key.replace(/^0x/, '')
