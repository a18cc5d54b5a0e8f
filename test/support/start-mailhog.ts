import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { findFreePorts } from './find-free-ports.ts'

/** Where `.ci/run` puts the program that it builds. */
const cached = resolve(import.meta.dirname, '../../.cache/mailhog/MailHog')

/** The real MailHog of this machine; undefined where there is none. */
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

/** Starts the real MailHog on free ports, with its mails in memory. */
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
