import type { CheckBase } from '../../kit/check.ts'
import { type Finding, held, inconclusive } from '../../kit/check.ts'
import type { ExchangeLog } from '../../kit/evidence/exchange-log.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { type OpenKit, openKit } from '../../targets/open-kit.ts'
import { describeAddresses } from '../../world/open-trust-world.ts'
import { type KitServer, startKitServer } from '../../world/start-kit-server.ts'
import type { Trap, VerifierContext } from './context.ts'
import { lookAtVerdict, observeVerdict } from './observe-verdict.ts'
import { beginSession, readRequest } from './open-request.ts'
import { postPresentation } from './post-presentation.ts'
import { presentOnce } from './presentation-checks.ts'
import type { VerifierTarget } from './z-target.ts'

export interface StartTrapOptions {
  readonly exchanges: ExchangeLog
  readonly caller: string
  /** As the kit's own server has it. */
  readonly bind?: string | undefined
  /** Where the kit's own server is: the trap is on another port of the same machine. */
  readonly beside: KitServer
}

/** Listens where nobody has a reason to come, and writes down who does. */
export async function startTrap(
  options: StartTrapOptions,
): Promise<Trap & { close(): Promise<void> }> {
  const { exchanges, caller, bind, beside } = options
  const server = await startKitServer({ exchanges, caller, ...(bind !== undefined && { bind }) })
  const visits: string[] = []
  server.mount('', 'trap', ({ method, path }) => {
    visits.push(`${method} ${path}`)
    return { status: 200, body: '{}' }
  })
  // By the name under which the kit is reached.
  const url = new URL(server.origin)
  url.hostname = new URL(beside.origin).hostname
  return { origin: url.origin, visits, close: server.close }
}

/** Who asks the kit's registries. */
export const verifierCaller = 'verifier under test'

/** The control `presentation`: one with nothing wrong is accepted. */
async function findPresentationAccepted(context: VerifierContext): Promise<Finding> {
  const what = 'A presentation with nothing wrong'
  const { verdict, reason, source } = await presentOnce(context, { what })
  const details = { verdictSource: source }
  if (verdict === 'accepted') return held(reason, details)
  const told = `${what} was ${verdict} too (${reason})`
  return inconclusive(`${told}, so that a refusal says nothing; see V04.`, details)
}

/**
 * Opens the plan `verifier`: the kit plays the wallet and the registries.
 * @param kit where it runs already; by default as the target says
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
  const traps: { close(): Promise<void> }[] = []

  const createContext = (base: CheckBase): VerifierContext => {
    const { askPerson } = options
    const adapter = { ...base, environment, ...(askPerson && { askPerson }) }
    const openRequest = async () => readRequest(await beginSession(target, adapter), base)
    const present: VerifierContext['present'] = (opened, presentation = {}) =>
      postPresentation(opened, presentation, trust, base)
    const observe: VerifierContext['observe'] = (opened, answer) =>
      observeVerdict(target, opened, answer, adapter)
    return {
      ...base,
      trust,
      openRequest,
      present,
      observe,
      look: (opened) => lookAtVerdict(target, opened, adapter),
      async startTrap() {
        const { bind } = target.kit ?? {}
        const { exchanges } = base
        const trap = await startTrap({ exchanges, caller: verifierCaller, bind, beside: server })
        traps.push(trap)
        return trap
      },
    }
  }

  const settle = async () => {
    running.settle()
    await Promise.all(traps.splice(0).map((trap) => trap.close()))
  }
  return {
    plan: 'verifier',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: describeAddresses(trust.addresses),
    },
    algorithm: 'ES256K',
    // People take their time, and some checks ask them often.
    ...(target.verdict.person && { timeLimitMilliseconds: 30 * 60_000 }),
    missing: (need) =>
      need === 'poll' && target.verdict.poll === undefined
        ? 'It has to see the state of a session at any moment: add verdict.poll to the target.'
        : undefined,
    controls: { presentation: { run: findPresentationAccepted } },
    createContext,
    settle,
    async close() {
      await settle()
      await running.close()
    },
  }
}
