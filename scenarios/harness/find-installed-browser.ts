import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome']
const folders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/snap/bin']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

export interface FindInstalledBrowserOptions {
  /** Folders to look in before the usual ones, in the form of the PATH variable. */
  readonly path?: string
}

/** The path of a Chrome or Chromium that is installed on this machine, or undefined. */
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
