import { isDeepStrictEqual } from 'node:util'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import {
  broken,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise, outageOf, requireJson } from '../../../kit/classify-answer.ts'
import { dueCases, findEach, requireEach } from '../../../kit/find-each.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { PresentationOptions } from '../../verifier/context.ts'
import type { IdpContext, TokenAnswer } from '../context.ts'
import { findLinkOfPage, findNoLogins, type WrongAuthorization } from '../find-login-page.ts'
import { person } from '../person.ts'
import { type Claims, requireUserinfo, verifyIdToken } from '../read-tokens.ts'
import { createPkce } from '../redeem-codes.ts'
import { observeLogin, requirePresentation } from '../verifier-of-logins.ts'

const luis = { firstName: 'Luis', lastName: 'Vega', email: 'luis.vega@first.example' }
const colleague = person({ ...luis, employeeId: 'EMP-2' })

/** Other people than the usual one. */
const others = [
  { what: 'a colleague', presentation: colleague },
  {
    what: 'a colleague with the same name and email',
    presentation: person({ employeeId: 'EMP-12' }),
    level: 'practice',
  },
  {
    what: 'a person of another organization with the same employeeId',
    presentation: person({}, { organizationIdentifier: 'VATES-B87654321' }),
  },
  {
    what: 'a colleague whose employeeId differs only in case',
    presentation: person({ employeeId: mandate.mandatee.employeeId.toLowerCase() }),
    level: 'practice',
  },
  {
    what: 'a colleague whose employeeId has an accent in addition',
    presentation: person({ employeeId: mandate.mandatee.employeeId.replace('E', 'É') }),
    level: 'practice',
  },
  {
    what: 'a colleague whose employeeId has a space at its end in addition',
    presentation: person({ employeeId: `${mandate.mandatee.employeeId} ` }),
    level: 'practice',
  },
  {
    what: 'a person whose two identifiers together are the same text',
    presentation: person(
      { employeeId: `${mandate.mandator.organizationIdentifier.slice(-1)}EMP-1` },
      { organizationIdentifier: mandate.mandator.organizationIdentifier.slice(0, -1) },
    ),
  },
] as const

/** Credentials that a person presents later, with the same wallet. */
const laterCredentials = [
  {
    what: 'with a credential that has another name, email and power',
    mandatee: { ...mandate.mandatee, ...luis },
    mandator: mandate.mandator,
    power: { type: 'domain', domain: 'Org', function: 'ProductOffering', action: ['create'] },
  },
  {
    what: 'with a credential of another organization, with another power',
    mandatee: mandate.mandatee,
    mandator: { ...mandate.mandator, organizationIdentifier: 'VATES-B87654321' },
    power: { type: 'domain', domain: 'Org', function: 'Certification', action: ['attest'] },
  },
]

/** The function of each power, to find in any serialization. */
const functions = [...mandate.power, ...laterCredentials.map(({ power }) => power)].map(
  (power) => power.function,
)

/** Values of organizationIdentifier that identify no organization. */
const withoutOrganization = [
  { what: 'without organizationIdentifier', organizationIdentifier: undefined },
  { what: 'with an empty organizationIdentifier', organizationIdentifier: '' },
  { what: 'with a blank organizationIdentifier', organizationIdentifier: ' ' },
  { what: 'with null as organizationIdentifier', organizationIdentifier: null },
  { what: 'with a number as organizationIdentifier', organizationIdentifier: 12345678 },
  {
    what: 'with a list as organizationIdentifier',
    organizationIdentifier: [mandate.mandator.organizationIdentifier],
  },
]

