import { constants, existsSync, readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { browserDidNotStart } from '#scenarios/errors.ts'
import { unpackBundledBrowser } from './bundled-browser.ts'

export interface LaunchBrowserOptions {
  /** The path of the browser, usually the value of PUPPETEER_EXECUTABLE_PATH. */
  readonly executablePath?: string | undefined
  /** Set to `bundled` to ignore installed browsers. */
  readonly prefer?: 'installed' | 'bundled'
  /**
   * Where the bundled browser is unpacked. Default: a private folder below the temporary folder.
   */
  readonly folder?: string
}

const quiet = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts a headless Chromium: the given one, else an installed Chrome or Chromium, else the bundled
 * one. A pipe controls it, so that it ends when this process does, for any reason. The caller
 * handles signals and closes the browser.
 * @throws TestbedError `browser_missing` or `browser_did_not_start`, with what to do about it.
 */
export async function launchBrowser({
  executablePath,
  prefer = 'installed',
  folder,
}: LaunchBrowserOptions = {}): Promise<Browser> {
  const installed =
    executablePath ?? (prefer === 'installed' ? await findInstalledBrowser() : undefined)
  const bundled = installed ? undefined : await unpackBundledBrowser(folder ? { folder } : {})
  const path = installed ?? bundled?.executablePath ?? ''
  // Few scenarios need it, and it takes a third of the time in which the modules of a run load.
  const { launch } = await import('puppeteer-core')
  try {
    return await launch({
      executablePath: path,
      headless: bundled ? 'shell' : true,
      pipe: true,
      args: needsNoSandbox(bundled !== undefined) ? ['--no-sandbox', ...quiet] : quiet,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(bundled ? { env: bundled.env } : {}),
    })
  } catch (cause) {
    throw browserDidNotStart(path, cause)
  }
}

/**
 * Chromium rejects its sandbox for root, and containers and some kernels forbid it. Only pages of
 * the system under test are opened. An installed browser has its own permission for the last case.
 */
function needsNoSandbox(isBundled: boolean): boolean {
  if (process.platform !== 'linux') return false
  if (process.getuid?.() === 0) return true
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true
  return (
    isBundled &&
    (kernelSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1' ||
      kernelSetting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
  )
}

function kernelSetting(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome']

const folders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin']

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

export interface FindInstalledBrowserOptions {
  /** Folders to search before the usual ones, in the format of the PATH variable. */
  readonly path?: string
}

/** The path of an installed Chrome or Chromium, or undefined. */
export async function findInstalledBrowser({
  path = '',
}: FindInstalledBrowserOptions = {}): Promise<string | undefined> {
  const places = [...path.split(delimiter).filter((folder) => folder !== ''), ...folders]
  const candidates = [
    ...places.flatMap((folder) => names.map((name) => join(folder, name))),
    ...applications,
  ]
  for (const candidate of candidates) {
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return candidate
  }
  return undefined
}
