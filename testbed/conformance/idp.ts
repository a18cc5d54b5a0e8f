import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { idpCaller, openIdpPlan } from '#conformance/plans/idp/open-idp-plan.ts'
import { zIdpTarget } from '#conformance/plans/idp/z-target.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { startLoginProcess, startLoginServices } from './start-login-services.ts'

/** The plan `idp` against the testbed's own IDP, whose verifier trusts the kit's registries. */
export async function openSelf(
  options: OpenPlanOptions,
  { isSeparate }: { readonly isSeparate?: boolean },
): Promise<OpenPlan> {
  const kit = await openKit({}, idpCaller, options)
  const services = await (isSeparate ? startLoginProcess : startLoginServices)(kit.trust)
  const { idpBaseUrl: issuer, client, secondClient, clockUrl } = services
  const name = "the testbed's own IDP"
  const target = zIdpTarget.parse({
    plan: 'idp',
    name,
    issuer,
    client,
    secondClient,
    // The verdict is final before the wallet has its answer.
    patience: 0.001,
    internalEndpoints: [`${issuer}/idp/api/auth/results`],
    adapter: {
      'advance-clock': { url: `${clockUrl}?advance={seconds}`, method: 'POST' },
      'reset-clock': { url: clockUrl, method: 'DELETE' },
    },
  })
  options.exchanges.hide(client.clientSecret, secondClient.clientSecret)
  const plan = await openIdpPlan(target, options, kit)
  return {
    ...plan,
    async close() {
      await services.close()
      await plan.close()
    },
  }
}