/** Who a relying party gets to know by a login. */
export const checks = defineChecks<IdpContext>({
  'O49-stable-subject': {
    title: 'A person has the same sub in every login, and another person a different one',
    level: 'final',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 2'],
    description:
      'Relying parties store accounts under sub. If it changes, people lose theirs; if two people share it, one gets the account of the other.',
    sends: `Two logins of a person with the same wallet, one after a change of name and email, and those of ${others.map(({ what }) => what).join(', ')}.`,
    decides:
      'sub is the same in the first two logins, and a different one in those of other people, who have other wallets. A sub that depends on name or email, and a colleague with the same user_identifier, are warnings.',
    fix: 'Derive sub from what identifies the person in the credential, such as organizationIdentifier and employeeId with a separator, and not from email, session or time. Compare both byte by byte: no trimming, no collation.',
    async run(context) {
      const account = createAccount()
      const claimsOf = async (presentation: PresentationOptions) => {
        const login = context.logInForTokens({ presentation })
        const { tokens } = await asPremise('a login (see O02)', login)
        return (await verifyIdToken(context, tokens)).claims
      }
      const { sub: first, user_identifier: user } = await claimsOf({ account })
      const { sub: second } = await claimsOf({ account })
      expectEqual('sub of the second login', second, first)
      await requireEach(others, async ({ what, presentation, ...each }) => {
        const { sub: other } = await claimsOf(presentation)
        if (isDeepStrictEqual(other, first))
          return broken(`The login of ${what} has the same sub.`, { actual: other, ...each })
      })
      const { user_identifier: another } = await claimsOf(colleague)
      if (user !== undefined && isDeepStrictEqual(another, user)) {
        const reason = 'The login of a colleague has the same user_identifier.'
        return broken(reason, { actual: another, level: 'practice' })
      }
      const { sub: renamed } = await claimsOf({ account, ...person(luis) })
      return isDeepStrictEqual(renamed, first)
        ? held('sub is stable, and differs between people.')
        : broken('sub changes with name and email.', { actual: renamed, level: 'practice' })
    },
  },
  'O79-parallel-logins': {
    title: 'Two logins in one browser keep their own state, nonce and person',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    rows: ['1.endpoints/credential-idp.17', '1.endpoints/credential-idp.18'],
    clauses: ['RFC 6749, 4.1.2', 'OpenID Connect Core 1.0, 3.1.3.7'],
    description:
      'People open a second tab. An IDP that keeps one login for each browser gives a relying party the state or the person of the other tab.',
    sends:
      'Two logins of two people in one browser, both with prompt=login, the second with the second client, if there is one, each with its own code_challenge if S256 is advertised. They are finished in the order in which they began, and, with two others, in the opposite order.',
    decides:
      'Each returns its own state, and its id_token has its own nonce. A login that does not return, a code that cannot be redeemed with its code_verifier, and the same sub for both are warnings. A second login that continues with a script is inconclusive.',
    fix: 'Put the id of the login into the address of its page, and store state, nonce, code_challenge, client and person under this id. Do not store them with the session or cookie of the browser.',
    run: (context) => findEach([false, true], (isLastFirst) => findApart(context, isLastFirst)),
  },
  'O92-hinted-person': {
    title: 'A login with id_token_hint fails for a different person, and for a forged hint',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['OpenID Connect Core 1.0, 3.1.2.2'],
    description:
      'A relying party that asks the logged-in person to confirm a payment sends the hint. If a colleague logs in, their confirmation counts as that of the person.',
    sends:
      'A login, then one in another browser with its id_token as id_token_hint, in which a colleague presents their credential. Authorization requests with this id_token and another signature or alg none, and with a hint that is not a JWT.',
    decides:
      'The second request leads to an error or to no code, not to tokens of the colleague. A forged hint that does not lead to an error is a warning.',
    fix: 'Verify the signature of id_token_hint with your own keys, and reject others with error=invalid_request. Compare its sub with that of the presented credential before you issue a code. If they differ, redirect with error=login_required, or show the QR code again.',
    async run(context) {
      const { tokens } = await asPremise('a login (see O02)', context.logInForTokens())
      const finding = await findColleague(context, tokens)
      if (finding.kind !== 'held') return finding
      const { redirectUri } = context.target.client
      return findNoLogins(context, forgedHints(String(tokens.id_token)), [redirectUri])
    },
  },
  'O83-claims-of-each-login': {
    title: 'id_token and userinfo have the claims of the presented credential',
    level: 'spec',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    rows: [
      '1.endpoints/credential-idp.6',
      '1.resources-and-their-fields/idp-id-token-claims.1',
      '1.resources-and-their-fields/idp-id-token-claims.3',
    ],
    description:
      'People have several credentials. With the claims of another login, a relying party lets them act for an organization, or with powers, that they did not present.',
    sends: `Logins with the same wallet: with the usual credential, ${laterCredentials.map(({ what }) => what).join(', and ')}. The codes of the last two are redeemed in parallel. Then userinfo is requested with all access tokens in parallel, twice.`,
    decides:
      'organization_identifier and power are those of the credential that the login presented, in the id_token and at userinfo. Another name or email, and a change of the claims for the first access token, are warnings.',
    fix: 'Store the claims of each login with its grant. Look them up by code or access token, not by sub, email or wallet, and keep nothing about a request in variables that all requests share.',
    async run(context) {
      const { logIn, requestTokens, codeForm, target } = context
      const account = createAccount()
      const first = await requireUserinfo(context, { presentation: { account } })
      const forms: Readonly<Record<string, string>>[] = []
      for (const { mandatee, mandator, power } of laterCredentials) {
        const presentation = { account, ...person(mandatee, mandator, [power]) }
        const login = logIn({ presentation })
        forms.push(codeForm(await asPremise('a later login (see O02)', login)))
      }
      // An IDP may limit the rate of requests, and keep only the latest token of a person.
      const requireAll = async (answers: Promise<HttpAnswer>[], what: string) =>
        (await Promise.all(answers)).map((answer) => requireJson(answer, what))
      const redeemed = forms.map((form) => requestTokens(form, target.client))
      const redeeming = requireAll(redeemed, 'A token request')
      const later = await asPremise('redeeming two codes at the same time (see O02)', redeeming)
      const headers = [first.tokens, ...later].map(({ access_token }) => ({
        authorization: `Bearer ${access_token}`,
      }))
      const http = context.httpAs('relying-party')
      const requests = [...headers, ...headers].map((each) =>
        http.request(first.url, { headers: each }),
      )
      const infos = await asPremise(
        'using the tokens of several logins at userinfo (see O12)',
        requireAll(requests, 'userinfo'),
      )
      for (const [index, credential] of laterCredentials.entries()) {
        const { claims } = await verifyIdToken(context, later[index] ?? {})
        const ofLogin = infos.filter((_, place) => place % headers.length === index + 1)
        const finding = findOther(credential, [claims, ...ofLogin])
        if (finding) return finding
      }
      const changed = infos.find(
        (info, place) => place % headers.length === 0 && !isDeepStrictEqual(info, first.claims),
      )
      return changed === undefined
        ? held('Each login has its own claims.')
        : broken('A later login changed the claims for the first access token.', {
            expected: first.claims,
            actual: changed,
            level: 'practice',
          })
    },
  },
  'O81-no-organization': {
    title: 'A credential without an organization does not yield a login',
    level: 'practice',
    expectation: 'refuse',
    control: 'presentation',
    needs: ['wallet-login'],
    rows: ['1.resources-and-their-fields/idp-id-token-claims.1'],
    description:
      'Relying parties give rights to organizations. With an empty identifier, people of different organizations share an account.',
    sends: `Logins with credentials ${withoutOrganization.map(({ what }) => what).join(', ')}.`,
    decides: 'No session ends as SUCCESS, and no browser gets a code.',
    fix: 'Require mandator.organizationIdentifier as a string that is not blank before you accept a presentation. Otherwise set the session to FAILED.',
    async run(context) {
      await requirePresentation(context)
      return findEach(dueCases(context, withoutOrganization), async ({ what, ...mandator }) => {
        const { verdict, reason, source, isOutage } = await observeLogin(
          context,
          person({}, mandator),
        )
        const details = { verdictSource: source }
        if (verdict === 'accepted')
          return wronglyAccepted(`A credential ${what} yielded a login.`, details)
        return verdict === 'refused'
          ? held(`A credential ${what} yielded no login.`, details)
          : inconclusive(reason, { ...details, ...(isOutage && outageOf(500)) })
      })
    },
  },
})

