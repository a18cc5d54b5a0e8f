import { z } from 'zod'
import { defaultHolderSuites } from '#core/crypto/suites.ts'
import { membersOf } from '#core/json/json-object.ts'
import {
  cryptographicBindingMethods,
  jwtVcJson,
  verifiableCredentialType,
} from '#core/oid4vci/issuer-metadata.ts'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import {
  classifyStatus,
  problemsIn,
  requireAnswer,
  requireJson,
  requireNoByteOrderMark,
} from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { findDocumentation } from '../../../kit/read-pages.ts'
import { forwardedHost } from '../../../kit/recorded-http.ts'
import type { IssuerContext } from '../context.ts'
import { fetchMetadata, readMetadata } from '../metadata.ts'

const required = ['credential_issuer', 'credential_endpoint', 'credentials_supported']
const acceptHeaders = ['*/*', 'text/html', 'application/xml', 'nonsense']

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)

/** A list with at least one of the documented names. */
const zListWith = (known: readonly string[]) =>
  z
    .array(z.string())
    .refine((names) => names.some((name) => known.includes(name)), `contains none of ${known}`)

/** The lists whose documented names wallets may all use. */
const documented = {
  cryptographic_binding_methods_supported: cryptographicBindingMethods,
  cryptographic_suites_supported: defaultHolderSuites,
}

const zEntry = z.looseObject({
  format: z.literal(jwtVcJson),
  id: z.string().min(1),
  types: zListWith([verifiableCredentialType]),
  cryptographic_binding_methods_supported: zListWith(cryptographicBindingMethods),
  cryptographic_suites_supported: zListWith(defaultHolderSuites),
})

const zMetadata = z.looseObject({
  credentials_supported: z
    .array(zEntry)
    .min(1)
    .refine(
      (entries) => new Set(entries.map(({ id }) => id)).size === entries.length,
      'has a duplicate id',
    ),
})

