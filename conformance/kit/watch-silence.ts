import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** One check's exchanges, as far as they show whether the system under test responds. */
interface SilenceEvidence {
  readonly hops: readonly Hop[]
  /** What the check found; undefined if its time limit passed before it found anything. */
  readonly reason: string | undefined
}

export interface SilenceOptions {
  /** The kind of the exchanges that call the system. */
  readonly system: string
  /**
   * A command may be the system itself; otherwise it is a tool that also runs without the system.
   */
  readonly isCommand?: boolean
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

export interface SilenceWatch {
  /** Records a check that ran. */
  note(evidence: SilenceEvidence): void
  /** Why it makes no sense to continue; undefined while it does. */
  readonly silence: string | undefined
}

/** The limit of consecutive checks without an answer for a system that has never answered. */
const checksAtFirst = 3
/** A system that answered before may be restarting, or may reject the messages of the last checks. */
const checksLater = 5
const millisecondsLater = 30_000

/**
 * Detects that the system under test does not respond at all, so that the operator does not read
 * that ninety times, nor wait ninety times for an answer.
 */
export function watchSilence(options: SilenceOptions): SilenceWatch {
  const { now = () => performance.now() } = options
  let hasAnswered = false
  let checks = 0
  let since = 0
  let reason: string | undefined
  return {
    note({ hops, reason: found }) {
      const isThere = isAlive(options, hops)
      if (isThere === undefined) return
      if (isThere) {
        hasAnswered = true
        checks = 0
        return
      }
      if (checks === 0) [since, reason] = [now(), undefined]
      reason ??= found
      checks += 1
    },
    get silence() {
      const isOver = hasAnswered
        ? checks >= checksLater && now() - since >= millisecondsLater
        : checks >= checksAtFirst
      return isOver ? (reason ?? 'No check had a result within its time limit.') : undefined
    },
  }
}

/** Undefined if the exchanges show neither, such as those of another part or a person. */
function isAlive(
  { system, isCommand = false }: SilenceOptions,
  hops: readonly Hop[],
): boolean | undefined {
  if (hops.some(({ from }) => from === system)) return true
  const sent = hops.filter(({ to }) => to === system)
  const calls = sent.filter(({ kind }) => kind === 'http')
  if (calls.length > 0) return calls.some(({ status }) => status !== 0)
  const commands = sent.filter(({ kind }) => kind === 'command')
  if (commands.length === 0) return undefined
  if (commands.every(({ responseBody }) => !ran(responseBody))) return false
  return isCommand ? true : undefined
}

/** A command that started and terminated. */
function ran(end: unknown): boolean {
  if (typeof end !== 'object' || end === null || 'notStarted' in end) return false
  return !('stopped' in end && end.stopped === 'timed-out')
}