/** The finding about claims of a login that are not those of its credential. */
function findOther(
  { what, mandatee, mandator, power }: (typeof laterCredentials)[number],
  all: readonly Claims[],
): Finding | undefined {
  const due = {
    organization_identifier: mandator.organizationIdentifier,
    given_name: mandatee.firstName,
    family_name: mandatee.lastName,
    email: mandatee.email,
  }
  for (const claims of all) {
    const powers = JSON.stringify(claims.power)
    const isOther = functions.some((each) => powers?.includes(each) === (each !== power.function))
    const wrong = Object.entries(due)
      .filter(([name, value]) => claims[name] !== undefined && claims[name] !== value)
      .map(([name]) => name)
    const names = [...(isOther ? ['power'] : []), ...wrong]
    if (names.length === 0) continue
    // O11 finds that a mapper changes names.
    const isSerious = names.some((name) => ['power', 'organization_identifier'].includes(name))
    return broken(`A login ${what} has other claims: ${names.join(', ')}.`, {
      expected: { ...due, power: [power] },
      actual: claims,
      ...(isSerious ? {} : { level: 'practice' }),
    })
  }
  return undefined
}

/** Finishes two logins of one browser, and compares what each relying party gets. */
async function findApart(context: IdpContext, isLastFirst: boolean): Promise<Finding> {
  const { createBrowser, beginLogin, present, awaitReturn, requestTokens, codeForm } = context
  const { client, secondClient = client } = context.target
  const { code_challenge_methods_supported: methods } = await context.discover()
  const hasPkce = [methods].flat().includes('S256')
  const browser = createBrowser()
  const begin = async (party: typeof client, presentation: PresentationOptions) => {
    const { verifier, challenge } = createPkce()
    const parameters = { prompt: 'login', ...(hasPkce && challenge) }
    const added: Readonly<Record<string, string>> = hasPkce ? { code_verifier: verifier } : {}
    return { party, presentation, added, login: await beginLogin({ browser, party, parameters }) }
  }
  const inOrder = [await begin(client, {}), await begin(secondClient, colleague)]
  const subjects = new Set<unknown>()
  for (const { login, party, presentation, added } of isLastFirst
    ? inOrder.toReversed()
    : inOrder) {
    const { redirectUri } = await present(login, presentation)
    const callback = await awaitReturn(login, redirectUri)
    const code = callback?.searchParams.get('code')
    if (!callback || !code) {
      // Some IDPs end the session of the other person with a form that a script submits.
      const page = subjects.size > 0 ? await browser.get(login.page.url) : undefined
      if (page && /\.submit\(\)/.test(page.text) && findLinkOfPage(page) === undefined) {
        return inconclusive('The second login continues with a script, which the kit does not run.')
      }
      return broken('One of two logins in a browser did not return.', { level: 'practice' })
    }
    expectEqual('state', callback.searchParams.get('state'), login.state)
    const form = { ...codeForm({ ...login, callback, code }, party), ...added }
    const answer = await requestTokens(form, party)
    if (hasPkce && answer.status === 400) {
      return broken('The code of one of two logins does not have its own code_challenge.', {
        actual: answer.json,
        level: 'practice',
      })
    }
    const tokens = requireJson(answer, 'The token request')
    const { claims } = await verifyIdToken(context, tokens, party)
    expectEqual('nonce', claims.nonce, login.nonce)
    subjects.add(claims.sub)
  }
  return subjects.size === inOrder.length
    ? held('Both logins returned their own values.')
    : broken('Two people have the same sub.', { level: 'practice' })
}

