import {
  type Check,
  type CheckLevel,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../kit/check.ts'
import { classifyStatus, outageOf, requireFinding } from '../../kit/classify-answer.ts'
import { dueCases } from '../../kit/find-each.ts'
import { accepted, type Observation, refused, undecided } from '../../targets/verdict-sources.ts'
import type {
  OpenedRequest,
  PostAnswer,
  PresentationOptions,
  VerifierContext,
} from '../verifier/context.ts'
import { readRequest } from '../verifier/open-request.ts'
import { postPresentation } from '../verifier/post-presentation.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { awaitSessionEnd, codeAt, continuedAt, pollSession, sessionCodeOf } from './sessions.ts'

/**
 * The verifier behind an IDP, as the checks of the plan `verifier` see one: each session is a login
 * in a new browser. A login with a code is accepted, regardless of the status of its session.
 */
function verifierOf(context: IdpContext): VerifierContext {
  const { trust, startTrap, beginLogin } = context
  const logins = new Map<string, BegunLogin>()
  const loginOf = ({ link }: OpenedRequest): BegunLogin => {
    const login = logins.get(link)
    if (login === undefined) throw new TypeError('the request is not that of a login')
    return login
  }
  const judge = (status: unknown): Observation => {
    const source = `status of the session = ${status}`
    if (status === 'SUCCESS') return accepted(source, 'The login succeeded.')
    if (status === 'FAILED') return refused(source, 'The login failed.')
    const open = undecided(source, 'The login is still open.')
    return status === 'PENDING' ? { ...open, isPending: true } : open
  }
  const look = async (opened: OpenedRequest) =>
    judge(await pollSession(context, sessionCodeOf(loginOf(opened).page)))

  return {
    ...context,
    skipsSilence: true,
    observesSeveral: true,
    async openRequest() {
      const login = await beginLogin()
      logins.set(login.link, login)
      return readRequest({ link: login.link, session: undefined }, context)
    },
    present: (opened, options = {}) => postPresentation(opened, options, trust, context),
    startTrap,
    look,
    async observe(opened, answer) {
      const { browser, page } = loginOf(opened)
      const isTaken = classifyAnswer(answer) === 'accepted'
      const seen = isTaken
        ? judge(await awaitSessionEnd(context, sessionCodeOf(page)))
        : await look(opened)
      if (seen.verdict === 'accepted') return seen
      const shown = await browser.get(page.url)
      const continued = continuedAt(context.target, page)
      const last = continued === undefined ? shown : await browser.get(continued)
      if (codeAt(shown) !== null || codeAt(last) !== null) {
        return accepted('redirect', 'The browser got a code.')
      }
      if (shown.status === 500) {
        const source = 'HTTP status of the page after the presentation = 500'
        return { ...undecided(source, 'The page of the login shows HTTP 500.'), ...outageOf(500) }
      }
      return isTaken ? seen : judgeAnswer(answer)
    },
  }
}

const classifyAnswer = ({ status }: PostAnswer) =>
  status === 0 ? 'timed-out' : classifyStatus(status)

function judgeAnswer(answer: PostAnswer): Observation {
  const source = `HTTP status of the response endpoint = ${answer.status}`
  return classifyAnswer(answer) === 'refused'
    ? refused(source, answer.reason)
    : { ...undecided(source, answer.reason), ...outageOf(answer.status) }
}

/** A finding of a check of the plan `verifier`, and its other failures, with its id and level. */
const attribute = (finding: Finding, check: Check<VerifierContext>): Finding => ({
  ...finding,
  reason: `${check.id} of the verifier plan: ${finding.reason}`,
  level: finding.level ?? check.level,
  ...(finding.also && { also: finding.also.map((each) => attribute(each, check)) }),
})

const levels: readonly CheckLevel[] = ['practice', 'final', 'spec']

/** The level of the most important of some checks. */
export const highestLevel = (checks: readonly Pick<Check, 'level'>[]): CheckLevel =>
  levels[Math.max(...checks.map(({ level }) => levels.indexOf(level)))] ?? 'practice'

const isHigher = (one: CheckLevel, other: CheckLevel) => levels.indexOf(one) > levels.indexOf(other)

/** The result of a login in which the wallet presents this. */
export async function observeLogin(
  context: IdpContext,
  presentation: PresentationOptions = {},
): Promise<Observation> {
  const verifier = verifierOf(context)
  const opened = await verifier.openRequest()
  return verifier.observe(opened, await verifier.present(opened, presentation))
}

/**
 * The control `presentation`: a valid presentation ends its session as SUCCESS, or its browser gets
 * a code. Tokens do not matter here: O02 tests them.
 */
export async function findPresentation(context: IdpContext): Promise<Finding> {
  const { verdict, reason } = await observeLogin(context)
  return verdict === 'accepted'
    ? held('A valid presentation yields a login.')
    : inconclusive(`A valid presentation (see O02) does not yield a login. ${reason}`)
}

/** Why valid presentations fail, for each run of the plan in which they do. */
const failures = new WeakMap<IdpContext['proven'], Finding>()

/**
 * Ends the check as inconclusive if valid presentations do not yield logins: others would then be
 * sent for nothing. Only the first check of a run finds that out, with two presentations. Proves
 * the control `presentation`.
 */
export async function requirePresentation(context: IdpContext): Promise<void> {
  const { proven } = context
  if (proven.has('presentation')) return
  const known = failures.get(proven)
  if (known) endCheck(known)
  const first = await findPresentation(context).catch(requireFinding)
  const { kind, reason } =
    first.kind === 'held' ? first : await findPresentation(context).catch(requireFinding)
  if (kind !== 'held') {
    const finding = inconclusive(reason)
    failures.set(proven, finding)
    endCheck(finding)
  }
  proven.add('presentation')
}

/** After this many checks without a verdict, the others will have none either. */
const mostInconclusive = 2

/**
 * Runs checks of the plan `verifier` with logins, the most important first, until one is broken.
 * What they find has their own level.
 */
export async function findThroughLogins(
  context: IdpContext,
  all: readonly Check<VerifierContext>[],
): Promise<Finding> {
  const verifier = verifierOf(context)
  const checks = dueCases(context, all, 1).toSorted(
    (one, other) => levels.indexOf(other.level) - levels.indexOf(one.level),
  )
  const undecidedOnes: Finding[] = []
  let worst: { readonly finding: Finding; readonly level: CheckLevel } | undefined
  for (const check of checks) {
    if (worst && !isHigher(check.level, worst.level)) break
    const finding = await check.run(verifier).catch(requireFinding)
    const level = finding.level ?? check.level
    if (finding.kind === 'broken' && (!worst || isHigher(level, worst.level))) {
      worst = { finding: attribute(finding, check), level }
    }
    if (finding.kind === 'inconclusive') undecidedOnes.push(attribute(finding, check))
    if (undecidedOnes.length === mostInconclusive) break
  }
  if (worst) return worst.finding
  const [first] = undecidedOnes
  if (first) return inconclusive(first.reason, first)
  return held(`Logins met ${checks.map(({ id }) => id).join(', ')} of the verifier plan.`, {
    verdictSource: 'status of the session',
  })
}
