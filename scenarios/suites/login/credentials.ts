import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { type CredentialDefect, credentialDefects } from '#scenarios/fixtures/credential-defects.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { expectedClaims, holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, completeLogin, expectLoginFailure, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential, presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { expectWalletStop } from '#scenarios/fixtures/wallet-refusals.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import { createCredentialSelector } from '#wallet-emulator/actions/select-credentials.ts'

const failing = (rule: string) => `
The wallet presents it correctly in every other way, regardless of the request. The verifier answers the
post with 200, as for every presentation, and the session ends as \`FAILED\`. The relying party gets no
code, and the page gives the reason: its details begin with the rule \`${rule}\`.`

const passing = `
It looks unusual, but it is valid: the login must succeed.`

function scenarioFor(defect: CredentialDefect, index: number): Scenario {
  const { name, check, what, rule, document, section } = defect
  const subject = `A credential ${what}`
  return defineScenario({
    id: `login/defective-credential-${name}`,
    title: `${subject.replaceAll('`', '')} ${rule ? 'cannot' : 'can'} be used to log in`,
    algorithms: oneAlgorithm(index),
    description: `
A wallet holds a credential ${what} (check ${check}).
${rule ? failing(rule) : passing}`,
    references: cite(
      `${document}: ${section}`,
      'Profile: 1.states-and-transitions.6, 1.states-and-transitions.7',
    ),

    async run(context) {
      const { step, control } = context
      const wallet = context.createWallet()
      await step('A wallet holds such a credential', async () => {
        const holderDid = wallet.account.did
        const { credential } = await control.createDefectiveCredential({ defect: name, holderDid })
        await holdCredential(context, wallet, expectPresent('the credential', credential))
      })
      if (rule === undefined) {
        const tokens = await step('It logs its holder in', () => logIn(context, wallet))
        expectTrue('there is an id_token', tokens.idToken !== '')
        return
      }
      const page = await step('A login with it fails', () =>
        expectLoginFailure(context, wallet, presentRegardless),
      )
      await step('The page gives the reason', () => {
        expectMatch('the page', page.text, /id="reason" role="alert">\s*\w/)
        const broken = brokenRulesOf(page)
        expectTrue(`${rule} is the first of the broken rules`, broken[0] === rule, broken)
      })
    },
  })
}

const twoCredentials = defineScenario({
  id: 'login/two-credentials',
  title: 'The holder chooses one of two credentials, and the other one stays private',
  algorithms: ['EdDSA'],
  description: `
A representative of two organizations has a credential of each in one wallet. Both match the request, and
the holder chooses the credential of the **first** organization.

The presentation contains only that credential, and the login is on behalf of its organization.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/presentation-authorization-request',
    'Profile: 1.resources-and-their-fields/presentation-submission',
    'Profile: 1.resources-and-their-fields/idp-id-token-claims',
  ),

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const [first, second] = await step('A wallet holds a credential of two organizations', () =>
      Promise.all(
        environment.organizations
          .slice(0, 2)
          .map(({ organizationIdentifier }) =>
            collectCredential(context, wallet, { organizationIdentifier }),
          ),
      ),
    )
    const chosen = expectPresent('the credential that is chosen', first)
    const other = expectPresent('the other credential', second)
    const { organizationIdentifier } = chosen.vc.credentialSubject.mandate.mandator
    const { relyingParty, login } = await step('A relying party begins a login', beginLogin)
    const { vpToken } = await step("Both match; the holder chooses the first organization's", () =>
      present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        select(matching) {
          expectEqual('the number of matching credentials', matching.candidates.length, 2)
          return createCredentialSelector({ organizationIdentifier })(matching)
        },
      }),
    )
    await step('The presentation contains only that credential', () => {
      const jws = parseJws(vpToken)
      const { verifiableCredential: held } = (jws.ok ? jws.payload.vp : {}) as {
        verifiableCredential?: readonly string[]
      }
      const ids = held?.map((credential) => {
        const inner = parseJws(credential)
        return inner.ok ? inner.payload.jti : undefined
      })
      expectEqual('the credentials in it', ids, [chosen.payload.jti])
    })
    await step('The login is on behalf of its organization', async () => {
      const { idTokenClaims } = await completeLogin({ login, relyingParty })
      expectIncludes('the id_token', idTokenClaims, expectedClaims(chosen))
      const { mandator } = other.vc.credentialSubject.mandate
      const text = JSON.stringify(idTokenClaims)
      const isShown = text.includes(mandator.organizationIdentifier)
      expectTrue('the other one is not mentioned', !isShown, text)
    })
  },
})

const noMatchingCredential = defineScenario({
  id: 'login/no-matching-credential',
  title: 'A wallet without a credential of the requested type posts nothing',
  algorithms: ['ES256K'],
  description: `
A wallet receives a request while it is empty, and again while it holds a credential of **another type**.
Both times it reports that no credential matches, and does not post a response: the session is still
\`PENDING\`.

Then it collects the right credential, scans the same QR code again, and the login succeeds.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/presentation-authorization-request',
    'Profile: 1.resources-and-their-fields/verification-session',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { relyingParty, login } = await step('A relying party begins a login', beginLogin)
    const expectNothingPosted = async () => {
      const answering = presentCredential(context, wallet, login.link)
      await expectWalletStop('the request', answering, 'no_matching_credential')
      expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
    }
    await step('An empty wallet has no matching credential', expectNothingPosted)
    await step('Nor does a wallet with a credential of another type', async () => {
      const holderDid = wallet.account.did
      const { credential } = await control.createDefectiveCredential({
        defect: 'type-other',
        holderDid,
      })
      await holdCredential(context, wallet, expectPresent('the credential', credential))
      await expectNothingPosted()
    })
    await step('With the right one the wallet answers the same QR code', async () => {
      await collectCredential(context, wallet)
      await presentCredential(context, wallet, login.link)
      await completeLogin({ login, relyingParty })
    })
  },
})

export const scenarios = [
  ...credentialDefects.map(scenarioFor),
  twoCredentials,
  noMatchingCredential,
]
