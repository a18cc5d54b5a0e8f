import { spawn } from 'node:child_process'
import { readTestbedFile } from '#testbed/runs/running-testbed.ts'
import { consoleLinkRefused, testbedNotRunning } from './errors.ts'
import { print, printJson, say } from './terminal.ts'

/** What decides whether there is a desktop: `process.platform` and `process.env`. */
export interface Desktop {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The program that opens an address in the browser of the desktop; undefined on a machine without a
 * desktop, in CI, and over SSH, where the browser would open on the screen of a different machine.
 */
export function findOpener({ platform, environment }: Desktop): readonly string[] | undefined {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = environment
  if (CI || SSH_CONNECTION) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

const thisDesktop = (): Desktop => ({ platform: process.platform, environment: process.env })

/** Opens an address in the browser of the desktop. Returns whether a program for it started. */
export async function openBrowser(url: string, desktop = thisDesktop()): Promise<boolean> {
  const [program, ...args] = findOpener(desktop) ?? []
  if (program === undefined) return false
  return new Promise((settle) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => settle(false))
    child.once('spawn', () => {
      child.unref()
      settle(true)
    })
  })
}

/** Options of a command that opens a page of the console. */
export interface OpenOptions {
  readonly data: string
  readonly print?: boolean
  readonly json?: boolean
}

/**
 * Opens a page of the running testbed's console with a one-time link, and prints a fresh link for
 * another browser. Without a desktop, or with `--print`, it only prints a link.
 * @throws TestbedError `not_running`
 */
export async function openConsolePage(path: string, options: OpenOptions): Promise<void> {
  const createLink = await connectConsole(options.data)
  const link = await createLink(path)
  if (options.json) return printJson({ url: link })
  const isOpen = !options.print && (await openBrowser(link))
  if (isOpen) say('Opened in the browser. One-time link for another browser:')
  print(isOpen ? await createLink(path) : link)
}

async function connectConsole(data: string) {
  const testbed = await readTestbedFile(data)
  if (testbed === undefined) throw testbedNotRunning(data)
  const { url, token } = testbed.control
  return async (to: string): Promise<string> => {
    const response = await fetch(`${url}/console-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to }),
      signal: AbortSignal.timeout(5000),
      redirect: 'error',
    }).catch((cause: unknown) => {
      throw testbedNotRunning(data, cause)
    })
    if (!response.ok) throw consoleLinkRefused(response.status, await response.text())
    return ((await response.json()) as { url: string }).url
  }
}
