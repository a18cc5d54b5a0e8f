import { styleText } from 'node:util'
import type { LoadedCheck } from '#conformance/kit/load-checks.ts'

const signs = { accept: '+', refuse: '-', advice: '~' } as const

/** Prints what a plan checks, one a line: id, what is expected, level, title. */
export function listChecks(checks: readonly LoadedCheck[], json: boolean): void {
  if (json) {
    // The control is how a plan judges, and no part of what it checks.
    const shown = checks.map((check) => ({ ...check, control: undefined }))
    process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`)
    return
  }
  const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
  for (const { id, expectation, level, title } of checks) {
    const told = `${id.padEnd(4)} ${signs[expectation]} ${dim(level.padEnd(8))} ${title}`
    process.stdout.write(`${told}\n`)
  }
  process.stderr.write(`${checks.length} checks: + accepts, - refuses, ~ is well advised to\n`)
}
