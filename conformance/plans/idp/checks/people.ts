import { isDeepStrictEqual } from 'node:util'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import {
  broken,
  defineChecks,
  type Finding,
  findEach,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { asPremise, outageOf, requireJson } from '../../../kit/classify-answer.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import type { PresentationOptions } from '../../verifier/context.ts'
import { sampleOf } from '../../verifier/presentation-checks.ts'
import type { IdpContext } from '../context.ts'
import { requireUserinfo, verifyIdToken } from '../read-tokens.ts'
import { observeLogin, requirePresentation } from '../verifier-of-logins.ts'

/** The valid credential of another person, with these members of the mandate. */
const person = (mandatee: object, mandator: object = {}): PresentationOptions => ({
  defect: {
    name: 'person',
    description: 'Another person.',
    change: () => ({
      mandate: {
        mandatee: { ...mandate.mandatee, ...mandatee },
        mandator: { ...mandate.mandator, ...mandator },
      },
    }),
  },
})

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
    what: 'a person whose two identifiers together are the same text',
    presentation: person(
      { employeeId: `${mandate.mandator.organizationIdentifier.slice(-1)}EMP-1` },
      { organizationIdentifier: mandate.mandator.organizationIdentifier.slice(0, -1) },
    ),
  },
] as const

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
      'sub is the same in the first two logins, and a different one in those of other people. A sub that depends on name or email is a warning.',
    fix: 'Derive sub from what identifies the person in the credential, such as organizationIdentifier and employeeId with a separator, and not from email, session or time.',
    async run(context) {
      const account = createAccount()
      const subjectOf = async (presentation: PresentationOptions) => {
        const login = context.logInForTokens({ presentation })
        const { tokens } = await asPremise('a login (see O02)', login)
        return (await verifyIdToken(context, tokens)).claims.sub
      }
      const [first, second] = [await subjectOf({ account }), await subjectOf({ account })]
      expectEqual('sub of the second login', second, first)
      for (const { what, presentation, ...each } of others) {
        const other = await subjectOf({ account, ...presentation })
        if (isDeepStrictEqual(other, first))
          return broken(`The login of ${what} has the same sub.`, { actual: other, ...each })
      }
      const renamed = await subjectOf({ account, ...person(luis) })
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
      'Two logins of two people in one browser, the second with the second client, if there is one. They are finished in the order in which they began, and, with two others, in the opposite order.',
    decides:
      'Each returns its own state, and its id_token has its own nonce. That a login does not return, or that both have the same sub, is a warning.',
    fix: 'Put the id of the login into the address of its page, and store state, nonce, client and person under this id. Do not store them with the session or cookie of the browser.',
    run: (context) => findEach([false, true], (isLastFirst) => findApart(context, isLastFirst)),
  },
  'O83-claims-of-each-login': {
    title: 'userinfo returns the claims of the login that its access token is from',
    level: 'practice',
    expectation: 'accept',
    control: 'login',
    needs: ['wallet-login'],
    rows: ['1.endpoints/credential-idp.6'],
    description:
      'A later credential of the person may have powers that they did not present to this relying party.',
    sends:
      'Two logins of a person, the second with another name and email, and GET userinfo with the first access token before and after the second.',
    decides: 'Both answers are the same.',
    fix: 'Store the claims of each login with its grant. At userinfo, look them up by the access token, not by sub.',
    async run(context) {
      const { url, tokens, claims } = await requireUserinfo(context)
      const second = context.logInForTokens({ presentation: person(luis) })
      await asPremise('a second login (see O02)', second)
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const again = context.httpAs('relying-party').request(url, { headers })
      expectEqual('the claims after the second login', requireJson(await again, 'userinfo'), claims)
      return held('The claims are those of the first login.')
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
      const cases = context.isRepetition ? sampleOf(withoutOrganization) : withoutOrganization
      return findEach(cases, async ({ what, ...mandator }) => {
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

/** Finishes two logins of one browser, and compares what each relying party gets. */
async function findApart(context: IdpContext, isLastFirst: boolean): Promise<Finding> {
  const { createBrowser, beginLogin, present, awaitReturn, requestTokens, codeForm } = context
  const { client, secondClient = client } = context.target
  const browser = createBrowser()
  const begin = async (party: typeof client, presentation: PresentationOptions) => ({
    party,
    presentation,
    login: await beginLogin({ browser, party }),
  })
  const inOrder = [await begin(client, {}), await begin(secondClient, colleague)]
  const subjects = new Set<unknown>()
  for (const { login, party, presentation } of isLastFirst ? inOrder.toReversed() : inOrder) {
    const { redirectUri } = await present(login, presentation)
    const callback = await awaitReturn(login, redirectUri)
    const code = callback?.searchParams.get('code')
    if (!callback || !code) {
      return broken('One of two logins in a browser did not return.', { level: 'practice' })
    }
    expectEqual('state', callback.searchParams.get('state'), login.state)
    const form = codeForm({ ...login, callback, code }, party)
    const tokens = requireJson(await requestTokens(form, party), 'The token request')
    const { claims } = await verifyIdToken(context, tokens, party)
    expectEqual('nonce', claims.nonce, login.nonce)
    subjects.add(claims.sub)
  }
  return subjects.size === inOrder.length
    ? held('Both logins returned their own values.')
    : broken('Two people have the same sub.', { level: 'practice' })
}
