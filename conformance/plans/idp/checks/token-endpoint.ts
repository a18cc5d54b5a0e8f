import { expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, defineChecks, held, wronglyAccepted } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  requireAnswer,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import { findGuessable } from '../../../kit/guessable-values.ts'
import { nearMisses, nearMissesOf, spaceAtEnd } from '../../../kit/near-misses.ts'
import { decodePageText } from '../../../kit/read-pages.ts'
import { readRequest } from '../../verifier/open-request.ts'
import type { IdpContext } from '../context.ts'
import { findClientsRejected, findEachRejected, madeUpForm } from '../redeem-codes.ts'
import { findSessionCode } from '../sessions.ts'

const errors = ['invalid_grant', 'invalid_request']

/** Logins to compare with each other. */
const samples = 6

/** The token endpoint. */
export const checks = defineChecks<IdpContext>({
  'O06-code-reuse': {
    title: 'A code cannot be redeemed twice',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 6749, 4.1.2'],
    description:
      'A code that works twice works for an attacker who reads it in a log or a history.',
    sends: 'The same code twice to the token endpoint.',
    decides: 'The second response is 400 invalid_grant.',
    fix: 'Mark the code as used in one atomic step when you redeem it. Reject later token requests with 400 invalid_grant.',
    needs: ['wallet-login'],
    async run({ logIn, requestTokens, codeForm, target }) {
      const form = codeForm(await logIn())
      requireJson(await requestTokens(form, target.client), 'The first token request')
      return findRefusal(await requestTokens(form, target.client), {
        what: 'A code used twice',
        statuses: [400],
        errors: ['invalid_grant'],
      })
    },
  },
  'O07-code-of-another-client': {
    title: 'A code can be redeemed only by the client that it was issued to',
    level: 'practice',
    expectation: 'refuse',
    control: 'second-login',
    clauses: ['RFC 6749, 4.1.3'],
    description:
      "One relying party must not be able to log in with the authorization of another party's user.",
    sends: "A code of the first client, redeemed with the second client's credentials.",
    decides:
      'The response is 400 invalid_grant, or a different error about the client; the second client can complete its own login.',
    fix: 'Store client_id with the code, and compare it with the authenticated client. If they differ, return 400 invalid_grant.',
    needs: ['wallet-login', 'second-client'],
    async run({ logIn, requestTokens, codeForm, target }) {
      const { secondClient = target.client } = target
      const form = { ...codeForm(await logIn()), client_id: secondClient.clientId }
      return findRefusal(await requestTokens(form, secondClient), {
        what: 'A code of another client',
        statuses: [400, 401],
        errors: ['invalid_grant', 'invalid_client', 'unauthorized_client'],
      })
    },
  },
  'O08-wrong-secret': {
    title: 'A wrong client secret is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'client',
    rows: ['1.authentication.4', '1.errors.8'],
    clauses: ['RFC 6749, 5.2'],
    description:
      'Only the secret distinguishes the relying party from an attacker who intercepted its code.',
    sends:
      "A valid code with the client's id and a wrong secret: a different one, that of another client, near misses of the right one, and the right one with a space at its end. Without a wallet login, a made-up code.",
    decides:
      'Each is rejected while the correct secret is accepted. Accepting the space, a status other than 401, or an error other than invalid_client, is a warning.',
    fix: 'Compare client_secret with the registered one before you redeem the code, as complete strings. If it differs, return 401 invalid_client.',
    async run(context) {
      const { client, secondClient, clientAuthentication } = context.target
      const { clientSecret } = client
      const others = [
        { what: 'with a wrong secret', clientSecret: 'this is a wrong secret' },
        ...(secondClient
          ? [{ what: 'with the secret of another client', clientSecret: secondClient.clientSecret }]
          : []),
        ...nearMisses.map(({ what, change }) => ({
          what: `whose secret ${what}`,
          clientSecret: change(clientSecret),
        })),
        {
          what: `whose secret ${spaceAtEnd.what}`,
          clientSecret: spaceAtEnd.change(clientSecret),
          level: 'practice' as const,
        },
      ]
      const cases = others
        .filter((each) => each.clientSecret !== clientSecret)
        .map(({ clientSecret: secret, ...each }) => ({
          ...each,
          party: { ...client, clientSecret: secret },
        }))
      return findClientsRejected(context, cases, {
        statuses: clientAuthentication === 'basic' ? [401] : [400, 401],
        statusLevel: 'practice',
        errors: ['invalid_client'],
        errorLevel: 'practice',
      })
    },
  },
  'O20-client-credentials-needed': {
    title: 'The token endpoint requires client credentials',
    level: 'spec',
    expectation: 'refuse',
    control: 'client',
    rows: ['1.endpoints/credential-idp.5', '1.authentication.4'],
    clauses: ['RFC 6749, 3.2.1'],
    description: 'Without them an attacker only needs the code.',
    sends:
      'A valid code and a refresh token without any client authentication, and with an empty secret, the refresh token also with a wrong one; without a wallet login, a made-up code.',
    decides:
      'Each is rejected; a status or an error other than 400 or 401 invalid_client for the code is a warning.',
    fix: 'Require client authentication at the token endpoint for every grant_type, as a Basic header or in the body, before you read the code or refresh token. Without it, return 401 invalid_client.',
    async run(context) {
      const { client } = context.target
      const cases = [
        { what: 'without client credentials', party: undefined },
        { what: 'with an empty secret', party: { ...client, clientSecret: '' } },
      ]
      const finding = await findClientsRejected(context, cases, {
        statuses: [400, 401],
        statusLevel: 'practice',
        errors: ['invalid_client', 'invalid_request'],
        errorLevel: 'practice',
      })
      if (finding.kind !== 'held') return finding
      const login = await context.logInForTokens().catch(requireFinding)
      if (!('tokens' in login)) return finding
      const form = {
        grant_type: 'refresh_token',
        refresh_token: String(login.tokens.refresh_token),
        client_id: client.clientId,
      }
      const impostor = { ...client, clientSecret: 'this is a wrong secret' }
      const strangers = [...cases, { what: 'with a wrong secret', party: impostor }]
      await requireEach(strangers, async ({ what, party }) => {
        const { status } = await context.requestTokens(form, party)
        // An IDP need not renew logins at all.
        if (classifyStatus(status) === 'accepted') {
          return wronglyAccepted(`A renewal ${what} was accepted.`, { actual: status })
        }
      })
      return finding
    },
  },
  'O21-other-redirect-uri-at-token': {
    title: 'A code cannot be redeemed with a different redirect_uri',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.errors.8', '1.endpoints/credential-idp.14'],
    clauses: ['RFC 6749, 4.1.3'],
    description:
      'It prevents a code that was obtained through one address from being used through another.',
    sends:
      'A valid code with a redirect_uri that differs from that of the authorization request: a longer path, that of another client, near misses, a space at the end, an empty one and none.',
    decides:
      'Each is rejected; accepting the space, and a status or an error other than 400 invalid_grant, are warnings.',
    fix: 'Store redirect_uri with the code, and compare it with redirect_uri of the token request as complete strings. If they differ or it is missing, return 400 invalid_grant.',
    needs: ['wallet-login'],
    async run(context) {
      const { client, secondClient } = context.target
      const { redirectUri } = client
      const cases = [
        { what: 'with a longer redirect_uri', redirect_uri: `${redirectUri}/other` },
        { what: 'without a redirect_uri', redirect_uri: undefined },
        { what: 'with an empty redirect_uri', redirect_uri: '' },
        ...(secondClient && secondClient.redirectUri !== redirectUri
          ? [
              {
                what: 'with the redirect_uri of another client',
                redirect_uri: secondClient.redirectUri,
              },
            ]
          : []),
        ...nearMisses.map(({ what, change }) => ({
          what: `whose redirect_uri ${what}`,
          redirect_uri: change(redirectUri),
        })),
        {
          what: `whose redirect_uri ${spaceAtEnd.what}`,
          redirect_uri: spaceAtEnd.change(redirectUri),
          level: 'practice' as const,
        },
      ]
      const requests = cases.map(({ redirect_uri, ...each }) => ({
        ...each,
        form: { redirect_uri },
      }))
      return findEachRejected(context, requests, {
        refusal: {
          statuses: [400],
          statusLevel: 'practice',
          errors: ['invalid_grant', 'invalid_request'],
          errorLevel: 'practice',
        },
      })
    },
  },
  'O22-unknown-code': {
    title: 'An unknown code is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'client',
    rows: ['1.endpoints/credential-idp.19'],
    clauses: ['RFC 6749, 5.2'],
    description:
      'Codes must be impossible to guess, and the error must differ from that of a broken server.',
    sends:
      'A made-up code, an empty one, none, near misses of the code of a login, and this code with a space at its end.',
    decides:
      'Each is rejected; accepting the space, and a status or an error other than 400 invalid_grant, are warnings.',
    fix: 'Look up the code as a complete string before you create tokens. If it is unknown, return 400 invalid_grant.',
    async run(context) {
      const { code, ...without } = madeUpForm(context)
      const refusal = { statuses: [400], statusLevel: 'practice', errorLevel: 'practice' } as const
      const forms = [
        {
          what: 'A made-up code',
          form: { ...without, code: String(code) },
          errors: ['invalid_grant'],
        },
        { what: 'An empty code', form: { ...without, code: '' }, errors },
        { what: 'A token request without a code', form: without, errors },
      ]
      const login = await context.logIn().catch(requireFinding)
      const similar = 'code' in login ? [...nearMissesOf(login.code), spaceAtEnd] : []
      const misses = similar.map((miss) => ({
        what: `A code that ${miss.what}`,
        form: { ...without, code: 'code' in login ? miss.change(login.code) : '' },
        errors: miss === spaceAtEnd ? errors : ['invalid_grant'],
        // Few clients send it, and it does not help to guess.
        ...(miss === spaceAtEnd && { level: 'practice' as const }),
      }))
      return findEach([...forms, ...misses], async ({ form, what, errors: expected, ...each }) => {
        const answer = await context.requestTokens(form, context.target.client)
        const finding = findRefusal(answer, { ...refusal, what, errors: expected })
        return finding.kind === 'broken' ? { ...finding, ...each } : finding
      })
    },
  },
  'O87-unpredictable-values': {
    title: 'Codes, refresh tokens, session codes and nonces of a login cannot be guessed',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 6749, 10.10'],
    description:
      'An attacker who guesses the code of a login gets its tokens, and with its session code they can follow it. A presentation for a known nonce can be obtained in advance.',
    sends: `${samples} logins with the same state and nonce, one after the other, and the presentation requests of ${samples} more.`,
    decides:
      'No page contains the code of its login. The codes of these logins differ in about 100 bits or more, and so do their refresh tokens, the session codes of the pages of all of them, and the nonces of the presentation requests.',
    fix: 'Create each code, refresh token, session code and nonce of a presentation request from a cryptographic random source with at least 128 bits, not from the time, a counter, or state and nonce of the relying party.',
    needs: ['wallet-login'],
    async run(context) {
      const values: Readonly<Record<string, string[]>> = {
        'the code': [],
        'the refresh token': [],
        'the session code': [],
        'the nonce of the presentation request': [],
      }
      const parameters = { state: 'the-same-state', nonce: 'the-same-nonce' }
      for (let sample = 0; sample < samples; sample++) {
        const login = context.logInForTokens({ parameters })
        const { code, tokens, page } = await asPremise('a login (see O02)', login)
        if (decodePageText(`${page.url} ${page.text}`).includes(code)) {
          return broken('The page of a login, which is open before the presentation, has its code.')
        }
        values['the code']?.push(code)
        if (tokens.refresh_token) values['the refresh token']?.push(String(tokens.refresh_token))
        // Two browsers with the same parameters must not share a login.
        const { link, page: pending } = await context.beginLogin({ parameters })
        for (const session of [page, pending].map(findSessionCode)) {
          if (session !== undefined) values['the session code']?.push(session)
        }
        const { nonce } = (await readRequest({ link, session: undefined }, context)).parameters
        values['the nonce of the presentation request']?.push(String(nonce))
      }
      return findEach(
        Object.entries(values).filter(([, all]) => all.length > 1),
        async ([name, all]) =>
          findGuessable(name, all, { verdictSource: 'the responses to logins' }),
      )
    },
  },
  'O23-other-grant-type': {
    title: 'Only the documented grant types are supported',
    level: 'spec',
    expectation: 'refuse',
    control: 'client',
    rows: ['1.endpoints/credential-idp.19', '1.endpoints/credential-idp.11'],
    clauses: ['RFC 6749, 5.2'],
    description: 'The password grant would reintroduce passwords, which the ecosystem replaces.',
    sends: 'Token requests with grant_type password and client_credentials.',
    decides:
      'Both are rejected; an error other than unsupported_grant_type or unauthorized_client is a warning.',
    fix: 'Turn off the grants password and client_credentials, including for individual clients. Reject them with 400 unsupported_grant_type.',
    async run({ requestTokens, target }) {
      const refusal = {
        statuses: [400],
        statusLevel: 'practice',
        errors: ['unsupported_grant_type', 'unauthorized_client'],
        errorLevel: 'practice',
      } as const
      const password = { grant_type: 'password', username: 'admin', password: 'admin' }
      const first = await requestTokens(password, target.client)
      const finding = findRefusal(first, { what: 'The password grant', ...refusal })
      if (finding.kind !== 'held') return finding
      const second = await requestTokens({ grant_type: 'client_credentials' }, target.client)
      return findRefusal(second, { what: 'The client credentials grant', ...refusal })
    },
  },
  'O24-no-store': {
    title: 'Token responses cannot be cached',
    level: 'practice',
    expectation: 'advice',
    control: 'login',
    clauses: ['RFC 6749, 5.1'],
    description:
      "A proxy that caches a token response returns one user's tokens to another client.",
    sends: 'A complete login.',
    decides: 'The token response has Cache-Control: no-store.',
    fix: 'Add the header Cache-Control: no-store to every response of the token endpoint.',
    needs: ['wallet-login'],
    async run({ logIn, requestTokens, codeForm, target }) {
      const answer = await requestTokens(codeForm(await logIn()), target.client)
      const { headers } = requireAnswer(answer, 'The token request')
      const found = headers.get('cache-control') ?? ''
      expectTrue('Cache-Control has no-store', /\bno-store\b/.test(found), found)
      return held('The token response has Cache-Control: no-store.')
    },
  },
})
