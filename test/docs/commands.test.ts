import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addCommand, commandNames, createProgram } from '#testbed/command-line/run-command-line.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  // Records of what was decided or changed keep the commands of their time.
  .filter((page) => !/^(CHANGELOG\.md|docs\/adr\/)/.test(page))

const program = createProgram()
for (const name of commandNames()) await addCommand(program, name)

/** The shell commands in the code blocks of a page that call the program, without what surrounds it. */
function callsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^ *```(?:sh|)\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split(/\n|\||&&/))
    .map((line) => line.replace(/( #| {3,}).*/, ''))
    .flatMap(
      (line) =>
        /^\s*(?:\w+=\S+ )*(?:npx (?:--no )?lear-testbed|bin\/testbed|testbed) (\w.*)$/.exec(
          line,
        )?.[1] ?? [],
    )
}

/** Names of the call that the program does not know. */
function unknownIn(call: string): string[] {
  const words: readonly string[] = call.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  let command: Command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) break
    command = next
  }
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0
  if (command === program || (isGroup && !words.includes('--help'))) {
    return [words[0] ?? '']
  }
  const known = [...program.options, ...command.options, ...(command.parent?.options ?? [])]
  return words
    .map((word) => word.split('=')[0] ?? '')
    .filter((word) => word.startsWith('--') && word !== '--help')
    .filter((word) => !known.some(({ long }) => long === word))
}

describe('the commands in the documentation', () => {
  const calls = pages.flatMap((page) => callsIn(page).map((call) => ({ page, call })))

  it('are many', () => {
    expect(calls.length).toBeGreaterThan(50)
  })

  it.each(calls)('$page: the program knows $call', ({ call }) => {
    expect(unknownIn(call)).toEqual([])
  })
})
