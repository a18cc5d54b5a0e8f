import { setTimeout as sleep } from 'node:timers/promises'
import { fillUrl } from '../../adapters/fill-placeholders.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { findSessionCode } from './session-code-of.ts'

type Waiting = Pick<IdpContext, 'target' | 'signal'>

const shortestPause = 50
const longestPause = 1000

/**
 * Goes on in the browser of a login as its page would, whose script the kit does not run: where the
 * target says, or else the page again. Where that leads nowhere, to where the wallet was told to go
 * on, and with the authorization request once more, as the browser may be logged in by now.
 * @returns where it came back to the relying party; undefined where it did not in time
 */
export async function awaitReturn(
  { target, signal }: Waiting,
  { browser, page, url }: BegunLogin,
  redirectUri?: string,
): Promise<URL | undefined> {
  const { patience, continueAt } = target
  const ends = performance.now() + patience * 1000
  const session = findSessionCode(page)
  const named = continueAt === undefined ? undefined : fillUrl(continueAt, { session })
  const others = [redirectUri, url].filter((each) => each !== undefined)
  const visit = async (address: string) => {
    const at = await browser.get(address)
    return at.status === 0 && isBackAt(target, at.url) ? new URL(at.url) : undefined
  }
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const back = await visit(named ?? page.url)
    if (back !== undefined) return back
    if (performance.now() + pause > ends) break
    // A page asks like this as well; there is no event that a stranger could wait for.
    await sleep(pause, undefined, { signal })
  }
  for (const other of others) {
    const back = await visit(other)
    if (back !== undefined) return back
  }
  return undefined
}

/** Whether an address is one of those that the relying parties are called back at. */
function isBackAt({ client, secondClient }: IdpContext['target'], url: string): boolean {
  const parties = secondClient ? [client, secondClient] : [client]
  return parties.some(({ redirectUri }) => url.startsWith(redirectUri))
}
