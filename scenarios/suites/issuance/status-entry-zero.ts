import { parseJws } from '#core/crypto/parse-jws.ts'
import { verifyJws } from '#core/crypto/verify-jws.ts'
import { bitAt } from '#core/status-list/bit-at.ts'
import { decodeBitstring } from '#core/status-list/decode-bitstring.ts'
import { zStatusListCredential } from '#core/status-list/z-status-list.ts'
import { findVerificationKey, hasRelationship } from '#core/verification/find-verification-key.ts'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/resolve-environment-did.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** Bitstring Status List 1.0, section 6.1: the smallest list, for the sake of privacy. */
const fewestEntries = 131_072

export const scenario = defineScenario({
  id: 'issuance/status-entry-zero',
  title: 'The status list says 0 of a fresh credential',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
A credential can be revoked, and so has a place in a **status list**: a credential of its own, signed
by the issuer's registered key, with so many entries that nobody learns from a request whom it is
about. Of a fresh credential it says 0.`,
  references: [
    { document: 'Assumptions', section: 'A-23' },
    { document: 'Bitstring Status List 1.0', section: '2.1, 2.2, 3.2, 6.1' },
  ],

  async run(context) {
    const { step, control, environment, httpAs } = context
    const wallet = context.createWallet()

    const { vc, payload } = await step('A wallet collects a credential', async () => {
      const { offerUri } = await control.createOffer()
      return acceptOfferLink(context, wallet, offerUri)
    })
    const entry = vc.credentialStatus as Record<string, string>
    await step('It names its entry', () => {
      expectIncludes('credentialStatus', entry, {
        type: 'BitstringStatusListEntry',
        statusPurpose: 'revocation',
      })
      expectMatch('statusListIndex, a text', entry.statusListIndex, /^(0|[1-9]\d*)$/)
    })
    const list = await step('The list is there, for everybody', async () => {
      const url = String(entry.statusListCredential)
      expectTrue('it is at the issuer', url.startsWith(`${environment.issuerBaseUrl}/`), url)
      const answer = expectStatus(await httpAs('verifier').request(url), 200)
      expectMatch('its content type', answer.contentType, /^application\/vc\+jwt\b/)
      const jws = parseJws(answer.text)
      if (!jws.ok) throw new TypeError(jws.reason)
      return jws
    })
    await step('It is signed by a key that the issuer asserts with', async () => {
      const issuerDid = environment.trustChain.issuer.did
      const resolved = await resolveEnvironmentDid(context, wallet)(issuerDid)
      if (!resolved.ok) throw new TypeError(resolved.reason)
      const { kid } = list.header
      const publicKey = findVerificationKey(resolved.value, kid)
      expectTrue(
        'the key is for assertions',
        hasRelationship(resolved.value, kid, 'assertionMethod'),
      )
      expectTrue(
        'the signature is good',
        publicKey !== undefined && verifyJws({ jws: list, publicKey, algorithms: ['ES256K'] }),
      )
      expectEqual('its issuer', list.payload.iss, payload.iss)
    })
    await step('Entry by entry: this one is 0', () => {
      const parsed = zStatusListCredential.safeParse(list.payload)
      expectTrue('it is a status list credential', parsed.success, parsed.error?.issues)
      const { id, credentialSubject } = parsed.data?.vc ?? {}
      expectEqual('its id', id, entry.statusListCredential)
      const { type, statusPurpose, encodedList = '' } = credentialSubject ?? {}
      expectEqual('its type', type, 'BitstringStatusList')
      expectEqual('its purpose', statusPurpose, 'revocation')
      const bits = decodeBitstring(encodedList) ?? new Uint8Array()
      expectTrue('it is long enough', bits.length * 8 >= fewestEntries, bits.length * 8)
      expectEqual('the entry', bitAt(bits, Number(entry.statusListIndex)), false)
    })
  },
})
