import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readExample } from '#conformance/targets/read-target.ts'
import { runCommand } from '#test/support/processes.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

describe('testbed conformance and its target file', () => {
  it('prints one to begin with', async () => {
    const cwd = createTemporaryFolder()
    const { stdout, exitCode } = await runCommand(['conformance', 'tir', '--example'], { cwd })
    expect({ stdout, exitCode }).toEqual({ stdout: await readExample('tir'), exitCode: 0 })
  })

  it('says which lines to mend, and exits 2', async () => {
    const cwd = createTemporaryFolder()
    writeFileSync(join(cwd, 'target.yaml'), 'plan: wallet\nnmae: x\nadapter: { type: person }\n')
    const args = ['conformance', 'wallet', '--target', 'target.yaml']
    const { stderr, stdout, exitCode } = await runCommand(args, { cwd })
    expect({ stderr, stdout, exitCode }).toEqual({
      stderr: `testbed: target.yaml has one thing to mend.
  target.yaml:2:1: nmae is unknown
    2 | nmae: x
      | ^
      = Did you mean name?
`,
      stdout: '',
      exitCode: 2,
    })
  })
})
