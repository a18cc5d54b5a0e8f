import type { OpenPlan, OpenPlanOptions } from '#scenarios/conformance/plan.ts'
import { openIdpPlan } from '#scenarios/conformance/plans/idp/open-idp-plan.ts'
import { zIdpTarget } from '#scenarios/conformance/plans/idp/z-target.ts'
import { openTrustWorld } from '#scenarios/conformance/world/open-trust-world.ts'
import { startKitServer } from '#scenarios/conformance/world/start-kit-server.ts'
import { startLoginServices } from './start-login-services.ts'

/** The plan `idp` against the testbed's own IDP, whose verifier trusts the kit's registries. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan> {
  const { exchanges } = options
  const server = await startKitServer({ exchanges, caller: 'verifier of the IDP under test' })
  const trust = openTrustWorld(server, { seed: 'self', now: Math.floor(Date.now() / 1000) })
  const services = await startLoginServices(trust)
  const { idpBaseUrl: issuer, client, secondClient } = services
  const target = zIdpTarget.parse({ issuer, client, secondClient })
  const name = "the testbed's own IDP"
  const plan = openIdpPlan(target, { server, trust, name }, options)
  return {
    ...plan,
    async close() {
      await services.close()
      await plan.close()
    },
  }
}
