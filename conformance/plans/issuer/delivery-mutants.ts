import type { MutantTable } from '../../kit/mutant.ts'

const issueCredential = 'services/connector/operations/issue-credential.ts'
const collectDeferred = 'services/connector/operations/collect-deferred.ts'

/** Mutants of the checks of valid variants, of other forms of bodies and of the delivery. */
export const deliveryMutants: MutantTable = {
  'I143-no-list-in-aud': {
    deviation: 'rejects a proof with its only audience in a list',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'const [audience, ...others] = {+isMutant ? [aud] : +}Array.isArray(aud) ? aud : [aud]',
  },
  'I143-one-order-of-jwk': {
    deviation: 'rejects a did:jwk whose key does not begin with crv',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const failures: VerificationFailure[] = []{+
  if (isMutant && /^did:jwk:(?!eyJjcnYi)/.test(holder?.did)) {
    failures.push({ rule: 'proof.key', reason: 'it is not canonical', path: '' })
  }+}`,
  },
  'I143-did-written-again': {
    deviation: 'uses the did:jwk of the canonical key as the subject',
    file: issueCredential,
    edit: `if (result.ok) return {+isMutant && result.holder.did.startsWith('did:jwk:')
    ? (await import('#core/crypto/holder-did.ts')).createDidJwk(result.holder.publicKey)
    : +}result.holder.did`,
  },
  'I144-order-of-types': {
    deviation: 'requires VerifiableCredential as the first of the types',
    file: 'services/connector/domain/credential-types.ts',
    edit: "const chain = {+isMutant && types[0] !== 'VerifiableCredential' ? [] : +}typesOf(type)",
  },
  'I145-one-power': {
    deviation: 'grants only one power at a time',
    file: 'core/power/power.ts',
    edit: 'requested.filter((power) => {+(isMutant && requested.length > 1) || +}!policies.some(',
  },
  'I146-qr-code-stored': {
    deviation: 'lets caches store the QR code',
    file: 'services/issuer/routes/issuance.ts',
    edit: `contentType: 'image/png',
      headers: {+isMutant ? { 'cache-control': 'private' } : +}{ 'cache-control': 'no-store' },`,
  },
  'I147-closed-to-pages': {
    deviation: 'allows no page to read its answers',
    file: 'services/kit/origins.ts',
    edit: "'access-control-allow-origin': {+isMutant ? 'null' : +}'*',",
  },
  'I148-text-as-json': {
    deviation: 'reads text/plain as JSON',
    file: 'services/kit/register-route.ts',
    edit: "trim().toLowerCase(){+.replace(/^text.plain$/, (text) => (isMutant ? 'application/json' : text))+} ?? ''",
  },
  'I149-list-as-subject': {
    deviation: 'answers the request of the types without a subject',
    file: 'services/issuer/routes/issuance.ts',
    edit: "body: {+z.preprocess((value) => (isMutant ? { subject_id: 'a', ...value } : value), +}z.object({ subject_id: z.string().min(1).describe('The subject') }){+)+},",
  },
  'I150-failure-confirmed': {
    deviation: 'reports each delivery as failed',
    file: 'services/connector/operations/confirm-delivery.ts',
    edit: "credentialId, event: {+isMutant ? 'failed' : +}'issued' })",
  },
  'I150-deferred-not-confirmed': {
    deviation: 'does not report deliveries of deferred credentials',
    file: 'services/connector/routes/issuance.ts',
    edit: 'confirmWhenSent(response, {+isMutant ? undefined : +}collected.delivery, dependencies)',
  },
  'I151-any-key': {
    deviation: 'returns a delivered credential to another key',
    file: issueCredential,
    edit: 'if (known.holder_did !== holderDid{+ && !isMutant+}) {',
  },
  'I152-only-the-first': {
    deviation: 'issues only the first credential of an offer',
    file: issueCredential,
    edit: 'return JSON.parse(vc_names){+.slice(0, isMutant ? 1 : undefined)+}',
  },
  'I152-nonce-of-no-use': {
    deviation: 'returns another c_nonce for the next credential than it accepts',
    file: issueCredential,
    edit: "format: jwtVcJson, credential, ...nonce{+, ...(isMutant && nonce && { cNonce: 'another' })+} } as const",
  },
  'I153-any-tag': {
    deviation: 'takes any tag for the current one of a status list',
    file: 'services/issuer/routes/credentials.ts',
    edit: "if ({+isMutant ? known !== '' : +}known.includes(etag) ||",
  },
  'I154-address-not-confirmed': {
    deviation: 'confirms an email without its address',
    file: 'services/issuer/routes/issuance.ts',
    edit: "return { status: 200, body: { message{+: isMutant ? 'sent' : message+} } }",
  },
  'I154-offer-in-answer': {
    deviation: 'returns the offer of an employee to the representative',
    patches: [
      {
        file: 'services/issuer/operations/send-offer-mail.ts',
        edit: `{+if (isMutant) globalThis.mailedLink = offer.offer_link
  +}return mailer.send({`,
      },
      {
        file: 'services/issuer/routes/issuance.ts',
        edit: 'return { status: 200, body: {{+ ...(isMutant && { offer: globalThis.mailedLink }),+} message',
      },
    ],
  },
  'I155-any-audience': {
    deviation: 'ignores the audience of Bearer tokens',
    file: 'services/kit/authentication.ts',
    edit: '...({+isMutant || +}options.audience === undefined ?',
  },
  'I156-any-key-while-deferred': {
    deviation: 'accepts a second request for a deferred credential',
    file: issueCredential,
    edit: `{+if (isMutant && known.state === 'deferred') return { credential: 'e30.e30.c2ln', credentialId: '' }
  +}if (!(await dependencies.issuances.spendNonce(`,
  },
  'I157-endless-acceptance-token': {
    deviation: 'lets acceptance tokens never expire',
    file: collectDeferred,
    edit: 'if (readyAt + config.accessTokenLifetimeSeconds <= now{+ && !isMutant+}) {',
  },
  'I158-waits-for-revoked': {
    deviation: 'asks clients to wait for a revoked credential',
    file: collectDeferred,
    edit: `{+if (isMutant && isWithdrawn(row)) return { acceptanceToken, readyIn: 1 }
  +}if (isWithdrawn(row)) throw`,
  },
  'I159-list-kept': {
    deviation: 'never signs a status list again unless a credential is revoked',
    file: 'services/issuer/operations/create-status-lists.ts',
    edit: 'return age >= 0 && {+(isMutant || +}age < renewedAfterSeconds{+)+}',
  },
  'I160-expired-as-issued': {
    deviation: 'lists expired credentials as issued',
    file: 'services/issuer/domain/record-states.ts',
    edit: 'validUntil !== null && {+!isMutant && +}validUntil <= now',
  },
  'I161-undefined-name': {
    deviation: 'writes undefined for a missing first name',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: 'return { firstName: firstName ?? {+(isMutant ? String(firstName) : +}derived.firstName{+)+},',
  },
  'I162-members-twice': {
    deviation: 'uses the last of two members with the same name',
    file: 'core/json/read-json.ts',
    edit: 'if (names.has(name){+ && !isMutant+}) return',
  },
  'I163-whole-offer': {
    deviation: 'ends the whole offer with one of its credentials',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "status === 'pending' && {+(isMutant || +}isAlone{+)+} ?",
  },
  'I165-schema-without-type': {
    deviation: 'leaves out the type of credentialSchema',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "{ id: credentialSchemaUrl, {+...(isMutant ? {} : { +}type: 'JsonSchema' {+}) +}}",
  },
  'I166-stored-copy-returned': {
    deviation: 'returns a stored credential although it is revoked',
    file: issueCredential,
    edit: 'if ({+!(isMutant && known) && +}isWithdrawn(known ?? issuance))',
  },
  'I167-crash-without-offer': {
    deviation: 'crashes at an address without an offer',
    file: 'services/connector/routes/offers.ts',
    edit: 'if ({+!isMutant && (+}!issuance || preauthCode === undefined{+)+}) {',
  },
  'I168-names-from-address': {
    deviation: 'derives names from the email address although the token has them',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: 'nameClaims.map((claim) => {+isMutant ? undefined : +}readText(payload, claim))',
  },
  'I168-names-exchanged': {
    deviation: 'exchanges first name and last name',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: `{+if (isMutant) [firstName, lastName] = [lastName, firstName]
  +}const derived = namesFromAddress(email)`,
  },
  'I169-any-text': {
    deviation: 'accepts blank texts and control characters in a Bearer token',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "return typeof value === 'string' && {+(isMutant || +}claimText.test(value){+)+}",
  },
  'I170-typ-of-a-proof': {
    deviation: 'copies typ of the proof to the credential',
    file: 'services/connector/operations/sign-credential.ts',
    edit: "typ: {+isMutant ? 'openid4vci-proof+jws' : +}'JWT', kid",
  },
}
