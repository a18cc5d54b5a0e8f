import type { Hop } from '#scenarios/harness/z-control-answers.ts'

/** One check's exchanges, as far as they show whether the system under test is there. */
interface SilenceEvidence {
  readonly hops: readonly Hop[]
  /** What the check found; undefined where its time was over before it found anything. */
  readonly reason: string | undefined
}

export interface SilenceOptions {
  /** What exchanges call the system. */
  readonly system: string
  /** A command may be the system itself; else it is a tool beside it, there also without it. */
  readonly isCommand?: boolean
  /** Milliseconds that only grow. */
  readonly now?: () => number
}

export interface SilenceWatch {
  /** Notes a check that ran. */
  note(evidence: SilenceEvidence): void
  /** Why it makes no sense to go on; undefined while it does. */
  readonly silence: string | undefined
}

/** So many checks in a row without an answer, where there never was one. */
const checksAtFirst = 3
/** What was there before may be on its way back, or dislike what the last checks sent. */
const checksLater = 5
const millisecondsLater = 30_000

/**
 * Finds out that the system under test is not there at all, so that nobody reads that ninety times,
 * nor waits ninety times for an answer that does not come.
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
      return isOver ? (reason ?? 'No check was decided in its time.') : undefined
    },
  }
}

/** Undefined where the exchanges show neither: another part's, a person's. */
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

/** A command that was started and came to its end. */
function ran(end: unknown): boolean {
  if (typeof end !== 'object' || end === null || 'notStarted' in end) return false
  return !('stopped' in end && end.stopped === 'timed-out')
}
