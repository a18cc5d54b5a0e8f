import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from './repository.ts'

interface SolidityTest {
  readonly suite: string
  readonly name: string
  /** The runner's description of a failure; undefined if the test passed. */
  readonly failure: string | undefined
}

interface SolidityCoverage {
  readonly file: string
  /** Percentage of executed lines and statements. */
  readonly lines: number
  readonly statements: number
}

export interface SolidityTestRun {
  readonly tests: readonly SolidityTest[]
  readonly coverage: readonly SolidityCoverage[]
}

/** Runs `npx hardhat`, offline; `input` is the input of a developer. */
export async function runHardhat(args: readonly string[], input = '') {
  const program = resolve(root, 'node_modules/hardhat/dist/src/cli.js')
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    // A developer's own run finds the tests of `npm test`.
    env: {
      ...process.env,
      NO_COLOR: '1',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      TEST_FULL: '',
    },
    stdio: 'pipe',
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((settle) => child.once('close', settle))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, code }
}

/**
 * Runs the Solidity tests with Hardhat in a separate process, and parses its output. Rejects with the
 * whole output if there are no results, for example if a file does not compile.
 */
export async function runSolidityTests(): Promise<SolidityTestRun> {
  const { stdout, stderr, code } = await runHardhat(['test', 'solidity', '--coverage'])
  const tests = readTests(stdout)
  const coverage = readCoverage(stdout)
  const isFailed = tests.some(({ failure }) => failure !== undefined)
  if (tests.length === 0 || coverage.length === 0 || (code === 0) === isFailed) {
    throw new Error(`hardhat test solidity ended with ${code}\n${stdout}\n${stderr}`)
  }
  return { tests, coverage }
}

function readTests(output: string): SolidityTest[] {
  const failures = output.split(/^ {2}(?=\d+\) )/m)
  const tests: SolidityTest[] = []
  let suite = ''
  for (const line of output.split('\n')) {
    suite = /^ {2}\S+\.sol:(\w+)$/.exec(line)?.[1] ?? suite
    const [, mark, name] = /^ {4}(✔|\d+\)) (\w+)\(/.exec(line) ?? []
    if (mark === undefined || name === undefined) continue
    const message = failures.find((text) => text.startsWith(`${mark} ${suite}#${name}(`))
    tests.push({ suite, name, failure: mark === '✔' ? undefined : (message ?? line) })
  }
  return tests
}

function readCoverage(output: string): SolidityCoverage[] {
  const row = /^║ (contracts\/\S+\.sol) +│ ([\d.]+) +│ ([\d.]+) +│/gm
  return [...output.matchAll(row)].map(([, file = '', lines, statements]) => ({
    file,
    lines: Number(lines),
    statements: Number(statements),
  }))
}
