import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { PlanName } from '#conformance/kit/check.ts'
import { preflight } from '#conformance/targets/preflight/preflight.ts'
import type { PreflightProblem } from '#conformance/targets/preflight/probe.ts'
import { parseTarget, readTarget } from '#conformance/targets/read-target.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { exitCodes } from './exit-codes.ts'
import { plainText, print, printJson } from './terminal.ts'

export interface CheckTargetOptions {
  readonly json: boolean
  readonly signal: AbortSignal
}

/**
 * Prints each problem of a target file and of the system that it describes. Sets exit code 1 if
 * there are any.
 * @throws TestbedError `invalid_target`, `invalid_option`
 */
export async function checkTarget(
  plan: PlanName,
  path: string,
  { json, signal }: CheckTargetOptions,
): Promise<void> {
  if (path === 'self') {
    throw wrongUsage("--check-target requires a target file: self is the testbed's own part.")
  }
  const problems = json
    ? await findAllProblems(plan, path, signal)
    : await preflight(plan, (await readTarget(path, plan, process.env)).target, signal)
  if (json) printJson({ problems })
  for (const { member, message, advice } of json ? [] : problems) {
    print(`${member}: ${plainText(message)}\n  ${plainText(advice)}`)
  }
  if (!json && problems.length === 0) print('The target is ready.')
  if (problems.length > 0) process.exitCode = exitCodes.failed
}

/**
 * Reports what is wrong with the system that a target file describes, before a run: a wrong address
 * would otherwise show only as many inconclusive checks.
 * @throws TestbedError `invalid_target`
 */
export async function warnAboutTarget(
  plan: PlanName,
  path: string,
  { say, signal }: { readonly say: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const { target } = await readTarget(path, plan, process.env)
  const problems = await preflight(plan, target, signal)
  for (const { member, message, advice } of problems) {
    say(`! ${member}: ${plainText(message)}\n  ${plainText(advice)}`)
  }
}

/** The problems of the file too, as data. */
async function findAllProblems(
  plan: PlanName,
  path: string,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const text = await readFile(path, 'utf8')
  const options = { folder: dirname(resolve(path)), environment: process.env }
  const { target, problems } = await parseTarget(text, plan, options)
  if (problems.length === 0) return preflight(plan, target, signal)
  return problems.map(({ member = '', message, advice = '' }) => ({
    code: 'invalid_target',
    member,
    message,
    advice,
  }))
}
