import type { CheckBase } from '../../check-base.ts'
import type { OpenPlan, OpenPlanOptions } from '../../plan.ts'
import type { Observation } from '../../verdict-sources/verdict-source.ts'
import { type OpenTrustWorld, openTrustWorld } from '../../world/open-trust-world.ts'
import { type KitServer, startKitServer } from '../../world/start-kit-server.ts'
import { beginSession } from './begin-session.ts'
import type { VerifierContext } from './context.ts'
import { lookAtVerdict, observeVerdict } from './observe-verdict.ts'
import { postPresentation } from './post-presentation.ts'
import { readRequest } from './read-request.ts'
import type { VerifierTarget } from './z-target.ts'

/** What stands behind a verifier under test: the kit's registries, which it has to trust. */
export interface VerifierSurroundings {
  readonly server: KitServer
  readonly trust: OpenTrustWorld
}

const caller = 'verifier under test'

/** Starts the kit's server with a trust world for a verifier under test. */
export async function openVerifierSurroundings(
  { exchanges }: Pick<OpenPlanOptions, 'exchanges'>,
  { seed = 'verifier', ...options }: NonNullable<VerifierTarget['kit']> = {},
): Promise<VerifierSurroundings> {
  const { port, bind, publicUrl } = options
  const server = await startKitServer({
    exchanges,
    caller,
    ...(port === undefined ? {} : { port }),
    ...(bind === undefined ? {} : { bind }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  })
  return { server, trust: openTrustWorld(server, { seed, now: Math.floor(Date.now() / 1000) }) }
}

/** Opens the plan `verifier`: the kit plays the wallet and the registries. */
export async function openVerifierPlan(
  target: VerifierTarget,
  options: OpenPlanOptions,
  surroundings?: VerifierSurroundings,
): Promise<OpenPlan<VerifierContext>> {
  const { server, trust } = surroundings ?? (await openVerifierSurroundings(options, target.kit))
  const { signer, name, description } = target
  if (signer) trust.world.use(signer.kid, signer.publicKeyJwk, 'authentication')
  const traps: KitServer[] = []
  let control: Observation | undefined

  const createContext = (base: CheckBase): VerifierContext => {
    const openRequest = async () => readRequest(await beginSession(target, base), base)
    const present: VerifierContext['present'] = (opened, presentation = {}) =>
      postPresentation(opened, presentation, trust, base)
    const observe: VerifierContext['observe'] = (opened, answer) =>
      observeVerdict(target, opened, answer, base)
    return {
      ...base,
      trust,
      openRequest,
      present,
      observe,
      look: (opened) => lookAtVerdict(target, opened, base),
      async control() {
        if (control?.verdict !== 'accepted') {
          const opened = await openRequest()
          control = await observe(opened, await present(opened))
        }
        return control
      },
      async startTrap() {
        const { bind } = target.kit ?? {}
        const trap = await startKitServer({
          exchanges: base.exchanges,
          caller,
          ...(bind === undefined ? {} : { bind }),
        })
        traps.push(trap)
        const visits: string[] = []
        trap.mount('', 'trap', ({ method, path }) => {
          visits.push(`${method} ${path}`)
          return { status: 200, body: '{}' }
        })
        return { origin: trap.origin, visits }
      },
    }
  }

  const settle = async () => {
    trust.settle()
    await Promise.all(traps.splice(0).map((trap) => trap.close()))
  }
  return {
    plan: 'verifier',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: { ...trust.addresses },
    },
    algorithm: 'ES256K',
    missing: (need) =>
      need === 'poll' && target.verdict.poll === undefined
        ? 'It has to see the state of a session at any moment: add verdict.poll to the target.'
        : undefined,
    createContext,
    settle,
    async close() {
      await settle()
      await server.close()
    },
  }
}
