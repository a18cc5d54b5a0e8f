import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createPurge, prepareQuery } from '#kit/database.ts'
import { currentRequest, withRequestContext } from '#kit/request-context.ts'
import { type DueTimes, dueAt, isDue, pauseAfter, track } from '#kit/retry-schedule.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { MailLanguage } from '../domain/offer-mail.ts'
import type { IssuerTables, MailRow } from '../tables.ts'

/** The result of one attempt to send an email; `later` is retried. */
export type MailOutcome = 'sent' | 'later' | 'cancelled' | 'refused'

/** The offer in an email, for a repeated attempt. */
export type KeptOffer = {
  readonly [Column in 'offer_link' | 'offer_expires_at' | 'message_id']: NonNullable<
    MailRow[Column]
  >
}

/** Makes one attempt; `keepOffer` stores the offer before anything is sent. */
export type SendMail = (
  mail: MailRow,
  keepOffer: (offer: KeptOffer) => Promise<void>,
) => Promise<MailOutcome>

export interface MailOutbox {
  /**
   * Creates an email to store together with its record; other processes skip it while it is being
   * sent.
   */
  prepare(recordId: string, recipient: string, language: MailLanguage): MailRow
  /** Tries to send a stored email, and stores the result. */
  attempt(mail: MailRow): Promise<MailOutcome>
  cancel(mail: MailRow): Promise<void>
  close(): Promise<void>
}

const noOffer = { offer_link: null, offer_expires_at: null, message_id: null }

// Longer than an attempt can take, so that two never send the same email.
const leaseMilliseconds = 30_000
const keptMilliseconds = 7 * 86_400_000

/**
 * Sends emails at least once: stores them until the mail server accepts them, with growing pauses
 * between attempts, even across restarts. Deletes finished emails after a week.
 *
 * @assumption A-41
 */
export function createMailOutbox(
  database: Kysely<IssuerTables>,
  send: SendMail,
  runtime: Runtime,
  retryMilliseconds: number,
): MailOutbox {
  const log = runtime.log.child({ service: 'issuer' })
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const setState = async (mail: MailRow, changes: Partial<MailRow>) => {
    await database.updateTable('mails').set(changes).where('id', '=', mail.id).execute()
  }

  async function attempt(mail: MailRow): Promise<MailOutcome> {
    const keepOffer = (offer: KeptOffer) => setState(mail, offer)
    const outcome = await send(mail, keepOffer).catch(async (error: unknown) => {
      await plan(mail)
      throw error
    })
    if (outcome === 'later') await plan(mail)
    else await setState(mail, { ...noOffer, state: outcome, attempts: mail.attempts + 1 })
    return outcome
  }

  async function plan(mail: MailRow): Promise<void> {
    const attempts = mail.attempts + 1
    const pause = pauseAfter(attempts, retryMilliseconds)
    await setState(mail, { attempts, next_attempt_at: runtime.clock.milliseconds() + pause })
  }

  const listDue = prepareQuery(database, (times: DueTimes) =>
    database
      .selectFrom('mails')
      .selectAll()
      .where('state', '=', 'queued')
      .where(isDue(times))
      .limit(20),
  )

  async function sendDue(): Promise<void> {
    for (const mail of await listDue.all(dueAt(runtime.clock.milliseconds()))) {
      if (closed) return
      const leasedUntil = runtime.clock.milliseconds() + leaseMilliseconds
      const taken = await database
        .updateTable('mails')
        .set({ next_attempt_at: leasedUntil })
        .where('id', '=', mail.id)
        .where('next_attempt_at', '=', mail.next_attempt_at)
        .where('state', '=', 'queued')
        .executeTakeFirst()
      if (taken.numUpdatedRows === 0n) continue
      const requestId = mail.request_id ?? mail.id
      const context = mail.scenario_id === null ? {} : { scenarioId: mail.scenario_id }
      await withRequestContext({ requestId, ...context }, () => attempt(mail)).catch(
        (error: unknown) =>
          log.warn({ err: error, recordId: mail.record_id }, 'an email is delayed'),
      )
    }
  }

  const purge = createPurge(runtime.clock, (now) =>
    database
      .deleteFrom('mails')
      .where('state', '!=', 'queued')
      .where('created_at', '<', now * 1000 - keptMilliseconds)
      .execute(),
  )

  const timer = setInterval(() => {
    if (underWay.size > 0) return
    track(
      underWay,
      purge()
        .then(sendDue)
        .catch((error: unknown) =>
          log.error({ err: error }, 'the email queue could not be processed'),
        ),
    )
  }, retryMilliseconds)
  timer.unref()
  const settled = () => Promise.all(underWay)
  runtime.snapshots.add({ settled })

  return {
    prepare(recordId, recipient, language) {
      const now = runtime.clock.milliseconds()
      const context = currentRequest()
      return {
        id: randomUUID(),
        record_id: recordId,
        recipient,
        language,
        state: 'queued',
        attempts: 0,
        next_attempt_at: now + leaseMilliseconds,
        request_id: context?.requestId ?? null,
        scenario_id: context?.scenarioId ?? null,
        created_at: now,
        ...noOffer,
      }
    },
    attempt,
    cancel: (mail) => setState(mail, { ...noOffer, state: 'cancelled' }),
    async close() {
      closed = true
      clearInterval(timer)
      await settled()
    },
  }
}
