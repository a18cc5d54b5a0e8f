import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { VerifierConfig } from '../config.ts'
import { responseCodeOf } from '../domain/presentation-request.ts'
import type { Session, SessionStore } from './session-store.ts'

export interface VerdictOutbox {
  /** Reports a verdict to the IDP. After a failure it retries until the session expires. */
  report(session: Pick<Session, 'session_id'>, verdict: string): Promise<void>
  /** Stops the attempts and waits for the current one. */
  close(): Promise<void>
}

/**
 * Reports verdicts to the IDP's internal endpoint. They are in the database before the first
 * attempt, so that a crash does not lose them; the IDP accepts repeated reports.
 *
 * @assumption A-34
 */
export function createVerdictOutbox(
  config: VerifierConfig,
  sessions: SessionStore,
  runtime: Runtime,
): VerdictOutbox {
  const log = runtime.log.child({ service: 'verifier' })
  const idp = createHttpClient(runtime, {
    caller: 'verifier',
    dependency: 'IDP',
    baseUrl: config.idpUrl,
    headers: { 'x-api-key': config.idpApiKey },
  })
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let closed = false
  /** Ids of the sessions whose report is under way. */
  const reporting = new Set<string>()

  const send = async (sessionId: string, verdict: string): Promise<boolean> => {
    let reported = false
    try {
      const response_code = responseCodeOf({ session_id: sessionId }, config)
      const json = { ...JSON.parse(verdict), response_code }
      const { status } = await idp.postJson('/idp/api/auth/results', json)
      reported = status === 200
      if (!reported) log.warn({ sessionId, status }, 'the IDP did not accept a verdict')
    } catch (error) {
      if (!isTestbedError(error)) throw error
      log.warn({ sessionId, err: error }, 'a verdict could not be reported')
    }
    await sessions.countReport(sessionId, reported)
    return reported
  }

  const attempt = (sessionId: string, verdict: string): Promise<boolean> => {
    reporting.add(sessionId)
    return send(sessionId, verdict).finally(() => reporting.delete(sessionId))
  }

  const retry = async (): Promise<void> => {
    const unreported = await sessions.listUnreported()
    // A report that is under way plans its own retry.
    const waiting = unreported.filter(({ session_id: id }) => !reporting.has(id))
    const results = await Promise.all(
      waiting.map(({ session_id: id, verdict }) => attempt(id, verdict ?? '{}')),
    )
    if (results.includes(false)) schedule()
  }

  const schedule = (): void => {
    if (closed || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      underWay = retry().catch((error: unknown) => {
        log.error({ err: error }, 'verdicts could not be reported')
        schedule()
      })
    }, config.reportRetryMilliseconds)
    timer.unref()
  }
  // Reports the verdicts that an earlier run of this service left.
  schedule()
  runtime.snapshots.add({
    settled: () => underWay,
    save: () => ({
      restore() {
        // Verdicts reported since the snapshot are unreported again, and the timer may belong to
        // cut work.
        clearTimeout(timer)
        timer = undefined
        reporting.clear()
        schedule()
      },
    }),
  })

  return {
    async report({ session_id: sessionId }, verdict) {
      if (!(await attempt(sessionId, verdict))) schedule()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await underWay
    },
  }
}
