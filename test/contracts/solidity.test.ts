import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '#test/support/repository.ts'
import { runSolidityTests } from '#test/support/run-solidity-tests.ts'

const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
/** Files with code to run: interfaces have none. */
const sources = globSync('contracts/**/*.sol', { cwd: root })
  .filter((file) => !file.startsWith('contracts/interfaces/'))
  .sort()
/** What the contracts' tests have to reach, in per cent of the lines and of the statements. */
const threshold = 95

// Here and not in a hook, so that each Solidity test counts as one of this run.
const { tests, coverage } = await runSolidityTests()
for (const { file, lines, statements } of coverage) {
  console.log(`${file}: ${lines} % of the lines, ${statements} % of the statements`)
}

describe('Solidity tests', () => {
  it.each(tests)('$suite $name', ({ failure }) => {
    expect(failure).toBeUndefined()
  })

  it('include every test in the files', () => {
    const written = globSync('test/contracts/solidity/*.t.sol', { cwd: root }).flatMap((file) => {
      const text = read(file)
      const suite = /^contract (\w+)/m.exec(text)?.[1]
      const names = [...text.matchAll(/function ((?:test|invariant)\w+)\(/g)]
      return names.map(([, name]) => `${suite} ${name}`)
    })
    expect(tests.map(({ suite, name }) => `${suite} ${name}`).sort()).toEqual(written.sort())
  })
})

describe('coverage by the Solidity tests', () => {
  it('covers every contract and library', () => {
    expect(coverage.map(({ file }) => file).sort()).toEqual(sources)
  })

  it.each(coverage)(`of $file is above ${threshold} %`, ({ lines, statements }) => {
    expect(lines).toBeGreaterThan(threshold)
    expect(statements).toBeGreaterThan(threshold)
  })
})
