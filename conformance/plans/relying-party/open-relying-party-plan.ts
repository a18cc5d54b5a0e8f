import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { openKit } from '../../targets/open-kit.ts'
import { createTraps } from '../../world/create-traps.ts'
import type { RelyingPartyContext } from './context.ts'
import { createRelyingPartyContext, type Landing } from './create-relying-party-context.ts'
import { findAcceptance } from './findings.ts'
import { type Provider, serveProvider } from './provider.ts'
import type { RelyingPartyTarget } from './z-target.ts'

/** The client of the kit's provider. */
const caller = 'relying-party under test'

const seconds = () => Math.floor(Date.now() / 1000)

/** Opens the plan `relying-party`: the kit plays the OpenID provider and the browsers of users. */
export async function openRelyingPartyPlan(
  target: RelyingPartyTarget,
  options: OpenPlanOptions,
): Promise<OpenPlan<RelyingPartyContext>> {
  const { name, description, client, loginUrl } = target
  let provider: Provider | undefined
  // The application may read the discovery document when it starts.
  const { server, ...running } = await openKit(target, caller, options, async (started) => {
    provider = await serveProvider(started, target, seconds)
    return {
      TESTBED_ISSUER: provider.issuer,
      TESTBED_CLIENT_ID: client.clientId,
      TESTBED_CLIENT_SECRET: client.clientSecret,
    }
  })
  if (provider === undefined) throw new TypeError('the provider was not served')
  const provided = provider
  const landing: Landing = {}
  const traps = createTraps({ caller, bind: target.kit?.bind, beside: server })
  const settle = async () => {
    running.settle()
    await traps.close()
  }
  return {
    plan: 'relying-party',
    target: {
      name,
      description,
      addresses: { login: loginUrl, 'OpenID provider': provided.issuer },
    },
    algorithm: 'RS256',
    missing: () => undefined,
    controls: {
      login: {
        run: async (context) =>
          findAcceptance(context, 'A valid login (see R01)', await context.logIn()),
      },
    },
    createContext: (base) =>
      createRelyingPartyContext(base, {
        target,
        provider: provided,
        landing,
        startTrap: () => traps.start(base.exchanges),
        describeProgram: running.describeProgram,
      }),
    settle,
    describeProgram: running.describeProgram,
    async close() {
      await settle()
      await running.close()
    },
  }
}
