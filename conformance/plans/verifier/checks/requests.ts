import { defaultHolderSuites } from '#core/crypto/suites.ts'
import {
  parseAuthorizationRequest,
  parseAuthorizationRequestUri,
} from '#core/oid4vp/authorization-request.ts'
import { didOf, evaluateSignedRequest, signedRequestRules } from '#core/oid4vp/signed-request.ts'
import {
  broken,
  defineChecks,
  describeBrokenRules,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { requireAnswer } from '../../../kit/classify-answer.ts'
import { requireEach } from '../../../kit/find-each.ts'
import { forwardedHost } from '../../../kit/recorded-http.ts'
import type { VerifierContext } from '../context.ts'
import { findWeak, leastBits } from '../guessable-values.ts'
import { credentialQueriesOf, readRequest, requestToAnswer } from '../open-request.ts'

const request = '1.resources-and-their-fields/presentation-authorization-request'

const samples = 20

const member = 'cryptographic_suites_supported'

const ofOpenId4Vp = ['request.redirect-uri', 'request.transaction-data']

/** The presentation request that a verifier makes. */
export const checks = defineChecks<VerifierContext>({
  'V01-request-shape': {
    title: 'The presentation request has the documented format',
    level: 'spec',
    expectation: 'accept',
    rows: [1, 2, 3, 4, 5, 6, 7, 8].map((row) => `${request}.${row}`),
    description:
      'A wallet rejects a request that it does not understand or that misstates what it asks for.',
    sends: 'The kit starts a session and fetches its request as a wallet does.',
    decides:
      'The request must pass every rule, by value or by reference, signed or not. A redirect_uri together with direct_post, which OpenID4VP forbids, is a WARN, and so is transaction_data, which wallets of the profile must reject.',
    fix: 'Send response_type vp_token, response_mode direct_post, response_uri, client_id, nonce and dcql_query, by value or at request_uri. Omit redirect_uri and presentation_definition.',
    async run({ openRequest }) {
      const { link, fetched, parameters } = await openRequest()
      const verdictSource = fetched ? 'the response at request_uri' : 'the link'
      const delivery = parseAuthorizationRequestUri(link)
      if (!delivery.ok && URL.parse(link)?.searchParams.has('request_uri')) {
        return broken('The link is not a valid presentation request.', {
          failures: delivery.failures,
        })
      }
      if (fetched) requireAnswer(fetched, 'The request at request_uri')
      const parsed = parseAuthorizationRequest(parameters)
      if (parsed.ok) return held('The request passes every rule.', { verdictSource })
      const { failures } = parsed
      const isOfOpenId4Vp = failures.every(({ rule }) => ofOpenId4Vp.includes(rule))
      return broken(`The request breaks ${describeBrokenRules(failures)}.`, {
        verdictSource,
        failures,
        actual: parameters,
        ...(isOfOpenId4Vp && { level: 'final' }),
      })
    },
  },
  'V02-request-uri-twice': {
    title: 'request_uri can be fetched repeatedly and returns the same request',
    level: 'practice',
    expectation: 'accept',
    description:
      'Networks lose responses, and link previews fetch URLs before the wallet does. A request that can be fetched only once is then lost.',
    sends:
      'The kit fetches the request twice from its request_uri, and then with another host in Forwarded and X-Forwarded-Host.',
    decides:
      'All responses must contain the same nonce, response_uri and client_id. The request with another host may be rejected.',
    fix: 'Serve the same request at request_uri until the session ends. Do not delete it after the first GET, do not create a new nonce for each GET, and do not create its addresses from X-Forwarded-Host.',
    async run(context) {
      const first = await context.openRequest()
      if (!first.fetched) return inconclusive('The request has no request_uri.')
      requestToAnswer(first)
      const second = await readRequest(first, context)
      const verdictSource = 'the second response at request_uri'
      if (second.fetched) requireAnswer(second.fetched, 'The second fetch of the request')
      const forwarded = await readRequest(first, context, forwardedHost)
      const others = [
        { what: 'The second fetch of the request', parameters: second.parameters },
        ...(forwarded.fetched?.status === 200
          ? [{ what: 'With another host in X-Forwarded-Host, the request', ...forwarded }]
          : []),
      ]
      const compared = others.flatMap((other) =>
        ['nonce', 'response_uri', 'client_id'].map((name) => ({ ...other, name })),
      )
      await requireEach(compared, async ({ what, parameters, name }) => {
        const [expected, actual] = [first.parameters[name], parameters[name]]
        if (expected === actual) return
        const reason = `${what} returned a different ${name}.`
        return broken(reason, { verdictSource, expected, actual })
      })
      return held('All fetches returned the same request.', { verdictSource })
    },
  },
  'V03-unpredictable-nonce': {
    title: 'nonce and state cannot be guessed, and need no encoding',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 5.2', 'OpenID4VP 1.0, 14.3.2', 'RFC 6749, 10.12'],
    description:
      'An attacker who knows the next nonce can obtain a presentation in advance. An attacker who knows the state can answer for another holder. A client that guesses a request_uri reads both. With a guessed response_uri, it ends the session of another holder.',
    sends: `The kit starts ${samples} sessions and fetches their requests.`,
    decides: `All nonces and all states must be unique, long enough for ${leastBits} bits, and different in almost all characters, which must be letters, digits, -, ., _ or ~. A request_uri or response_uri that can be guessed is a WARN of good practice.`,
    fix: 'Create nonce, state and the ids in request_uri and response_uri for each session with a cryptographic random number generator, with at least 128 bits each: 22 characters of base64url. Do not use a time or a counter.',
    async run({ openRequest }) {
      const nonces: unknown[] = []
      const states: unknown[] = []
      const addresses: unknown[] = []
      const targets: unknown[] = []
      for (let sample = 0; sample < samples; sample++) {
        const { link, parameters } = await openRequest()
        const { nonce, state, response_uri: responseUri } = parameters
        const requestUri = URL.parse(link)?.searchParams.get('request_uri')
        if (requestUri) addresses.push(requestUri)
        if (responseUri !== undefined) targets.push(responseUri)
        nonces.push(nonce)
        if (state !== undefined) states.push(state)
      }
      return (
        findWeak('nonce', nonces) ??
        findWeak('state', states) ??
        findEncoded([...nonces, ...states]) ??
        findGuessableAddress('request_uri', addresses) ??
        findGuessableAddress('response_uri', targets) ??
        held(`${samples} nonces and ${states.length} states are unique and long enough.`)
      )
    },
  },
  'V90-signed-request': {
    title: 'A signed request verifies with the key of its client_id',
    level: 'final',
    expectation: 'accept',
    clauses: [
      'RFC 9101, 6.2',
      'OpenID4VP 1.0, 5.8',
      'OpenID4VP 1.0, 5.9.3',
      'docs/assumptions.md, A-45',
    ],
    description:
      'The request may be a signed JWT. A wallet that verifies it rejects a wrong signature.',
    sends: 'The kit starts a session and fetches its request as a wallet does.',
    decides:
      'The signature, typ, client_id, aud and times of the request must be valid. The DID in client_id may have the prefix decentralized_identifier: of OpenID4VP 1.0.',
    fix: 'Sign the request with a key of the DID in client_id, and set kid to it. Set typ to oauth-authz-req+jwt, aud to https://self-issued.me/v2, and exp to a time in the future.',
    async run({ openRequest, trust, now }) {
      const { jwt, link, parameters } = await openRequest()
      if (jwt === undefined) {
        return inconclusive('The request is not signed, which the profile allows.')
      }
      const did = String(didOf(parameters.client_id))
      const { resolveDidDocument } = trust.world.sources
      if (!(await resolveDidDocument(did)).ok) {
        const reason = `The DID registry of the kit does not contain ${did}`
        return inconclusive(`${reason}. Add its key as signer to the target.`)
      }
      const named = URL.parse(link)?.searchParams.get('client_id') ?? undefined
      const { failures: all } = await evaluateSignedRequest({
        jwt,
        now: now(),
        resolveDidDocument,
        ...(named === undefined ? {} : { clientId: named }),
      })
      // V01 checks the parameters inside.
      const own = ['request.format', ...signedRequestRules.map(({ rule }) => rule)]
      const failures = all.filter(({ rule }) => own.includes(rule))
      const verdictSource = 'the signed request'
      if (failures.length === 0) return held('The signed request is valid.', { verdictSource })
      const reason = `The signed request breaks ${describeBrokenRules(failures)}.`
      return broken(reason, { verdictSource, failures })
    },
  },
  'V91-suites-declared': {
    title: 'The request declares which suites the verifier accepts',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/supported-curves.4'],
    description:
      'A wallet with several accounts needs to know the accepted suites to choose an account.',
    sends: 'The kit starts a session and fetches its request as a wallet does.',
    decides: `The request or its client_metadata must contain a list ${member}. The profile does not say where verifiers declare it. Outside a link, client_metadata must be an object.`,
    fix: 'Add cryptographic_suites_supported to client_metadata of the request, such as ["ES256K", "EdDSA"]. Send client_metadata as an object, and as a string only in a link.',
    async run({ openRequest }) {
      const opened = await openRequest()
      requestToAnswer(opened)
      const { parameters, fetched, jwt } = opened
      const { client_metadata: metadata } = parameters
      const declared = parameters[member] ?? memberOf(metadata)
      const verdictSource = 'the request'
      if (typeof metadata === 'string' && (fetched ?? jwt) !== undefined) {
        const details = { verdictSource, expected: 'an object', actual: metadata }
        return broken('client_metadata is a string outside a link.', details)
      }
      if (Array.isArray(declared) && declared.length > 0) {
        return held(`It declares ${declared.join(', ')}.`, { verdictSource })
      }
      const details = { verdictSource, expected: [...defaultHolderSuites], actual: declared }
      return broken(`The request has no list ${member}.`, details)
    },
  },
  'V139-query-form': {
    title: 'The query names each credential with a simple, unique id, and has no empty lists',
    level: 'final',
    expectation: 'accept',
    clauses: ['OpenID4VP 1.0, 5', 'OpenID4VP 1.0, 6.1'],
    description:
      'Wallets use the id as a name in their response, and reject a query with an empty list of claims.',
    sends: 'The kit starts a session and fetches its request as a wallet does.',
    decides:
      'Each id in dcql_query must consist of letters, digits, _ and -, and be there once. claims, if present, must not be empty. Outside a link, dcql_query must be an object.',
    fix: 'Use only letters, digits, _ and - in the ids of dcql_query.credentials, and each id once. Omit claims instead of an empty array. Send dcql_query as an object, and as a string only in a link.',
    async run({ openRequest }) {
      const { parameters, fetched, jwt } = await openRequest()
      const queries = credentialQueriesOf(parameters)
      if (queries.length === 0) return inconclusive('The request has no dcql_query; see V01.')
      const ids = queries.map(({ id }) => String(id))
      const verdictSource = 'dcql_query of the request'
      if (typeof parameters.dcql_query === 'string' && (fetched ?? jwt) !== undefined) {
        const details = { verdictSource, expected: 'an object', actual: parameters.dcql_query }
        return broken('dcql_query is a string outside a link.', details)
      }
      const wrong = ids.find((id, index) => !/^[\w-]+$/.test(id) || ids.indexOf(id) !== index)
      if (wrong !== undefined) {
        const expected = 'a unique id of letters, digits, _ and -'
        return broken('An id of the query is not valid.', {
          verdictSource,
          expected,
          actual: wrong,
        })
      }
      const hasEmpty = queries.some(({ claims }) => Array.isArray(claims) && claims.length === 0)
      return hasEmpty
        ? broken('The query has an empty list of claims.', { verdictSource, expected: 'no claims' })
        : held(`The ids are ${ids.join(', ')}.`, { verdictSource })
    },
  },
})

/** The first value with characters that OpenID4VP does not allow in nonce and state. */
function findEncoded(values: readonly unknown[]): Finding | undefined {
  const actual = values.find((value) => !/^[\w.~-]+$/.test(String(value)))
  if (actual === undefined) return undefined
  const expected = 'letters, digits, -, ., _ and ~'
  return broken('A nonce or state contains other characters.', { expected, actual })
}

/** One address for all sessions contains nothing to guess. */
function findGuessableAddress(name: string, addresses: readonly unknown[]): Finding | undefined {
  if (new Set(addresses).size < 2) return undefined
  const finding = findWeak(name, addresses)
  return finding && { ...finding, level: 'practice' }
}

/** Returns the member of metadata, which a link contains as a JSON string. */
function memberOf(metadata: unknown): unknown {
  if (typeof metadata === 'string') {
    try {
      return memberOf(JSON.parse(metadata))
    } catch {
      return undefined
    }
  }
  return typeof metadata === 'object' && metadata !== null && member in metadata
    ? metadata[member as keyof typeof metadata]
    : undefined
}
