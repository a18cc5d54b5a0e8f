import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
import { type DueTimes, dueAt, isDue, pauseAfter, track } from '#kit/retry-schedule.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { ConnectorTables, NotificationRow } from '../tables.ts'
import type { IssuerClient, IssuerNotification } from './issuer-client.ts'

export interface NotificationOutbox {
  /** Stores a confirmation for the issuer; it is on disk when this returns. */
  add(notification: IssuerNotification): Promise<NotificationRow>
  /** Tries to send a stored notification now; after a failure it is retried later. */
  send(notification: NotificationRow): Promise<void>
  /** Makes `close` wait for work that leads to a confirmation. */
  track(work: Promise<unknown>): void
  /** Stops the retries and waits for work in progress. */
  close(): Promise<void>
}

export interface OutboxOptions {
  readonly retryMilliseconds: number
  /** How long notifications are stored after the issuer's response. */
  readonly retentionSeconds: number
}

/**
 * Sends confirmations at least once: stores them until the issuer responds, with growing pauses
 * between attempts, even across restarts. The issuer accepts repeated confirmations.
 */
export function createNotificationOutbox(
  database: Kysely<ConnectorTables>,
  issuer: IssuerClient,
  runtime: Runtime,
  { retryMilliseconds, retentionSeconds }: OutboxOptions,
): NotificationOutbox {
  const log = runtime.log.child({ service: 'connector' })
  let running: Promise<void> | undefined
  const underWay = new Set<Promise<unknown>>()
  const beingSent = new Set<string>()
  let closed = false

  const purge = createPurge(runtime.clock, (now) =>
    database
      .deleteFrom('notifications')
      .where('finished_at', '<', (now - retentionSeconds) * 1000)
      .execute(),
  )

  const insert = prepareQuery(database, (row: NotificationRow) =>
    database.insertInto('notifications').values(row),
  )
  type Attempt = Pick<NotificationRow, 'id' | 'attempts' | 'next_attempt_at' | 'finished_at'>
  const update = prepareQuery(database, ({ id, ...changes }: Attempt) =>
    database.updateTable('notifications').set(changes).where('id', '=', id),
  )

  const listDue = prepareQuery(database, (times: DueTimes) =>
    database
      .selectFrom('notifications')
      .selectAll()
      .where('finished_at', 'is', null)
      .where(isDue(times))
      .limit(100),
  )

  async function attempt(row: NotificationRow): Promise<void> {
    const { subject_id: subjectId, credential_id: credentialId, event } = row
    const outcome = await issuer.notify({ subjectId, credentialId, event })
    const now = runtime.clock.milliseconds()
    const attempts = row.attempts + 1
    if (outcome === 'refused') log.error({ subjectId, event }, 'the issuer rejected a notification')
    await update.change({
      id: row.id,
      attempts,
      next_attempt_at: now + pauseAfter(attempts, retryMilliseconds),
      finished_at: outcome === 'unreachable' ? null : now,
    })
  }

  /** Skips a notification that is already being sent. */
  async function send(row: NotificationRow): Promise<void> {
    if (beingSent.has(row.id)) return
    beingSent.add(row.id)
    await attempt(row).finally(() => beingSent.delete(row.id))
  }

  async function sendDue(): Promise<void> {
    const due = await listDue.all(dueAt(runtime.clock.milliseconds()))
    await Promise.all(due.map(send))
  }

  const wake = () => {
    if (closed) return
    running ??= sendDue()
      .catch((error: unknown) => log.error({ err: error }, 'notifications could not be sent'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(wake, retryMilliseconds)
  timer.unref()
  wake()
  const settled = () => Promise.all([...underWay, running])
  runtime.snapshots.add({ settled })

  return {
    async add({ subjectId, credentialId, event }) {
      await purge()
      const row: NotificationRow = {
        id: randomUUID(),
        subject_id: subjectId,
        credential_id: credentialId,
        event,
        attempts: 0,
        next_attempt_at: runtime.clock.milliseconds(),
        finished_at: null,
      }
      await insert.change(row)
      return row
    },
    async send(row) {
      if (!closed) await send(row)
    },
    track: (work) => track(underWay, work),
    async close() {
      closed = true
      clearInterval(timer)
      await settled()
    },
  }
}
