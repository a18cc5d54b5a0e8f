import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { nearMissesOf } from '../../../kit/near-misses.ts'
import type { RelyingPartyContext, UserBrowser } from '../context.ts'
import {
  containsMarkup,
  findEachRejected,
  findRejection,
  markup,
  requireShown,
  scriptAddress,
  verdictSource,
  type WrongLogin,
} from '../findings.ts'
import type { CallbackParameters, ProvidedLogin } from '../provider.ts'

/** A login whose redirect to the application has these parameters. */
const withCallback = (
  what: string,
  change: (parameters: CallbackParameters, login: ProvidedLogin) => CallbackParameters,
): WrongLogin => ({
  what: `A redirect ${what}`,
  script: { callback: (parameters, login) => ({ ...parameters, ...change(parameters, login) }) },
})

const stateOf = ({ request }: Pick<ProvidedLogin, 'request'>) => request.get('state') ?? ''

/** Ends the check if the application sends no state. */
async function requireState({ begin }: RelyingPartyContext): Promise<string> {
  const state = stateOf(await begin())
  if (state !== '') return state
  endCheck(inconclusive('The application sends no state: see R03. R11 tests what it prevents.'))
}

/** The redirect that ends a login. */
export const checks = defineChecks<RelyingPartyContext>({
  'R10-wrong-state': {
    title: 'A redirect with another state is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.17'],
    clauses: ['RFC 6749, 10.12', 'OpenID Connect Core 1.0, 3.1.2.7'],
    description:
      'Without the comparison, an attacker sends the redirect of a login to a user, who then works in the account of the attacker.',
    sends:
      'Redirects without state, with an empty and a made-up state, with patterns and near misses, and with the state of a login of another browser.',
    decides: 'No page shows the user.',
    fix: 'Store state for the browser that starts the login. At the redirect, require exactly one state that equals the stored one, before you use the code.',
    async run(context) {
      const sample = await requireState(context)
      const misses = nearMissesOf(sample).map(({ what, change }) =>
        withCallback(`whose state ${what}`, (_, login) => ({ state: change(stateOf(login)) })),
      )
      const other = stateOf(await context.begin())
      return findEachRejected(context, [
        withCallback('without state', () => ({ state: undefined })),
        withCallback('with an empty state', () => ({ state: '' })),
        withCallback('with a made-up state', () => ({ state: 'this-state-was-never-sent' })),
        withCallback('with the state undefined', () => ({ state: 'undefined' })),
        ...['*', '%', '.*'].map((state) =>
          withCallback(`with the pattern ${state} as state`, () => ({ state })),
        ),
        // With PKCE or a nonce, the state may be the same in each login.
        ...(other === sample
          ? []
          : [withCallback('with the state of another browser', () => ({ state: other }))]),
        ...misses,
      ])
    },
  },
  'R11-login-of-another-browser': {
    title: 'A redirect of a login that another browser started is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.17'],
    clauses: ['RFC 6749, 10.12', 'RFC 9700, 4.7.1'],
    description:
      'A state that is random, but only looked up in a list of all logins, does not help: the attacker sends code and state of the same login.',
    sends:
      'The redirect of a login, with and without state, in a new browser, in a browser that has started another login, and in a browser that has completed a login.',
    decides: 'In the browser that did not start it, no page shows the user of this login.',
    fix: 'Bind state to the browser, for example in a cookie with HttpOnly and SameSite=Lax. Reject a redirect whose state this browser did not send, and every redirect to a browser without a pending login.',
    run: (context) =>
      findEach(dueCases(context, victimsOf(context)), async ({ what, victim, callback }) => {
        const attacker = await context.begin()
        const login = context.provider.authorize(attacker.request, { callback })
        const browser = await victim()
        const ended = await context.deliver({ ...attacker, browser }, login)
        return findRejection(context, `The redirect of a login of another browser${what}`, ended)
      }),
  },
  'R12-callback-again': {
    title: 'A redirect works only once',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 4.1.2', 'RFC 9700, 4.5.3'],
    description: 'Redirects are in the history and in logs. A second visit must not log anyone in.',
    sends:
      'A valid login. Then its redirect again: in the same browser, and in a new one. The provider would answer the code again.',
    decides: 'The code reaches the token endpoint once. In the new browser no page shows the user.',
    fix: 'Delete the stored state before you redeem the code, and reject a redirect whose state is not stored.',
    async run(context) {
      const begun = await context.begin()
      const login = context.provider.authorize(begun.request)
      const first = await context.deliver(begun, login)
      requireShown(context, first)
      const browser = context.createBrowser()
      const elsewhere = await context.deliver({ ...begun, browser }, login)
      const finding = findRejection(context, 'The redirect in a new browser', elsewhere)
      if (finding.kind !== 'held') return finding
      await context.deliver(begun, login)
      const { length } = login.tokenRequests
      return length === 1
        ? held('The code was redeemed once, and no other browser was logged in.', { verdictSource })
        : broken('The code was sent to the token endpoint again.', {
            expected: 1,
            actual: length,
            verdictSource: 'the token requests',
          })
    },
  },
  'R13-iss-of-the-redirect': {
    title: 'A redirect with another iss, or without the announced one, is rejected',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 9207, 2.4'],
    description:
      'An application that knows several providers can send the code of one to another, who redeems it (mix-up).',
    sends:
      'Redirects without iss, although the discovery document announces it, with an empty one, with that of another provider, and with near misses.',
    decides: 'No page shows the user. A missing iss is only a WARN.',
    fix: 'If the discovery document has authorization_response_iss_parameter_supported, require iss at the redirect, and compare it with issuer as a string. With only one provider, a missing iss does no harm (RFC 9700, 2.1).',
    run(context) {
      const { issuer } = context.provider
      const values: Readonly<Record<string, string>> = {
        'with the iss of another provider': 'https://attacker.example',
        'whose iss has a slash at its end': `${issuer}/`,
        'whose iss lacks its path': issuer.replace(/\/op$/, ''),
        'whose iss has another scheme': issuer.replace(/^http:/, 'https:'),
        'whose iss is in upper case': issuer.toUpperCase(),
      }
      return findEachRejected(context, [
        ...Object.entries(values).map(([what, iss]) => withCallback(what, () => ({ iss }))),
        // Of little use to an application with only one provider (RFC 9700, 2.1).
        ...[undefined, ''].map((iss) => ({
          ...withCallback(iss === undefined ? 'without iss' : 'with an empty iss', () => ({ iss })),
          level: 'practice' as const,
        })),
      ])
    },
  },
  'R14-error-answers': {
    title: 'An error of the provider ends the login without a user and without a loop',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['OpenID Connect Core 1.0, 3.1.2.6', 'RFC 6749, 4.1.2.1'],
    description:
      'Users cancel logins. An application that starts the next one immediately locks them in a loop.',
    sends:
      'Redirects with access_denied, login_required, server_error, temporarily_unavailable and an unknown error, with state and iss.',
    decides:
      'No page shows the user, the token endpoint is not called, and the browser is not sent to the provider again.',
    fix: 'If the redirect has error, show that the login failed, with a link to try again. Do not start a new login by yourself.',
    run: (context) =>
      findEach(dueCases(context, errors), async (error) => {
        const callback = (parameters: CallbackParameters) => ({
          ...parameters,
          code: undefined,
          error,
        })
        const strayBefore = context.provider.strayRequests.length
        const ended = await context.logIn({ callback })
        const stray = context.provider.strayRequests.length - strayBefore
        const finding = findRejection(context, `A redirect with the error ${error}`, ended)
        if (finding.kind !== 'held') return finding
        if (ended.page.status === 0) {
          return broken(`After the error ${error} the browser was sent to the provider again.`, {
            verdictSource,
            level: 'practice',
          })
        }
        return stray + ended.tokenRequests.length === 0
          ? finding
          : broken(`After the error ${error} the token endpoint was called.`, {
              verdictSource: 'the token requests',
              level: 'practice',
            })
      }),
  },
  'R15-error-and-code': {
    title: 'A redirect with an error and a code, or without a code, is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 4.1.2.1'],
    description:
      'A response is either a success or an error. An application that accepts both reads what an attacker appended. Tokens in the address may be those of another application.',
    sends:
      'Redirects with error in addition to a valid code, without code, with an empty and a made-up code, and with the ID token and the access token in the address instead.',
    decides: 'No page shows the user.',
    fix: 'Stop at a redirect with error, or without a code. Use only the tokens of the token response.',
    run: (context) =>
      findEachRejected(context, [
        withCallback('with an error and a valid code', () => ({ error: 'access_denied' })),
        withCallback('without code', () => ({ code: undefined })),
        withCallback('with an empty code', () => ({ code: '' })),
        withCallback('with a made-up code', () => ({ code: 'this-code-was-never-issued' })),
        ...[undefined, 'this-code-was-never-issued'].map((code) =>
          withCallback(
            `with tokens and ${code === undefined ? 'no' : 'a made-up'} code`,
            (_, login) => ({
              code,
              id_token: context.provider.signIdToken(login),
              access_token: login.accessToken,
              token_type: 'Bearer',
            }),
          ),
        ),
      ]),
  },
  'R16-markup-in-errors': {
    title: 'Markup in the parameters of the redirect is not part of the page',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['CWE-79, Cross-site Scripting'],
    description:
      'Anyone can write a link to the redirect URI. Markup that the page repeats runs as a script of the application (cross-site scripting).',
    sends:
      'Redirects whose error, error_description, error_uri, state, code or iss contains markup, for an element and for an attribute, and with a script as error_uri.',
    decides:
      'The page, if it is HTML, does not contain the markup as such, and no link is the script.',
    fix: 'Escape error, error_description and every other parameter in HTML, with quotes in attributes, or show your own text for each known error. Link error_uri only if it begins with https.',
    run: (context) =>
      findEach(dueCases(context, markedParameters(context)), async ({ what, parameters }) => {
        const ended = await context.logIn({
          callback: (valid) => ({ ...valid, ...parameters }),
        })
        return containsMarkup(ended.page)
          ? broken(`The page contains the markup in ${what}.`, { verdictSource })
          : held(`The page does not contain the markup in ${what}.`, { verdictSource })
      }),
  },
  'R17-repeated-parameters': {
    title: 'A redirect with a repeated parameter is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 3.1'],
    description:
      'Which of two values counts differs between programs: a proxy may check one, and the application use the other.',
    sends:
      'Redirects with two values of state, code or iss, of which the first or the last is right.',
    decides: 'No page shows the user.',
    fix: 'Reject a redirect that has state, code or iss more than once.',
    async run(context) {
      const hasState = stateOf(await context.begin()) !== ''
      return findEachRejected(
        context,
        ([...(hasState ? (['state'] as const) : []), 'code', 'iss'] as const).flatMap((name) =>
          [false, true].map((isLast) =>
            withCallback(
              `with two values of ${name}, of which the ${isLast ? 'last' : 'first'} is right`,
              (_, login) => {
                const right = {
                  state: stateOf(login),
                  code: login.code,
                  iss: context.provider.issuer,
                }
                const values = [right[name], 'another-value']
                return { [name]: isLast ? values.reverse() : values }
              },
            ),
          ),
        ),
      )
    },
  },
})

