import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '#test/support/processes.ts'
import { shareTemporaryFolder } from '#test/support/temporary-folder.ts'

const folder = shareTemporaryFolder()
const script = join(folder, 'completion.bash')
beforeAll(async () => {
  const { stdout } = await runCommand(['completion', 'bash'], { cwd: folder })
  writeFileSync(script, stdout)
})

/** What bash offers after these words, the last of which is being typed. */
function complete(...words: string[]): string[] {
  const code = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lear_testbed; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', code, script, 'testbed', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('testbed completion', () => {
  it.each([
    [['dem'], ['demo']],
    [['wallet', 'acc'], ['accept']],
    [
      ['--json', 'wallet', 'accept', '--p'],
      ['--pin', '--policy'],
    ],
    [['completion', ''], expect.arrayContaining(['bash', 'zsh', 'fish'])],
    [['conformance', 'wallet', '--l'], ['--list']],
    [['wallet', 'faults', '--j'], ['--json']],
    [
      ['verify', 'x', '--env'],
      ['--env', '--environment'],
    ],
    // The value of an option is not a command.
    [['wallet', '--wallet', 'ana', 'sho'], ['show']],
    [['issue', '--wallet', 'wallet', '--e'], ['--env']],
    [
      ['issue', '--env', ''],
      ['pre', 'pro'],
    ],
    // The shell completes the names of files.
    [['up', '--data', ''], ['']],
    [['verify', ''], ['']],
  ])('completes %j in bash', (words, offered) => {
    expect(complete(...words)).toEqual(offered)
  })

  it('prints the script as a member of JSON', async () => {
    const { stdout } = await runCommand(['completion', 'bash', '--json'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({ script: readFileSync(script, 'utf8').trimEnd() })
  })

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { exitCode, stdout } = await runCommand(['completion', shell], {
      cwd: folder,
    })
    expect(exitCode).toBe(0)
    for (const word of ['accept', '--policy', 'lear-testbed']) expect(stdout).toContain(word)
  })
})
