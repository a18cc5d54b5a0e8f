import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { onTestFinished } from 'vitest'
import { findFreePorts, listenOn } from './servers.ts'

/** An email as a third-party library reads it. Offer emails carry their text as an attachment. */
export async function readMail(data: Uint8Array): Promise<Email> {
  const mail = await PostalMime.parse(data)
  const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/plain')
  if (mail.text !== undefined || part === undefined) return mail
  return { ...mail, text: Buffer.from(part.content as Uint8Array).toString() }
}

/** The folder in which `.ci/run` stores the program that it builds. */
const cached = resolve(import.meta.dirname, '../../.cache/mailhog/MailHog')

/** Finds the real MailHog on this machine; undefined if there is none. */
export function findMailhog(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [
    process.env.MAILHOG_PATH ?? '',
    cached,
    ...[...folders, join(homedir(), 'go', 'bin')].flatMap((folder) => [
      join(folder, 'MailHog'),
      join(folder, 'mailhog'),
    ]),
  ]
  return candidates.find((path) => path !== '' && isProgram(path))
}

export interface RunningMailhog {
  readonly baseUrl: string
  readonly smtpUrl: string
  stop(): Promise<void>
}

/** Starts the real MailHog on free ports, with its emails in memory. */
export async function startMailhog(program: string): Promise<RunningMailhog> {
  const [smtp, http] = (await findFreePorts(2)).map((port) => `127.0.0.1:${port}`) as [
    string,
    string,
  ]
  const args = ['-smtp-bind-addr', smtp, '-api-bind-addr', http, '-ui-bind-addr', http]
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  const baseUrl = `http://${http}`
  for (let attempt = 0; ; attempt++) {
    const isUp = await fetch(`${baseUrl}/api/v2/messages`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    if (attempt === 100 || child.exitCode !== null) throw new Error('MailHog did not start')
    await new Promise((settle) => setTimeout(settle, 50))
  }
  return {
    baseUrl,
    smtpUrl: `smtp://${smtp}`,
    async stop() {
      child.kill()
      await ended
    },
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * How an SMTP server behaves: `busy` rejects every client as busy, `hang-up` ends each connection,
 * `lose-answer` accepts an email and ends the connection before it answers, `no-such-mailbox` rejects
 * every recipient.
 */
export type SmtpBehaviour = 'accept' | 'busy' | 'hang-up' | 'lose-answer' | 'no-such-mailbox'

export interface TestSmtpServer {
  readonly url: string
  behaviour: SmtpBehaviour
  /** The received emails, unchanged; also those without an answer. */
  readonly mails: string[]
  readonly connections: number
}

/** A minimal SMTP server (RFC 5321), without code of the testbed. It ends with the test. */
export async function startSmtpServer(
  behaviour: SmtpBehaviour = 'accept',
): Promise<TestSmtpServer> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    if (running.behaviour === 'hang-up') return socket.destroy()
    if (running.behaviour === 'busy') return socket.end('421 test Service not available\r\n')
    talk(socket, running)
    return undefined
  })
  const { host } = new URL(await listenOn(server))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const running: TestSmtpServer = {
    url: `smtp://${host}`,
    behaviour,
    mails: [],
    get connections() {
      return connections
    },
  }
  return running
}

/** Serves a client; a behaviour that changes meanwhile applies to the next one. */
function talk(socket: Socket, { behaviour, mails }: TestSmtpServer): void {
  let buffer = ''
  let inData = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 test ready')
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    buffer += chunk
    for (;;) {
      const end = inData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n')
      if (end < 0) return
      const text = buffer.slice(0, end)
      buffer = buffer.slice(end + (inData ? 5 : 2))
      if (inData) {
        inData = false
        mails.push(text)
        if (behaviour === 'lose-answer') return void socket.destroy()
        say('250 taken')
        continue
      }
      const command = text.slice(0, 4).toUpperCase()
      if (command === 'DATA') {
        inData = true
        say('354 continue')
      } else if (command === 'RCPT' && behaviour === 'no-such-mailbox') {
        say('550 no such mailbox')
      } else if (command === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 fine')
    }
  })
}
