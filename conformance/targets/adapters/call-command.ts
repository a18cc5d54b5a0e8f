import { TestbedError } from '#core/errors/testbed-error.ts'
import type { ExchangeLog } from '../../kit/evidence/exchange-log.ts'
import { fillWords, type PlaceholderValues } from './fill-placeholders.ts'
import { looksLikeCrash } from './looks-like-crash.ts'
import { type ProgramEnd, runProgram } from './run-program.ts'
import { splitCommand } from './split-command.ts'
import { lastOf, parseJson } from './tell-text.ts'
import type { VerbAnswer, VerbOutcome } from './verb-answer.ts'
import type { CommandVerb } from './z-verb.ts'

export interface CallVerbOptions {
  readonly exchanges: Pick<ExchangeLog, 'add'>
  readonly signal: AbortSignal
  /** By default 30 000; what the verb says itself comes first. */
  readonly timeoutMilliseconds?: number
  /** Added to a command's environment, for example the kit's addresses. */
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Runs a verb that is a command line. Its exit code decides, and a program that crashed has refused
 * nothing, whatever code that gave.
 */
export async function callCommand(
  verb: CommandVerb,
  name: string,
  values: PlaceholderValues,
  { exchanges, signal, timeoutMilliseconds = 30_000, environment = {} }: CallVerbOptions,
): Promise<VerbAnswer> {
  const { command, folder, timeoutSeconds } = verb
  const split = splitCommand(command)
  if (!split || split.length === 0) {
    const message = `The command line of ${name} has a quote that is not closed: ${command}`
    throw new TestbedError({ code: 'invalid_target', status: 400, message })
  }
  const words = fillWords(split, values)
  const began = performance.now()
  const limit = timeoutSeconds === undefined ? timeoutMilliseconds : timeoutSeconds * 1000
  const end = await runProgram(words, {
    folder,
    environment: { ...environment, ...verb.environment },
    timeoutMilliseconds: limit,
    signal,
  })
  const { stdout, stderr, exitCode } = end
  exchanges.add({
    kind: 'command',
    from: 'kit',
    to: 'system under test',
    method: 'RUN',
    url: name,
    status: exitCode ?? 0,
    durationMilliseconds: performance.now() - began,
    // By its name a PIN is known for one, wherever else it stands.
    requestBody: { words, values },
    responseBody: end,
  })
  const { outcome, seen } = classify(verb, end, limit)
  const said = lastOf((outcome === 'done' ? '' : stderr || stdout).trim())
  return {
    outcome,
    reason: `${name} ${seen}${said === '' ? '.' : `: ${said}`}`,
    text: stdout,
    json: parseJson(stdout),
    source: `exit code of ${name}`,
    ...(outcome === 'failed' &&
      (exitCode === undefined || looksLikeCrash(stderr)) && { hasCrashed: true }),
  }
}

function classify(
  { exitCodes: { done = [0], refused = [1] } = {} }: CommandVerb,
  { stopped, exitCode, killedBy, notStarted, stderr }: ProgramEnd,
  limit: number,
): { outcome: VerbOutcome; seen: string } {
  if (stopped === 'timed-out') {
    return { outcome: 'timed-out', seen: `did not end within ${limit / 1000} seconds` }
  }
  if (stopped === 'interrupted') return { outcome: 'timed-out', seen: 'was cut off' }
  if (exitCode === undefined) {
    const why = notStarted ? `could not be started (${notStarted})` : `was ended by ${killedBy}`
    return { outcome: 'failed', seen: why }
  }
  const seen = `ended with exit code ${exitCode}`
  if (done.includes(exitCode)) return { outcome: 'done', seen }
  if (!refused.includes(exitCode)) return { outcome: 'failed', seen: `${seen}, which says nothing` }
  return looksLikeCrash(stderr)
    ? { outcome: 'failed', seen: `crashed (exit code ${exitCode}), which is no refusal` }
    : { outcome: 'refused', seen }
}
