import { join } from 'node:path'
import type { Runtime } from '#kit/runtime.ts'
import { type Listener, portTaken } from './listen.ts'
import { stateFolderOf, type TestbedOptions } from './options.ts'
import { portOfPart } from './ports.ts'
import { localHostOf } from './public-url.ts'
import type { Resources } from './resources.ts'
import type { Gate } from './snapshots/create-gate.ts'

function databaseUrlOf(options: TestbedOptions): string {
  if (options.databaseUrl !== undefined) return options.databaseUrl
  const folder = stateFolderOf(options)
  return folder === undefined ? 'sqlite::memory:' : `sqlite:${join(folder, 'mail.sqlite')}`
}

/**
 * Starts the mail server that all environments share; settles with its SMTP address.
 * @throws TestbedError `port_taken`
 */
export async function startMail(
  listener: Listener,
  baseUrl: string,
  options: TestbedOptions,
  runtime: Runtime,
  resources: Resources,
  gate: Gate,
): Promise<string> {
  const { portBase = 0, bind = '127.0.0.1' } = options
  const { composeMail } = await import('./compose/compose-mail.ts')
  const smtpPort = portOfPart(portBase, 'smtp')
  const databaseUrl = databaseUrlOf(options)
  const mail = await composeMail(
    { baseUrl, smtpHost: bind, smtpPort, databaseUrl, ...options.settings?.mail },
    runtime,
  ).catch((error) => {
    throw error?.code === 'EADDRINUSE' ? portTaken(smtpPort, 'the mail (SMTP)', error) : error
  })
  resources.add('services', () => mail.close())
  listener.serve(gate.guard(mail.app))
  return `smtp://${localHostOf(bind)}:${new URL(mail.smtpUrl).port}`
}
