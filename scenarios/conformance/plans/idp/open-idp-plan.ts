import type { OpenPlan, OpenPlanOptions } from '../../plan.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { KitServer } from '../../world/start-kit-server.ts'
import type { IdpContext } from './context.ts'
import { createIdpContext } from './create-idp-context.ts'
import type { IdpTarget } from './z-target.ts'

/** What stands behind an IDP under test: the kit's registries, which its verifier has to trust. */
export interface IdpSurroundings {
  readonly server: KitServer
  readonly trust: OpenTrustWorld
  readonly name: string
  readonly description?: string
}

/** Opens the plan `idp`: the kit plays relying party, browser, wallet and registries. */
export function openIdpPlan(
  target: IdpTarget,
  { server, trust, name, description }: IdpSurroundings,
  _options: OpenPlanOptions,
): OpenPlan<IdpContext> {
  return {
    plan: 'idp',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: { 'OpenID provider': target.issuer, ...trust.addresses },
    },
    algorithm: 'ES256K',
    missing: (need) =>
      need === 'second-client' && target.secondClient === undefined
        ? 'It needs a second relying party: add secondClient to the target.'
        : undefined,
    createContext: (base) => createIdpContext(base, target, trust),
    settle: trust.settle,
    close: server.close,
  }
}
