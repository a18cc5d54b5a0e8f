import { findInstalledBrowser } from '#scenarios/harness/launch-browser.ts'
import type { Finding } from './check.ts'

/** Which browser the login scenarios would use; the bundled one serves where none is installed. */
export async function checkBrowser(executablePath: string | undefined): Promise<Finding> {
  const name = 'browser'
  const found = executablePath ?? (await findInstalledBrowser())
  if (found !== undefined) return { name, verdict: 'ok', found }
  return { name, verdict: 'ok', found: 'none installed: the one in the packages is used' }
}
