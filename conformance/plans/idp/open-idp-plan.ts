import { type Finding, held } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { type OpenKit, openKit } from '../../targets/open-kit.ts'
import { describeAddresses } from '../../world/open-trust-world.ts'
import type { IdpContext } from './context.ts'
import { createIdpContext } from './create-idp-context.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** The client of the kit's registries: the verifier behind the IDP. */
export const idpCaller = 'verifier of the IDP under test'

/** The controls: a valid login of this relying party ends with tokens. */
async function findLogin(context: IdpContext, party: IdpParty): Promise<Finding> {
  const what = `A login of ${party.clientId} (see O02)`
  await asPremise(what, context.logInForTokens({ party }))
  return held(`${what} ended with tokens.`)
}

/**
 * Opens the plan `idp`: the kit plays relying party, browser, wallet and registries.
 * @param kit the kit, if it is running already; by default as the target specifies
 */
export async function openIdpPlan(
  target: IdpTarget,
  options: OpenPlanOptions,
  kit?: OpenKit,
): Promise<OpenPlan<IdpContext>> {
  const { trust, settle, close } = kit ?? (await openKit(target, idpCaller, options))
  const { name, description, issuer, client, secondClient, internalEndpoints, patience } = target
  const missing: Readonly<Record<string, string | undefined>> = {
    'second-client': secondClient
      ? undefined
      : 'It needs a second relying party: add secondClient to the target.',
    'internal-endpoints': internalEndpoints
      ? undefined
      : 'The profile does not specify their addresses: add internalEndpoints to the target.',
  }
  return {
    plan: 'idp',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: { 'OpenID provider': issuer, ...describeAddresses(trust.addresses) },
    },
    algorithm: 'ES256K',
    // Some checks log in twice, each with an answer to wait for.
    timeLimitMilliseconds: 60_000 + 3 * patience * 1000,
    missing: (need) => missing[need],
    controls: {
      login: { run: (context) => findLogin(context, client) },
      'second-login': { run: (context) => findLogin(context, secondClient ?? client) },
    },
    createContext: (base) => createIdpContext(base, target, trust),
    settle,
    close,
  }
}