/** Browsers that did not start a login, and how they get its redirect. */
function victimsOf({ createBrowser, begin, logIn }: RelyingPartyContext) {
  const browsers: Readonly<Record<string, () => Promise<UserBrowser>>> = {
    'in a new browser': async () => createBrowser(),
    'in a browser with another login': async () => (await begin()).browser,
    'in a browser that was logged in before': async () => (await logIn()).browser,
  }
  return Object.entries(browsers).flatMap(([where, victim]) => [
    { what: ` ${where}`, victim, callback: (valid: CallbackParameters) => valid },
    // If nothing is stored, a comparison of two missing values succeeds.
    {
      what: `, without state, ${where}`,
      victim,
      callback: (valid: CallbackParameters) => ({ ...valid, state: undefined }),
    },
  ])
}

const errors = [
  'access_denied',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'an_unknown_error',
]

function markedParameters({ provider: { issuer } }: RelyingPartyContext) {
  const failed = { code: undefined, error: 'access_denied' }
  const all: Readonly<Record<string, CallbackParameters>> = {
    error_description: { ...failed, error_description: markup },
    error: { ...failed, error: markup },
    error_uri: { ...failed, error_uri: `https://x.example/${markup}` },
    'error_uri, which is a script': { ...failed, error_uri: scriptAddress },
    state: { state: markup },
    'state of an error': { ...failed, state: markup },
    code: { code: markup },
    iss: { iss: `${issuer}${markup}` },
  }
  return Object.entries(all).map(([what, parameters]) => ({ what, parameters }))
}
