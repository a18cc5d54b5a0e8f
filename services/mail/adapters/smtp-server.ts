import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type * as Smtp from 'smtp-server'
import { maskText } from '#core/json/mask-secrets.ts'
import { callerOf, copyStart, longestAddress, longestBody } from '#kit/record-hops.ts'
import { readIdentifier } from '#kit/request-context.ts'
import type { Runtime } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import type { MailConfig } from '../config.ts'
import type { ReceivedMail } from '../domain/mailhog-message.ts'
import { readMail } from '../domain/read-mail.ts'
import type { MailStore } from './mail-store.ts'

const require = createRequire(import.meta.url)

// Its ES modules import node:http (#kit/node-http.ts).
const { SMTPServer }: typeof Smtp = require('smtp-server')

// RFC 5321, 4.5.3.1.8 requires at least 100.
const mostRecipients = 500

export interface SmtpListener {
  readonly port: number
  close(): Promise<void>
}

/**
 * Accepts emails over SMTP from any sender for any recipient. Acknowledges an email only after
 * storing it. Rejects if the port is in use.
 */
export async function listenForMail(
  config: MailConfig,
  store: MailStore,
  runtime: Runtime,
): Promise<SmtpListener> {
  const server = new SMTPServer({
    name: 'lear-testbed',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: config.maxMessageBytes,
    onRcptTo(_address, session, callback) {
      if (session.envelope.rcptTo.length < mostRecipients) return callback()
      callback(Object.assign(new Error('Too many recipients'), { responseCode: 452 }))
    },
    onData(stream, session, callback) {
      receive(stream, session, config.maxMessageBytes)
        .then(async (mail) => {
          if (!mail) return callback(tooLarge())
          const received = { ...mail, receivedAt: runtime.clock.milliseconds() }
          await store.add(received)
          recordHop(received, runtime)
          callback()
        })
        .catch((error: unknown) => {
          const entry = { service: 'mail', err: error }
          if (stream.errored)
            runtime.log.debug(entry, 'a client disconnected in the middle of an email')
          else runtime.log.error(entry, 'an email could not be stored')
          callback(Object.assign(new Error('Try again later'), { responseCode: 451 }))
        })
    },
  })
  // A client may break the connection at any time.
  server.on('error', (error) => runtime.log.debug({ service: 'mail', err: error }, 'SMTP'))
  const listening = server.listen(config.smtpPort, config.smtpHost)
  await Promise.race([
    once(listening, 'listening'),
    once(listening, 'error').then(([error]) => Promise.reject(error)),
  ])
  return {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function receive(
  stream: Smtp.SMTPServerDataStream,
  session: Smtp.SMTPServerSession,
  limit: number,
): Promise<Omit<ReceivedMail, 'receivedAt'> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  // Reads the stream to its end, regardless of its size: SMTP cannot continue otherwise.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
  }
  if (size > limit) return undefined
  const { mailFrom, rcptTo } = session.envelope
  return {
    id: `${randomToken()}@lear-testbed`,
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    helo: String(session.hostNameAppearsAs || session.clientHostname || ''),
    data: Buffer.concat(chunks),
  }
}

function tooLarge(): Error {
  return Object.assign(new Error('The email exceeds the size limit'), { responseCode: 552 })
}

/** The parts that send emails: no other name in an email is believed. */
const senders: ReadonlySet<string> = new Set(['issuer'])

// A header is a slice of the whole email.
const copyOf = (identifier: string) => copyStart(identifier, identifier.length)

function recordHop(mail: ReceivedMail, runtime: Runtime): void {
  if (!runtime.traces.enabled) return
  const { subject, text, header } = readMail(mail.data)
  const requestId = readIdentifier(header('x-request-id'))
  const scenarioId = readIdentifier(header('x-scenario-id'))
  const caller = callerOf(header('x-mailer'))
  const url = copyStart(`mailto:${mail.to.join(',')}`, longestAddress)
  const body = { subject: maskText(subject), text: maskText(copyStart(text ?? '', longestBody)) }
  const hop = {
    at: mail.receivedAt,
    durationMilliseconds: 0,
    ...(requestId === undefined ? {} : { requestId: copyOf(requestId) }),
    ...(scenarioId === undefined ? {} : { scenarioId: copyOf(scenarioId) }),
    from: senders.has(caller) ? caller : 'client',
    to: 'mail',
    kind: 'mail' as const,
    method: 'SMTP',
    url: maskText(url),
    status: 250,
    requestBody: body,
  }
  runtime.traces.record(() => hop, hop.url.length + Buffer.byteLength(body.subject + body.text))
}
