import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * How an SMTP server behaves: `busy` says so to everybody, `hang-up` ends each connection,
 * `lose-answer` takes a mail and ends the connection before it says so, `no-such-mailbox` takes none
 * for anybody.
 */
export type SmtpBehaviour = 'accept' | 'busy' | 'hang-up' | 'lose-answer' | 'no-such-mailbox'

export interface TestSmtpServer {
  readonly url: string
  behaviour: SmtpBehaviour
  /** The mails that it took, as they came; also those of which it could not say so. */
  readonly mails: string[]
  readonly connections: number
}

/** An SMTP server (RFC 5321) of a few lines, without any of our code. It ends with the test. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const running: TestSmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour,
    mails: [],
    get connections() {
      return connections
    },
  }
  return running
}

function talk(socket: Socket, server: TestSmtpServer): void {
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
        server.mails.push(text)
        if (server.behaviour === 'lose-answer') return void socket.destroy()
        say('250 taken')
        continue
      }
      const command = text.slice(0, 4).toUpperCase()
      if (command === 'DATA') {
        inData = true
        say('354 go on')
      } else if (command === 'RCPT' && server.behaviour === 'no-such-mailbox') {
        say('550 no such mailbox')
      } else if (command === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 fine')
    }
  })
}
