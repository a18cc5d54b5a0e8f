import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  broken,
  type CheckLevel,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../kit/check.ts'
import { classifyStatus, outageOf } from '../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../kit/find-each.ts'
import { attributeOf, tagsIn } from '../../kit/read-pages.ts'
import type { EndedLogin, RelyingPartyContext } from './context.ts'
import type { TokenChanges } from './id-tokens.ts'
import type { Script } from './provider.ts'

/** Where the verdict of a relying party is visible. */
export const verdictSource = 'the page that the browser was shown'

/** The status of a page that a browser does not show because of its redirects: no server sends it. */
export const redirectFailed = 310

/** A login that the application must not complete. */
export interface WrongLogin {
  /** As the subject of a sentence. */
  readonly what: string
  readonly script: Script
  /** The level of a finding about it, if it is lower than that of the check. */
  readonly level?: CheckLevel
}

/** A login whose ID token has these changes. */
export const withToken = (what: string, changes: TokenChanges): WrongLogin => ({
  what: `An ID token ${what}`,
  script: { idToken: () => changes },
})

/** What the application must have requested before its reaction to a login counts. */
export type Reached = 'tokenRequests' | 'userinfoRequests'

const endpoints: Readonly<Record<Reached, string>> = {
  tokenRequests: 'token endpoint',
  userinfoRequests: 'userinfo endpoint',
}

/** Runs logins that must fail: the pages of the application must not show the user. */
export function findEachRejected(
  context: RelyingPartyContext,
  all: readonly WrongLogin[],
  reached?: Reached,
): Promise<Finding> {
  return findEach(dueCases(context, all), async ({ what, script, level }) => {
    const ended = await context.logIn(script)
    const finding = findRejection(context, what, ended)
    const isReached = reached === undefined || ended[reached].length > 0
    if (!isReached && finding.kind === 'held') {
      const reason = `${what} did not reach the application: it did not call the ${endpoints[reached]}.`
      return inconclusive(reason, { verdictSource })
    }
    return level && finding.kind === 'broken' ? { ...finding, level } : finding
  })
}

/** Evaluates a login that must fail. */
export function findRejection(
  { shows, proven }: Pick<RelyingPartyContext, 'shows' | 'proven'>,
  what: string,
  ended: EndedLogin,
): Finding {
  if (shows(ended)) {
    return wronglyAccepted(`${what} was accepted: the application shows its user.`, {
      verdictSource,
      actual: ended.page.url.split('?')[0],
    })
  }
  const { status } = ended.page
  const reason = `${what} did not log a user in: HTTP ${status}`
  if (status === 429 || classifyStatus(status) === 'timed-out') {
    return inconclusive(`${reason}, which is not a verdict`, { verdictSource })
  }
  // Many frameworks show what a library throws as HTTP 500: R47 warns about that. Whether the
  // application still works after it must be seen again.
  if (status >= 500) proven.delete('login')
  const outcomes = { 0: 'a new login', [redirectFailed]: 'redirects without an end' }
  const outcome = outcomes[status as keyof typeof outcomes]
  return held(outcome ? `${what} led to ${outcome}.` : reason, { verdictSource })
}

/** Evaluates a login that must succeed. */
export function findAcceptance(
  { shows }: Pick<RelyingPartyContext, 'shows'>,
  what: string,
  ended: EndedLogin,
): Finding {
  if (shows(ended)) return held(`${what} was accepted.`, { verdictSource })
  const shown = ended.userPage ?? ended.page
  const { status } = ended.page.status >= 500 ? ended.page : shown
  const actual = { url: shown.url.split('?')[0], status, text: shown.text.slice(0, 300) }
  const reason =
    ended.tokenRequests.length === 0
      ? `${what} was not accepted: the application did not call the token endpoint.`
      : `${what} was not accepted: no page shows the name, email or sub of the user.`
  const kind = classifyStatus(status)
  return kind === 'accepted' || kind === 'refused'
    ? broken(reason, { verdictSource, actual })
    : inconclusive(reason, { verdictSource, actual, ...outageOf(status) })
}

const image = '<img src=x onerror=alert(1)>'

/** Runs as a script in a page that does not escape it: as an element, or in an attribute. */
export const markup = `"'>${image}`

/** An address that runs as a script if someone follows it. */
export const scriptAddress = 'javascript:alert(1)'

/** Whether an HTML page contains the markup; without a type, browsers look for markup. */
export function containsMarkup({ headers, text }: HttpPage): boolean {
  if (!/html|^$/.test(headers.get('content-type') ?? '')) return false
  return text.includes(image) || tagsIn(text, '[a-z][\\w-]*').some(isScript)
}

/** Whether a start tag has the markup as an attribute, or leads to the script. */
const isScript = (tag: string): boolean =>
  / onerror=/.test(tag.replace(/"[^"]*"|'[^']*'/g, '')) ||
  ['href', 'action', 'src'].some((name) => attributeOf(tag, name) === scriptAddress)

/** Ends the check if a valid login is not accepted. */
export function requireShown(context: Pick<RelyingPartyContext, 'shows'>, ended: EndedLogin): void {
  const finding = findAcceptance(context, 'A valid login (see R01)', ended)
  if (finding.kind !== 'held') endCheck(inconclusive(finding.reason, { isBlocked: true }))
}
