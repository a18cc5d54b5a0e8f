import { type CheckBase, type Finding, held, inconclusive } from '../../kit/check.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { type OpenKit, openKit } from '../../targets/open-kit.ts'
import { createTraps } from '../../world/create-traps.ts'
import { describeAddresses } from '../../world/open-trust-world.ts'
import type { VerifierContext } from './context.ts'
import { observeVerdict, readVerdict } from './observe-verdict.ts'
import { readRequest, startSession } from './open-request.ts'
import { postPresentation, type Silence } from './post-presentation.ts'
import { presentOnce } from './presentation-checks.ts'
import type { VerifierTarget } from './z-target.ts'

/** The client of the kit's registries. */
export const verifierCaller = 'verifier under test'

/** The control `presentation`: the verifier accepts a valid presentation. */
async function findPresentationAccepted(context: VerifierContext): Promise<Finding> {
  const what = 'A valid presentation'
  const { verdict, reason, source } = await presentOnce(context, { what })
  const details = { verdictSource: source }
  if (verdict === 'accepted') return held(reason, details)
  const observed = `${what} was ${verdict} as well (${reason})`
  return inconclusive(`${observed}, so a rejection proves nothing; see V04.`, details)
}

/**
 * Opens the plan `verifier`: the kit plays the wallet and the registries.
 * @param kit a running kit; by default a new one as the target describes
 * @throws TestbedError `not_started`
 */
export async function openVerifierPlan(
  target: VerifierTarget,
  options: OpenPlanOptions,
  kit?: OpenKit,
): Promise<OpenPlan<VerifierContext>> {
  const { trust, server, environment, ...running } =
    kit ?? (await openKit(target, verifierCaller, options))
  const { signer, name, description } = target
  if (signer) trust.world.use(signer.kid, signer.publicKeyJwk, 'authentication')
  const traps = createTraps({ caller: verifierCaller, bind: target.kit?.bind, beside: server })

  const silence: Silence = { unanswered: 0 }

  const createContext = (base: CheckBase): VerifierContext => {
    const { askPerson } = options
    const adapter = { ...base, environment, ...(askPerson && { askPerson }) }
    const openRequest = async () => readRequest(await startSession(target, adapter), base)
    const present: VerifierContext['present'] = (opened, presentation = {}) =>
      postPresentation(opened, presentation, trust, { ...base, silence })
    const observe: VerifierContext['observe'] = (opened, answer) =>
      observeVerdict(target, opened, answer, adapter)
    return {
      ...base,
      trust,
      observesSeveral: target.verdict.person === undefined,
      openRequest,
      present,
      observe,
      look: (opened) => readVerdict(target, opened, adapter),
      startTrap: () => traps.start(base.exchanges),
    }
  }

  const settle = async () => {
    running.settle()
    await traps.close()
  }
  return {
    plan: 'verifier',
    target: {
      name,
      description,
      addresses: describeAddresses(trust.addresses),
    },
    algorithm: 'ES256K',
    // People take time to answer, and some checks ask often.
    ...(target.verdict.person && { timeLimitMilliseconds: 30 * 60_000, isPerson: true }),
    missing: (need) =>
      need === 'poll' && target.verdict.poll === undefined
        ? 'The check needs to read the state of a session at any time. Add verdict.poll to the target.'
        : undefined,
    controls: { presentation: { run: findPresentationAccepted } },
    createContext,
    settle,
    describeProgram: running.describeProgram,
    async close() {
      await settle()
      await running.close()
    },
  }
}
