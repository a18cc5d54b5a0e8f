import { defineChecks, held } from '../../../kit/check.ts'
import { asPremise, requireFinding } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { nearMisses, spaceAtEnd } from '../../../kit/near-misses.ts'
import type { IdpContext } from '../context.ts'
import { findNoLogins } from '../find-login-page.ts'
import { createPkce, findEachRejected } from '../redeem-codes.ts'

/** Proof key for code exchange (RFC 7636). */
export const checks = defineChecks<IdpContext>({
  'O17-pkce': {
    title: 'PKCE with S256, and each advertised method, is accepted',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 7636, 4.1', 'RFC 7636, 4.3'],
    description:
      'It binds a code to the browser that requested it, even if the client has a secret.',
    sends:
      'Logins with code_challenge, redeemed with its code_verifier: a usual one, the shortest one, and the longest one with every character that RFC 7636 allows; with the method plain if the discovery document advertises it.',
    decides: 'Each token request returns tokens.',
    fix: 'Store code_challenge with the code, and compare it with the SHA-256 of code_verifier in base64url without padding. Accept 43 to 128 letters, digits and - . _ ~ as code_verifier. Advertise only S256 in code_challenge_methods_supported.',
    needs: ['wallet-login'],
    async run({ discover, logInForTokens }) {
      const { code_challenge_methods_supported: announced } = await discover()
      const { verifier: plain } = createPkce()
      const unhashed = { code_challenge: plain, code_challenge_method: 'plain' }
      const cases = [
        createPkce(),
        createPkce(43),
        createPkce(128, '-._~'),
        ...([announced].flat().includes('plain') ? [{ verifier: plain, challenge: unhashed }] : []),
      ]
      return findEach(cases, async ({ verifier, challenge }) => {
        const { code_challenge_method: method } = challenge
        const what = `${method} and a code_verifier of ${verifier.length} characters`
        const login = logInForTokens({ parameters: challenge, form: { code_verifier: verifier } })
        const finding = await login.then(() => undefined, requireFinding)
        if (finding) return { ...finding, reason: `With ${what}: ${finding.reason}` }
        return held(`A code was redeemed with ${what}.`)
      })
    },
  },
  'O18-pkce-enforced': {
    title: 'A code of a login with PKCE cannot be redeemed without its code_verifier',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 7636, 4.6'],
    description:
      'An IDP that accepts a challenge without checking it is worse than an IDP without PKCE: clients rely on it.',
    sends:
      'A login with code_challenge, redeemed with wrong values of code_verifier: none, an empty one, another one, the challenge itself, near misses, and the right one with a space at its end.',
    decides: 'Each response is 400 invalid_grant, while the correct code_verifier is accepted.',
    fix: 'If the code has a code_challenge, require code_verifier in the token request. If it is missing or its SHA-256 differs, return 400 invalid_grant.',
    needs: ['wallet-login'],
    async run(context) {
      const { verifier, challenge } = createPkce()
      const right = context.logInForTokens({
        parameters: challenge,
        form: { code_verifier: verifier },
      })
      await asPremise('a login with the correct code_verifier (see O17)', right)
      const cases = [
        { what: 'with another code_verifier', code_verifier: createPkce().verifier },
        { what: 'without a code_verifier', code_verifier: undefined },
        { what: 'with an empty code_verifier', code_verifier: '' },
        {
          what: 'with the code_challenge as code_verifier',
          code_verifier: challenge.code_challenge,
        },
        ...[...nearMisses, spaceAtEnd].map(({ what, change }) => ({
          what: `whose code_verifier ${what}`,
          code_verifier: change(verifier),
        })),
      ]
      const requests = cases.map(({ what, code_verifier }) => ({ what, form: { code_verifier } }))
      return findEachRejected(context, requests, {
        refusal: { statuses: [400], errors: ['invalid_grant', 'invalid_request'] },
        login: { parameters: challenge },
        added: { code_verifier: verifier },
      })
    },
  },
  'O39-pkce-not-weakened': {
    title: 'An invalid code_challenge does not start a login',
    level: 'final',
    expectation: 'refuse',
    control: 'authorization',
    clauses: ['RFC 7636, 4.3'],
    description:
      'An IDP that ignores a challenge that it cannot check issues codes without PKCE to clients that rely on it.',
    sends:
      'Authorization requests with a code_challenge that is too short, and with methods that the discovery document does not advertise.',
    decides:
      'Each leads to an error. No login is shown. If the discovery document advertises no methods, only an unknown method is sent.',
    fix: 'Reject a code_challenge of fewer than 43 characters and every code_challenge_method that you do not support, with error=invalid_request.',
    async run(context) {
      const { code_challenge_methods_supported: announced } = await context.discover()
      const { code_challenge } = createPkce().challenge
      const methods = Array.isArray(announced)
        ? ['plain', 's256', 'S512', undefined].filter(
            (each) => !announced.includes(each ?? 'plain'),
          )
        : ['S512']
      const cases = [
        { what: 'with a short code_challenge', code_challenge: code_challenge.slice(0, -1) },
        ...methods.map((code_challenge_method) => ({
          what: `with the code_challenge_method ${code_challenge_method ?? 'missing, which is plain'}`,
          code_challenge_method,
        })),
      ]
      const requests = cases.map(({ what, ...changed }) => ({
        what: `An authorization request ${what}`,
        parameters: { code_challenge, code_challenge_method: 'S256', ...changed },
      }))
      return findNoLogins(context, requests, [context.target.client.redirectUri])
    },
  },
  'O40-pkce-downgrade': {
    title: 'A code_verifier is rejected if its login had no code_challenge',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    needs: ['wallet-login'],
    clauses: ['RFC 9700, 4.8.2'],
    description:
      'An attacker removes code_challenge from the request of a victim and injects the code into a session that uses PKCE. The client cannot notice it if the IDP ignores the code_verifier.',
    sends: 'A login without code_challenge, redeemed with a code_verifier.',
    decides: 'The response is 400 invalid_grant.',
    fix: 'Accept code_verifier in a token request only if the code has a code_challenge. Otherwise return 400 invalid_grant.',
    run: (context) =>
      findEachRejected(
        context,
        [
          {
            what: 'with a code_verifier without a code_challenge',
            form: { code_verifier: createPkce().verifier },
          },
        ],
        { refusal: { statuses: [400], errors: ['invalid_grant', 'invalid_request'] } },
      ),
  },
})