/** A colleague presents their credential in a login with an id_token of a person as the hint. */
async function findColleague(context: IdpContext, tokens: TokenAnswer): Promise<Finding> {
  const { authorizationUrl, createBrowser, beginLogin, present, requestTokens } = context
  const { sub } = (await verifyIdToken(context, tokens)).claims
  const parameters = { state: 's', nonce: 'n', id_token_hint: String(tokens.id_token) }
  const { href } = await authorizationUrl({ parameters })
  const { status, url } = await createBrowser().get(href)
  // The person is not logged in there.
  if (status === 0 && new URL(url).searchParams.has('error')) {
    return held('The request with the hint returned with an error.')
  }
  const login = await beginLogin({ parameters })
  const { redirectUri } = await present(login, colleague)
  const callback = await context.awaitReturn(login, redirectUri)
  const code = callback?.searchParams.get('code')
  if (!callback || !code) return held('The login of the colleague returned no code.')
  const form = context.codeForm({ ...login, callback, code })
  const answer = requireJson(await requestTokens(form, context.target.client), 'Its code')
  const { sub: other } = (await verifyIdToken(context, answer)).claims
  return other === sub
    ? inconclusive('Both people have the same sub: see O49.')
    : wronglyAccepted('A colleague logged in with the hint of a person.', { actual: other })
}

/** Authorization requests with an id_token as the hint that the IDP did not issue like this. */
function forgedHints(idToken: string): readonly WrongAuthorization[] {
  const [header = '', payload = '', signature = ''] = idToken.split('.')
  const encode = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url')
  const other = encode(Buffer.from(signature, 'base64url').reverse())
  const hints = {
    'an id_token_hint with another signature': `${header}.${payload}.${other}`,
    'an id_token_hint with alg none': `${encode('{"alg":"none"}')}.${payload}.`,
    'an id_token_hint that is not a JWT': 'nothing',
  }
  return Object.entries(hints).map(([what, id_token_hint]) => ({
    what: `An authorization request with ${what}`,
    parameters: { state: 's', nonce: 'n', id_token_hint },
    level: 'practice',
  }))
}