export const checks = defineChecks<IssuerContext>({
  'I01-metadata': {
    title: 'The issuer metadata is public JSON',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1', '1.endpoints.1'],
    clauses: ['OpenID4VCI 1.0, 12.2.2'],
    description: 'A wallet knows only the address in an offer: without metadata it stops.',
    sends: 'GET /.well-known/openid-credential-issuer, without any authentication.',
    decides:
      'The response is 200, its content type is JSON, and its body is a JSON object with credential_issuer, credential_endpoint and credentials_supported.',
    fix: 'Serve GET /.well-known/openid-credential-issuer without authentication: status 200, Content-Type application/json, and a JSON object with at least credential_issuer, credential_endpoint and credentials_supported.',
    async run(context) {
      const what = 'The request for the metadata'
      const answer = requireAnswer(await fetchMetadata(context), what)
      requireNoByteOrderMark(answer, what)
      const { json, contentType, text } = answer
      if (typeof json !== 'object' || json === null || Array.isArray(json)) {
        return broken('The metadata is not a JSON object.', { actual: text.slice(0, 300) })
      }
      if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType)) {
        const actual = contentType
        return broken('The content type of the metadata is not JSON.', {
          expected: 'application/json',
          actual,
        })
      }
      const missing = required.filter((name) => !(name in json))
      if (missing.length > 0) {
        return broken(`The metadata leaves out ${missing.join(', ')}.`, {
          expected: required,
          actual: Object.keys(json),
        })
      }
      return held(`Its content type is ${contentType}.`, { verdictSource: 'the metadata' })
    },
  },
  'I02-credential-issuer': {
    title: 'credential_issuer in the metadata is the address that it was fetched for',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/issuer-metadata.1'],
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Wallets reject the metadata of a different issuer, because it may be forged; an additional slash means a different issuer.',
    sends: 'GET of the metadata of the credential_issuer in the target.',
    decides:
      'credential_issuer is that address, character by character. A missing or additional slash at its end is a WARN: it matters in OpenID4VCI, but the profile does not mention it.',
    fix: 'Set credential_issuer to exactly the address below which you serve the metadata: the same scheme, host, port and path, without an additional slash.',
    async run(context) {
      const { credentialIssuer: expected } = context
      const { credential_issuer: actual } = await readMetadata(context)
      const details = { expected, actual, verdictSource: 'credential_issuer in the metadata' }
      if (actual === expected) return held(`It is ${expected}.`, details)
      const isSlash = [`${actual}/`, actual].some(
        (each) => each === expected || each === `${expected}/`,
      )
      return broken('credential_issuer is not the address that the metadata was fetched for.', {
        ...details,
        ...(isSlash && { level: 'final' }),
      })
    },
  },
  'I03-credential-endpoint': {
    title: 'credential_endpoint is an absolute address at the issuer',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/issuer-metadata.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.3',
    ],
    clauses: ['OpenID4VCI 1.0, 12.2.4'],
    description:
      'Wallets cannot use a relative address. An address at a different origin may be intended, but a forged address looks the same.',
    sends: 'GET of the metadata.',
    decides:
      'credential_endpoint is an absolute http(s) address. An origin other than that of credential_issuer is a WARN: the profile does not forbid it. So is a token_endpoint or deferred_credential_endpoint that is not an absolute address.',
    fix: 'Set credential_endpoint to the complete URL of POST /credential, at the origin of credential_issuer. Behind a proxy, use the public address.',
    async run(context) {
      const metadata = await readMetadata(context)
      const { credential_endpoint: actual } = metadata
      const verdictSource = 'credential_endpoint in the metadata'
      if (!isAddress(actual)) {
        const expected = 'an address with http:// or https://'
        return broken('credential_endpoint is not an absolute address.', {
          expected,
          actual,
          verdictSource,
        })
      }
      const expected = new URL(context.credentialIssuer).origin
      if (new URL(actual).origin !== expected) {
        return broken('The origin of credential_endpoint differs from that of the issuer.', {
          expected,
          actual,
          verdictSource,
          level: 'practice',
        })
      }
      const wrong = ['token_endpoint', 'deferred_credential_endpoint'].find(
        (name) => name in metadata && !isAddress(metadata[name]),
      )
      if (wrong !== undefined) {
        return broken(`${wrong} is not an absolute address.`, {
          expected: 'an address with http:// or https://, or no such member',
          actual: metadata[wrong],
          verdictSource: `${wrong} in the metadata`,
          level: 'practice',
        })
      }
      return held(`It is ${actual}.`, { verdictSource })
    },
  },
  'I04-credentials-supported': {
    title: 'Each entry of credentials_supported is complete',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/issuer-metadata.3',
      '1.resources-and-their-fields/supported-curves.4',
    ],
    description:
      'With these members a wallet finds the offered credential and a key that the issuer accepts.',
    sends: 'GET of the metadata.',
    decides:
      'Every entry has the format jwt_vc_json, a unique id, types with VerifiableCredential, and methods and suites among the documented ones. An entry without all four of these is a WARN: I21 to I24 require them.',
    fix: 'Give each entry format jwt_vc_json, a unique id, types with VerifiableCredential, cryptographic_binding_methods_supported with did:key and did:jwk, and cryptographic_suites_supported with ES256K and EdDSA.',
    async run(context) {
      const metadata = await readMetadata(context)
      const result = zMetadata.safeParse(metadata)
      const verdictSource = 'credentials_supported in the metadata'
      if (result.success) {
        const entries = result.data.credentials_supported
        const ids = entries.map(({ id }) => id)
        for (const [name, expected] of Object.entries(documented)) {
          const partial = entries.find((entry) =>
            expected.some((each) => !entry[name as keyof typeof documented].includes(each)),
          )
          if (partial === undefined) continue
          const actual = partial[name as keyof typeof documented]
          const details = { expected, actual, verdictSource, level: 'practice' } as const
          return broken(`${name} of ${partial.id} does not declare all of the profile.`, details)
        }
        return held(`Complete: ${ids.join(', ')}.`, { verdictSource })
      }
      return broken(`Not as documented: ${problemsIn(result.error)}.`, {
        actual: metadata.credentials_supported,
        verdictSource,
      })
    },
  },
  'I82-health': {
    title: 'The issuer reports that it is healthy',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.1', '1.what-the-service-does.5'],
    description: 'Load balancers and operators rely only on this response.',
    sends: 'GET /health, without any authentication.',
    decides: 'The response is 200 with status ok.',
    fix: 'Respond to GET /health with 200 and status ok, without authentication.',
    needs: ['portal'],
    async run(context) {
      const { status } = requireJson(await context.portal().get('/health'), 'GET /health')
      const verdictSource = 'status in the response of /health'
      return status === 'ok'
        ? held('The status is ok.', { verdictSource })
        : broken('The status is not ok.', { expected: 'ok', actual: status, verdictSource })
    },
  },
  'I175-documentation': {
    title: 'The interactive documentation is at /swagger',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.3', '1.what-the-service-does.4'],
    description: 'Developers who integrate the issuer start there.',
    sends: 'GET /swagger, without any authentication.',
    decides: 'The response is 200 with an HTML page, possibly after redirects.',
    fix: 'Serve the documentation as an HTML page at GET /swagger, without authentication.',
    needs: ['portal'],
    run: (context) =>
      findDocumentation(context.httpAs('developer'), `${context.portal().issuerBaseUrl}/swagger`),
  },
  'I88-metadata-for-any-accept': {
    title: 'The metadata does not depend on headers of the request',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1'],
    description:
      'Deployed issuers have returned 406 or 500 for the headers of real wallets. An attacker whose X-Forwarded-Host gets into a cached response receives the codes and tokens of all wallets.',
    sends: `GET of the metadata with Accept ${acceptHeaders.join(', ')}, and with another host in Forwarded and X-Forwarded-Host.`,
    decides:
      'Each returns 200 and the same credential_issuer and credential_endpoint as a request for JSON. The request with another host may be rejected.',
    fix: 'Return the metadata as JSON with 200 regardless of Accept: no 406, and no HTML page for browsers. Create its addresses from your configuration, not from Host, Forwarded or X-Forwarded-Host.',
    async run(context) {
      const metadata = await readMetadata(context)
      const { credential_issuer: expected } = metadata
      if (typeof expected !== 'string') return inconclusive('There is no metadata: see I01.')
      const verdictSource = 'the metadata'
      const ofAccept = await findEach(acceptHeaders, async (accept) => {
        const { status, json } = await fetchMetadata(context, { accept })
        if (classifyStatus(status) === 'overloaded')
          return held(`Overloaded for Accept: ${accept}.`)
        if (status !== 200) {
          const details = { expected: 200, actual: status, verdictSource }
          return broken(`For Accept: ${accept} the response was HTTP ${status}.`, details)
        }
        const { credential_issuer: actual } = (json ?? {}) as { credential_issuer?: unknown }
        if (actual === expected) return held(`For Accept: ${accept} it is the metadata.`)
        const details = { expected, actual, verdictSource }
        return broken(`For Accept: ${accept} the response is not the metadata.`, details)
      })
      if (ofAccept.kind !== 'held') return ofAccept
      const { status, json } = await fetchMetadata(context, forwardedHost)
      const changed = required.filter(
        (name) => typeof metadata[name] === 'string' && membersOf(json)[name] !== metadata[name],
      )
      if (status === 200 && changed.length > 0) {
        const host = forwardedHost['x-forwarded-host']
        const reason = `${host} in X-Forwarded-Host changes ${changed.join(' and ')}.`
        const [expected, actual] = [metadata, membersOf(json)].map((each) => each[changed[0] ?? ''])
        return broken(reason, { expected, actual, verdictSource })
      }
      return held('It was returned for all of them.', { verdictSource })
    },
  },
})
