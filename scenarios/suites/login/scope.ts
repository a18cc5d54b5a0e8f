import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import {
  defineScenario,
  type Scenario,
  type ScenarioAlgorithm,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectMatch } from '#scenarios/harness/expectations.ts'

interface ScopeCase {
  readonly name: string
  readonly scope: string
  /** What the id_token says of the holder, beside `sub`. */
  readonly claims: readonly string[]
  readonly algorithm: ScenarioAlgorithm
  readonly why: string
}

const names = ['given_name', 'family_name', 'name', 'preferred_username']

const cases: readonly ScopeCase[] = [
  {
    name: 'openid',
    scope: 'openid',
    claims: [],
    algorithm: 'EdDSA',
    why: 'Whoever asks for nothing but `openid` learns that it is the same person again, and no more.',
  },
  {
    name: 'profile',
    scope: 'openid profile',
    claims: names,
    algorithm: 'ES256K',
    why: 'The profile has the names. The claim `email` is not in it: that is a scope of its own.',
  },
  {
    name: 'email',
    scope: 'openid email',
    claims: ['email'],
    algorithm: 'EdDSA',
    why: 'There is no `email_verified`: nobody has verified it.',
  },
  {
    name: 'openid-vp-lear',
    scope: 'openid openid-vp-lear',
    claims: [
      'email',
      ...names,
      'organization',
      'organization_identifier',
      'user_identifier',
      'power',
    ],
    algorithm: 'EdDSA',
    why: 'This scope alone gives everything, and `power` is a **string** with the serialized list.',
  },
]

function scenarioFor({ name, scope, claims, algorithm, why }: ScopeCase): Scenario {
  return defineScenario({
    id: `login/scope-${name}`,
    title: `A login with scope ${name} gives the claims of that scope and no other ones`,
    category: 'Login',
    algorithms: [algorithm],
    description: `
A relying party asks for \`${scope}\` and a holder logs in. The id_token has
${claims.length === 0 ? 'no claim but `sub`' : `\`sub\`, ${claims.map((claim) => `\`${claim}\``).join(', ')}`},
as the credential has them, and none of the other claims that there are. The userinfo endpoint says
the same.

${why}`,
    references: [
      { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
      { document: 'OpenID Connect Core 1.0', section: '5.4' },
      { document: 'Assumptions', section: 'A-42' },
    ],

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const credential = await step('A wallet holds a credential', () =>
        collectCredential(context, wallet),
      )
      const { relyingParty, login } = await step(`A relying party asks for ${scope}`, () =>
        beginLogin(context, scope),
      )
      const tokens = await step('The holder logs in', async () => {
        await presentCredential(context, wallet, login.link)
        await login.awaitEnd('SUCCESS')
        return relyingParty.redeem(await login.followRedirect())
      })
      const all = expectedClaims(credential)
      const sub = String(all.sub)
      const expected = Object.fromEntries(
        Object.entries(all).filter(([claim]) => claim === 'sub' || claims.includes(claim)),
      )
      const expectClaims = (what: string, found: Readonly<Record<string, unknown>>) => {
        expectIncludes(what, found, expected)
        const ofHolder = [...Object.keys(all), 'email_verified'].filter((claim) => claim in found)
        expectEqual(`the holder's claims in ${what}`, ofHolder.sort(), Object.keys(expected).sort())
      }
      await step('The id_token has the claims of the scope and no other ones', () => {
        expectClaims('the id_token', tokens.idTokenClaims)
        const { power } = tokens.idTokenClaims
        if (claims.includes('power')) expectMatch('power', power, /^\[\{.*\}\]$/)
      })
      await step('The userinfo endpoint says the same', async () => {
        expectClaims('userinfo', await relyingParty.readUserInfo(tokens.accessToken, sub))
      })
    },
  })
}

export const scenarios = cases.map(scenarioFor)
