import { gunzipSync } from 'node:zlib'
import { parseJws, verifyJws } from '#core/crypto/jws.ts'
import { findVerificationKey, hasRelationship } from '#core/did/did-document.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import type { HeldCredential } from '#scenarios/fixtures/held-credentials.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** Bitstring Status List 1.0, 3.3: at least 131072 entries, the first one the leftmost bit. */
function bitOf(encodedList: string, index: number): boolean {
  const bits = gunzipSync(Buffer.from(encodedList.replace(/^u/, ''), 'base64url'))
  expectTrue('the list has at least 131072 entries', bits.length >= 16_384, bits.length)
  return ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
}

/** The index of a credential in the list, from its credentialStatus. */
function placeOf({ vc }: HeldCredential) {
  const { credentialStatus } = vc as { credentialStatus?: Record<string, unknown> }
  const { type, statusPurpose, statusListIndex, statusListCredential } = expectPresent(
    'credentialStatus',
    credentialStatus,
  )
  expectEqual('its type', type, 'BitstringStatusListEntry')
  expectEqual('its purpose', statusPurpose, 'revocation')
  // Text, in base 10.
  const index = Number(expectMatch('statusListIndex', statusListIndex, /^(0|[1-9]\d*)$/))
  return { index, address: String(statusListCredential) }
}

export const scenario = defineScenario({
  id: 'revocation/status-list',
  title: "A revocation sets only the credential's bit in the signed status list",
  algorithms: ['EdDSA'],
  description: `
Each of two credentials has an index in the issuer's **status list**. The list is itself a credential: a
JWT at the issuer, currently valid and signed with the assertion key of the issuer's DID document.
Neither bit is set.

One credential is revoked: its bit **is set immediately**, in a list with a new \`ETag\`; the other bit is
not. The response says how long a client may cache the list, and the client revalidates it by \`ETag\`.
After the revocation the old list is outdated. An unknown list is 404.`,
  references: cite('Bitstring Status List 1.0: 2.1, 2.2, 3.2', 'Assumptions: A-23'),

  async run(context) {
    const { step, environment, httpAs, now } = context
    const wallet = context.createWallet()
    const { did } = environment.trustChain.issuer

    const fetchList = async (address: string, headers: Readonly<Record<string, string>> = {}) =>
      httpAs('verifier').request(address, { headers })

    const readList = async (address: string) => {
      const answer = expectStatus(await fetchList(address), 200)
      expectMatch('the content type', answer.contentType, /^application\/vc\+jwt\b/)
      expectMatch('how long it may be cached', answer.headers.get('cache-control'), /max-age=\d+/)
      const jws = parseJws(answer.text)
      if (!jws.ok) throw new TypeError(jws.reason)
      const etag = expectPresent('the ETag', answer.headers.get('etag'))
      const { id, credentialSubject } = jws.payload.vc as {
        id: unknown
        credentialSubject: { encodedList: string }
      }
      expectEqual('the id of the list', id, address)
      const { encodedList, ...list } = credentialSubject
      expectIncludes('the list', list, { type: 'BitstringStatusList', statusPurpose: 'revocation' })
      return { jws, etag, encodedList }
    }

    const [first, second] = await step('A wallet holds two credentials', () =>
      Promise.all([collectCredential(context, wallet), collectCredential(context, wallet)]),
    )
    const [place, other] = [placeOf(first), placeOf(second)]
    const before = await step('Their list has neither bit set', async () => {
      expectTrue('it is at the issuer', place.address.startsWith(environment.issuerBaseUrl))
      expectTrue('each has a separate index', place.index !== other.index)
      const list = await readList(place.address)
      expectEqual('the bit of the first', bitOf(list.encodedList, place.index), false)
      const { encodedList } = await readList(other.address)
      expectEqual('the bit of the second', bitOf(encodedList, other.index), false)
      return list
    })
    await step('The issuer has signed it with the key in its DID document', async () => {
      const { jws } = before
      expectIncludes('the list', { ...jws.payload }, { iss: did })
      const { exp } = jws.payload as { exp: number }
      expectTrue(
        'it is valid now, and for at most an hour',
        exp > now() && exp <= now() + 3600,
        exp,
      )
      const document = await resolveEnvironmentDid(context, wallet)(did)
      if (!document.ok) throw new TypeError(document.reason)
      const { kid } = jws.header
      const isForAssertions = hasRelationship(document.value, kid, 'assertionMethod')
      expectTrue('the key is for assertions', isForAssertions, kid)
      const publicKey = expectPresent('the key', findVerificationKey(document.value, kid))
      const isSigned = verifyJws({ jws, publicKey, algorithms: ['ES256K'] })
      expectTrue('the signature verifies', isSigned)
    })
    await step('A client with a cached list revalidates it by ETag', async () => {
      const again = await fetchList(place.address, { 'if-none-match': before.etag })
      // Another credential in the same list may have been revoked meanwhile.
      const isSame = again.headers.get('etag') === before.etag
      expectStatus(again, isSame ? 304 : 200)
    })
    await step('One credential is revoked', () => revokeCredential(context, first.credentialId))
    await step('Its bit is set immediately, the other one is not', async () => {
      const list = await readList(place.address)
      expectEqual('the bit of the first', bitOf(list.encodedList, place.index), true)
      expectTrue('the ETag is different', list.etag !== before.etag, list.etag)
      expectStatus(await fetchList(place.address, { 'if-none-match': before.etag }), 200)
      const { encodedList } = await readList(other.address)
      expectEqual('the bit of the second', bitOf(encodedList, other.index), false)
    })
    await step('An unknown list is 404', async () => {
      for (const number of ['999999', '0', 'x', '1e3']) {
        expectStatus(await fetchList(place.address.replace(/[^/]+$/, number)), 404)
      }
    })
  },
})
