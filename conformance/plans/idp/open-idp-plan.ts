import { broken, type Finding, held, inconclusive } from '../../kit/check.ts'
import { asPremise, classifyStatus, errorOf } from '../../kit/classify-answer.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { type OpenKit, openKit } from '../../targets/open-kit.ts'
import { createTargetClock } from '../../targets/target-clock.ts'
import { createTraps } from '../../world/create-traps.ts'
import { describeAddresses } from '../../world/open-trust-world.ts'
import type { IdpContext } from './context.ts'
import { createIdpContext } from './create-idp-context.ts'
import { madeUpForm } from './redeem-codes.ts'
import { findPresentation } from './verifier-of-logins.ts'
import type { IdpParty, IdpTarget } from './z-target.ts'

/** The client of the kit's registries: the verifier behind the IDP. */
export const idpCaller = 'verifier of the IDP under test'

/** Errors about a client rather than its code. */
const clientErrors = ['invalid_client', 'unauthorized_client']

/** The controls: a valid login of this relying party ends with tokens. */
async function findLogin(context: IdpContext, party: IdpParty): Promise<Finding> {
  const what = `A login of ${party.clientId} (see O02)`
  await asPremise(what, context.logInForTokens({ party }))
  return held(`${what} ended with tokens.`)
}

/**
 * The control of rejected clients and codes: with a made-up code the client is identified, and with
 * a wrong secret it is not. If its errors do not show that, a valid login ends with tokens. Some
 * providers return unauthorized_client for a wrong secret, which O08 warns about.
 */
async function findClient(context: IdpContext): Promise<Finding> {
  const { client } = context.target
  const form = madeUpForm(context)
  const known = errorOf(await context.requestTokens(form, client))
  const impostor = { ...client, clientSecret: 'this is a wrong secret' }
  const unknown = errorOf(await context.requestTokens(form, impostor))
  return known === 'invalid_grant' && clientErrors.includes(String(unknown))
    ? held('With its secret the client is known, and with another one it is not.')
    : findLogin(context, client)
}

/** The control of rejected authorization requests: a correct one leads to a page or to a code. */
async function findAuthorization(context: IdpContext): Promise<Finding> {
  const address = await context.authorizationUrl({ parameters: { state: 'state', nonce: 'nonce' } })
  const { status, url } = await context.createBrowser().get(address.href)
  const leads = status === 0 && (!/^https?:/.test(url) || new URL(url).searchParams.has('code'))
  if (status === 200 || leads) return held('A correct authorization request was accepted.')
  const reason = `A correct authorization request (see O02) was answered with HTTP ${status}`
  const kind = classifyStatus(status)
  return kind === 'accepted' || kind === 'refused' ? broken(reason) : inconclusive(reason)
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
  const { server, trust, ...running } = kit ?? (await openKit(target, idpCaller, options))
  const traps = createTraps({ caller: idpCaller, bind: target.kit?.bind, beside: server })
  const clock = createTargetClock(target.adapter ?? {}, options.exchanges)
  const settle = async () => {
    await clock.reset()
    running.settle()
    await traps.close()
  }
  const { name, description, issuer, client, secondClient, patience } = target
  const { internalEndpoints, walletLogin, signer } = target
  if (signer) trust.world.use(signer.kid, signer.publicKeyJwk, 'authentication')
  const missing: Readonly<Record<string, string | undefined>> = {
    'second-client': secondClient
      ? undefined
      : 'It needs a second relying party: add secondClient to the target.',
    'wallet-login': walletLogin
      ? undefined
      : 'It needs a login with a wallet: set walletLogin of the target to true.',
    'internal-endpoints': internalEndpoints
      ? undefined
      : 'The profile does not specify their addresses: add internalEndpoints to the target.',
    clock: target.adapter
      ? undefined
      : 'It needs a clock that the kit can move: add the verb advance-clock to an adapter.',
  }
  return {
    plan: 'idp',
    target: {
      name,
      description,
      addresses: { 'OpenID provider': issuer, ...describeAddresses(trust.addresses) },
    },
    algorithm: 'ES256K',
    // Some checks log in twice, each with an answer to wait for.
    timeLimitMilliseconds: 60_000 + 3 * patience * 1000,
    missing: (need) => missing[need],
    controls: {
      authorization: { run: findAuthorization },
      client: { run: findClient },
      login: { run: (context) => findLogin(context, client) },
      presentation: { run: findPresentation },
      'second-login': { run: (context) => findLogin(context, secondClient ?? client) },
    },
    createContext: (base) =>
      createIdpContext(
        { ...base, now: clock.now },
        {
          target,
          trust,
          startTrap: () => traps.start(base.exchanges),
          advanceClock: (seconds) => clock.advance(seconds, base),
          resetClock: () => clock.reset(base.signal),
        },
      ),
    settle,
    describeProgram: running.describeProgram,
    async close() {
      await settle()
      await running.close()
    },
  }
}
