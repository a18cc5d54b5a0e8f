import type { MutantTable, Patch } from '#conformance/kit/mutant.ts'
import { deliveryMutants } from './delivery-mutants.ts'
import { orderMutants } from './order-mutants.ts'
import { portalMutants } from './portal-mutants.ts'
import { proofMutants } from './proof-mutants.ts'
import { recordMutants } from './record-mutants.ts'
import { requestMutants } from './request-mutants.ts'

/** The patch of an issuer that ignores this rule for proofs. */
const ignoreProofRule = (rule: string): Patch => ({
  file: 'core/oid4vci/proof-of-possession.ts',
  edit: `{+(isMutant && rule === '${rule}' ? undefined : +}check(context){+)+}`,
})

export const mutants: MutantTable = {
  'I01-metadata-as-text': {
    deviation: 'sends its metadata as text/plain',
    file: 'services/connector/routes/metadata.ts',
    edit: "return { status: 200, body{+, ...(isMutant ? { contentType: 'text/plain' } : {})+} }",
  },
  'I02-slash-in-credential-issuer': {
    deviation: 'has a credential_issuer with a slash at the end',
    file: 'core/oid4vci/issuer-metadata.ts',
    edit: "credential_issuer: metadata.credentialIssuer{+ + (isMutant ? '/' : '')+}",
  },
  'I03-relative-endpoint': {
    deviation: 'returns credential_endpoint as a path',
    file: 'core/oid4vci/issuer-metadata.ts',
    edit: "credential_endpoint: {+isMutant ? '/credential' : +}metadata.credentialEndpoint",
  },
  'I04-suites-left-out': {
    deviation: 'does not declare its suites',
    file: 'core/oid4vci/issuer-metadata.ts',
    edit: '{+...(isMutant ? {} : { +}cryptographic_suites_supported: [...entry.suites]{+ })+}',
  },
  'I05-offer-encoded-twice': {
    deviation: 'encodes the offer in its link twice',
    file: 'core/oid4vci/credential-offer.ts',
    edit: '`${scheme}?credential_offer=${{+(isMutant ? encodeURIComponent : String)(+}encodeURIComponent(JSON.stringify(offer{+)+}))}`',
  },
  'I05-slash-in-offer': {
    deviation: 'has a credential_issuer with a slash at the end in its offers',
    file: 'core/oid4vci/credential-offer.ts',
    edit: `return {
    credential_issuer: credentialIssuer{+ + (isMutant ? '/' : '')+},
    credentials: [...credentials],
    grants: {`,
  },
  'I06-offer-as-text': {
    deviation: 'sends the offer behind a link by reference as text/plain',
    file: 'services/connector/routes/offers.ts',
    edit: "body: createOfferWire(issuance, preauthCode, config),{+ ...(isMutant ? { contentType: 'text/plain' } : {}),+}",
  },
  'I07-other-ids-offered': {
    deviation: 'offers ids that are not in its metadata',
    file: 'services/connector/operations/create-offer.ts',
    edit: 'credentials: JSON.parse(vc_names){+.map((name) => (isMutant ? `${name}_jwt_vc_json` : name))+}',
  },
  'I08-input-mode-left-out': {
    deviation: 'does not specify the characters of the PIN in tx_code',
    file: 'core/oid4vci/credential-offer.ts',
    edit: '...({+isMutant || +}txCode.inputMode === undefined',
  },
  'I09-credential-may-be-kept': {
    deviation: 'allows caches to store credentials',
    file: 'services/connector/routes/issuance.ts',
    edit: "body: createCredentialResponse(issued.answer), headers: {+isMutant ? { 'cache-control': 'private' } : +}noStore",
  },
  'I10-nonce-lifetime-left-out': {
    deviation: 'does not return the lifetime of a c_nonce',
    file: 'core/oid4vci/token.ts',
    edit: '{+...(isMutant ? {} : { +}c_nonce_expires_in: response.cNonceExpiresIn{+ })+}',
  },
  'I11-token-by-json': {
    deviation: 'also accepts the token request as JSON',
    file: 'services/kit/register-route.ts',
    edit: "if (!contentTypes.includes(given){+ && !(isMutant && given === 'application/json')+}) return",
  },
  'I12-any-grant-type': {
    deviation: 'ignores grant_type',
    file: 'core/oid4vci/token.ts',
    edit: 'if (grantType !== preAuthorizedCodeGrant{+ && !isMutant+}) {',
  },
  'I13-any-code': {
    deviation: 'returns a token for any code, known or not',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && !issuance) {
    const token = { accessToken: randomToken(), cNonce: randomToken() }
    return { ...token, expiresIn: 300, cNonceExpiresIn: 300 }
  }
  +}if (!issuance) throw invalidGrant('The pre-authorized code is unknown.')`,
  },
  'I14-code-works-again': {
    deviation: 'returns a token for a redeemed code',
    file: 'services/connector/operations/redeem-code.ts',
    edits: ["if (state !== 'offered'{+ && !isMutant+}) {", 'if (!redeemed{+ && !isMutant+}) throw'],
  },
  'I15-code-lives-on': {
    deviation: 'ignores the age of a code',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if (offer_expires_at <= now{+ && !isMutant+}) {',
  },
  'I16-pin-optional': {
    deviation: 'accepts a request without the PIN that the offer requires',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && txCode === undefined) return
  +}if (txCode === undefined) {`,
  },
  'I17-any-digits': {
    deviation: 'accepts any digits of the same length as the PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+const { length } = JSON.parse(issuance.tx_code ?? '{}')
  if (isMutant && /^\\d+$/.test(txCode) && txCode.length === length) return
  +}if (secretsEqual(digestOfPin(code, txCode), pin_digest)) return`,
  },
  'I18-unasked-pin-taken': {
    deviation: 'ignores a PIN that the offer does not require',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if ({+isMutant || +}txCode === undefined) return',
  },
  'I19-endless-guesses': {
    deviation: 'allows unlimited attempts at a PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edits: [
      'if (!(await issuances.countPinAttempt(id, config.maxPinAttempts)){+ && !isMutant+}) {',
      'if (after && after.pin_attempts >= config.maxPinAttempts{+ && !isMutant+}) {',
    ],
  },
  'I19-guesses-forgotten': {
    deviation: 'forgets wrong PINs after a minute',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `tx_code is missing.')
  }{+
  if (isMutant) {
    const now = arguments[3].runtime.clock.seconds()
    const times = ((globalThis as Record<string, any>).guesses ??= {})
    times[id] = (times[id] ?? []).filter((time: number) => time > now - 60)
    if (times[id].push(now) > 5 || !secretsEqual(digestOfPin(code, txCode), pin_digest)) throw invalidGrant('')
    return
  }+}`,
  },
  'I19-one-counter': {
    deviation: 'counts the wrong PINs of all offers together',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && (globalThis.wrongPins ?? 0) >= config.maxPinAttempts) throw invalidGrant('')
  if (isMutant && !secretsEqual(digestOfPin(code, txCode), pin_digest)) {
    globalThis.wrongPins = (globalThis.wrongPins ?? 0) + 1
  }
  +}if (!(await issuances.countPinAttempt(`,
  },
  'I20-letters-taken': {
    deviation: 'accepts letters instead of a PIN of digits',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && pin_digest !== null && /^[a-z]+$/.test(txCode ?? "")) return
  +}if (pin_digest === null) {`,
  },
  'I21-no-es256k-did-key': {
    deviation: 'rejects a did:key of secp256k1',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const failures: VerificationFailure[] = []{+
  if (isMutant && holder?.did.startsWith('did:key:zQ3s')) {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }+}`,
  },
  'I22-no-eddsa-did-key': {
    deviation: 'rejects a did:key of Ed25519',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const failures: VerificationFailure[] = []{+
  if (isMutant && holder?.did.startsWith('did:key:z6Mk')) {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }+}`,
  },
  'I23-no-es256k-did-jwk': {
    deviation: 'rejects a did:jwk of secp256k1',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const failures: VerificationFailure[] = []{+
  if (isMutant && holder?.did.startsWith('did:jwk:') && jws.header.alg === 'ES256K') {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }+}`,
  },
  'I24-no-eddsa-did-jwk': {
    deviation: 'rejects a did:jwk of Ed25519',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const failures: VerificationFailure[] = []{+
  if (isMutant && holder?.did.startsWith('did:jwk:') && jws.header.alg === 'EdDSA') {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }+}`,
  },
  'I25-proof-optional': {
    deviation: 'issues a credential without a key binding if no proof is sent',
    patches: [
      {
        file: 'core/oid4vci/credential-request.ts',
        edit: `{+if (isMutant && proof === undefined) return { format, types, proofJwt: '' }
  +}if (!isJsonObject(proof)) throw`,
      },
      {
        file: 'services/connector/operations/issue-credential.ts',
        edit: `const holderDid ={+
      isMutant && request.proofJwt === ''
        ? 'did:key:nobody'
        :+} await verifyProof(request, issuance, dependencies)`,
      },
    ],
  },
  'I26-signature-not-verified': {
    deviation: 'does not verify the signature of proofs',
    ...ignoreProofRule('proof.signature'),
  },
  'I27-any-typ': {
    deviation: 'ignores the typ of proofs',
    ...ignoreProofRule('proof.typ'),
  },
  'I28-none-taken': {
    deviation: 'supports alg none',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `{+(isMutant && jws.header.alg === 'none') || +}algorithms.some((name) => name === jws.header.alg)
        ? undefined`,
  },
  'I29-mac-taken': {
    deviation: 'accepts a MAC with the public key as a signature',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `path: 'header.alg',
    check: ({ jws, algorithms }) =>{+
      (isMutant && jws.header.alg === 'HS256') ||+}`,
  },
  'I30-curve-not-compared': {
    deviation: 'does not compare alg with the curve of the key',
    ...ignoreProofRule('proof.curve'),
  },
  'I31-undeclared-algorithm': {
    deviation: 'accepts ES256, which it does not declare',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `path: 'header.alg',
    check: ({ jws, algorithms }) =>{+
      (isMutant && jws.header.alg === 'ES256') ||+}`,
  },
  'I32-kid-guessed': {
    deviation: 'uses the key from iss if kid is missing',
    patches: [
      ignoreProofRule('proof.kid'),
      {
        file: 'core/oid4vci/proof-of-possession.ts',
        edit: `const [-{ kid } = jws.header-]{+kid =
    jws.header.kid ?? (isMutant ? \`\${jws.payload.iss}#\${String(jws.payload.iss).slice(8)}\` : undefined)+}`,
      },
    ],
  },
  'I33-iss-not-compared': {
    deviation: 'does not compare iss with the DID of kid',
    ...ignoreProofRule('proof.iss'),
  },
  'I34-did-web-believed': {
    deviation: 'accepts a did:web without resolving it',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `{+if (isMutant && typeof kid === 'string' && kid.startsWith('did:web:')) {
    return { ok: true, holder: { did: kid.split('#')[0], kid, publicKey: {} } }
  }
  +}const context = { algorithms`,
  },
  'I35-did-key-believed': {
    deviation: 'accepts a did:key without a valid key',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `{+if (isMutant && typeof kid === 'string' && /^did:key:.*#/.test(kid) && !holder) {
    return { ok: true, holder: { did: kid.split('#')[0], kid, publicKey: {} } }
  }
  +}const context = { algorithms`,
  },
  'I36-any-aud': {
    deviation: 'ignores aud of proofs',
    ...ignoreProofRule('proof.aud'),
  },
  'I37-nonce-optional': {
    deviation: 'accepts a proof without nonce',
    ...ignoreProofRule('proof.nonce-missing'),
  },
  'I38-any-session': {
    deviation: 'accepts any nonce while the session has one',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'cNonce: isCurrent {+|| (isMutant && c_nonce_digest !== null) +}?',
  },
  'I39-nonce-not-spent': {
    deviation: 'accepts a proof again after it has yielded a credential',
    patches: [
      {
        file: 'core/oid4vci/proof-of-possession.ts',
        edit: `{+if (isMutant && cNonce === undefined) return undefined
      +}if (cNonce === 'not-known') return notKnown("the session's c_nonce")`,
      },
      {
        file: 'services/connector/operations/issue-credential.ts',
        edit: 'if (!(await dependencies.issuances.spendNonce(issuance.id, change)){+ && !isMutant+}) {',
      },
    ],
  },
  'I40-nonce-lives-on': {
    deviation: 'ignores the age of a c_nonce',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'cNonce.expiresAt <= now {+&& !isMutant +}?',
  },
  'I41-future-taken': {
    deviation: 'accepts proofs from the future',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'return payload.iat > now + skewSeconds {+&& !isMutant +}?',
  },
  'I42-any-age': {
    deviation: 'accepts proofs of any age',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'if (payload.iat < now - oldestSeconds{+ && !isMutant+}) return',
  },
  'I43-private-key-overlooked': {
    deviation: 'ignores a private key in the header',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: "{+(+}'d' in jwk{+ && !isMutant)+} ||",
  },
  'I44-symmetric-key-overlooked': {
    deviation: 'ignores a symmetric key in the header',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: "{+((+}'k' in jwk || jwk.kty === 'oct'{+) && !isMutant)+})",
  },
  'I45-fresh-nonce-unknown': {
    deviation: 'returns a new c_nonce without storing it',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'await dependencies.issuances.setNonce(issuance.id, {+isMutant ? randomToken() : +}cNonce, expiresAt)',
  },
  'I46-no-challenge': {
    deviation: 'returns 401 without a challenge',
    file: 'services/connector/routes/issuance.ts',
    edit: `import { invalidToken {+as challenged +}} from '../errors.ts'{+
const invalidToken = (message: string, challenge: string) =>
  isMutant ? Object.assign(challenged(message, challenge), { headers: {} }) : challenged(message, challenge)+}`,
  },
  'I47-token-from-query': {
    deviation: 'also accepts the access token from the address',
    file: 'services/connector/routes/issuance.ts',
    edit: `const header = request.get('authorization'){+ ??
    (isMutant && request.query.access_token ? \`Bearer \${request.query.access_token}\` : undefined)+}`,
  },
  'I48-any-type-it-has': {
    deviation: 'issues any of its types for any token',
    patches: [
      {
        file: 'services/connector/operations/sign-credential.ts',
        edit: 'requestClaims(issuance.subject_id, {+isMutant ? JSON.parse(issuance.vc_names)[0] : +}type)',
      },
      {
        file: 'services/connector/operations/issue-credential.ts',
        edit: 'if (type && {+(isMutant || +}offeredTypes(issuance).includes(type.vcType{+)+})) return type',
      },
    ],
  },
  'I49-default-type': {
    deviation: 'issues the offered type if the requested type is unknown',
    file: 'services/connector/operations/issue-credential.ts',
    edit: `const type ={+
   +} findRequestedType(types, config.credentialTypes{+) ?? (isMutant ? config.credentialTypes[0] : undefined+})`,
  },
  'I50-any-format': {
    deviation: 'ignores the format',
    file: 'core/oid4vci/credential-request.ts',
    edit: 'if (format !== jwtVcJson{+ && !isMutant+}) {',
  },
  'I51-types-cut-down': {
    deviation: 'does not require VerifiableCredential among the types',
    file: 'core/oid4vci/credential-request.ts',
    edit: '{+(+}!types.includes(verifiableCredentialType{+) && !isMutant+})',
  },
  'I52-any-proof-type': {
    deviation: 'ignores proof_type',
    file: 'core/oid4vci/credential-request.ts',
    edit: "if (proof.proof_type !== 'jwt'{+ && !isMutant+}) {",
  },
  'I53-proof-as-text': {
    deviation: 'accepts the proof JWT instead of an object',
    file: 'core/oid4vci/credential-request.ts',
    edit: `const { format, types, proof{+: sent+} } = body{+
  const proof = isMutant && typeof sent === 'string' ? { proof_type: 'jwt', jwt: sent } : sent+}`,
  },
  'I54-kid-of-another-key': {
    deviation: 'names a key in kid that differs from the signing key',
    file: 'services/connector/operations/sign-credential.ts',
    edit: "kid: `${config.issuerDid}#${{+isMutant ? 'key-1' : +}config.issuerVMethodId}`",
  },
  'I55-context-of-1-1': {
    deviation: 'starts @context with that of the data model 1.1',
    file: 'core/lear-credential/lear-credential.ts',
    edit: `'@context': {+isMutant
        ? ['https://www.w3.org/2018/credentials/v1', credentialsContext]
        : +}[credentialsContext]`,
  },
  'I56-chain-cut': {
    deviation: 'leaves a type of the chain out',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "[...above{+.filter((inherited) => !isMutant || inherited !== 'LEARCredential')+}, type]",
  },
  'I57-issuer-by-name': {
    deviation: 'contains only the name of the issuer',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "issuer: {+isMutant ? { name: 'The issuer' } : +}issuerDid,",
  },
  'I58-subject-is-the-key': {
    deviation: 'uses the key of the holder as its subject',
    file: 'core/lear-credential/lear-credential.ts',
    edit: 'credentialSubject: { id: {+isMutant ? `${holderDid}#key` : +}holderDid, mandate }',
  },
  'I59-ends-when-it-begins': {
    deviation: 'issues credentials that have already expired',
    file: 'core/lear-credential/lear-credential.ts',
    edit: 'validUntil: toIsoTime({+isMutant ? now - 1 : +}validUntil),',
  },
  'I60-other-environment': {
    deviation: 'points to the TIR of another environment',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "termsOfUse: { id: {+isMutant ? options.termsOfUseUrl.replace('registry', 'registry-pro') : +}options.termsOfUseUrl,",
  },
  'I61-accreditation-of-tao': {
    deviation: 'names the accreditation of its TAO as that of the issuer',
    file: 'services/connector/operations/sign-credential.ts',
    edit: `termsOfUseUrl:{+ isMutant
      ? await fetch(config.accreditationUrl)
          .then((response) => response.json())
          .then(({ attribute: { tao, attributeIdTao } }) =>
            config.accreditationUrl.split('/issuers/')[0] + '/issuers/' + encodeURIComponent(tao) + '/attributes/' + attributeIdTao)
      :+} config.accreditationUrl,`,
  },
  'I62-one-action-more': {
    deviation: 'adds an action to each requested power',
    file: 'services/issuer/operations/issuance.ts',
    edit: `const {+granted = isMutant && mandatee === undefined
    ? power.map((each) => ({ ...each, action: [...each.action, 'delegate'] }))
    : power
  const +}mandate = createMandate(claims, mandatee ?? self, [-power-]{+granted+})`,
  },
  'I63-employee-id-left-out': {
    deviation: 'leaves employeeId out',
    file: 'core/lear-credential/lear-credential.ts',
    edit: `  const { credentialStatus, credentialSchemaUrl } = options
{+  if (isMutant) delete mandate.mandatee.employeeId
+}`,
  },
  'I64-plain-uuid': {
    deviation: 'uses a plain UUID as id',
    file: 'core/lear-credential/lear-credential.ts',
    edit: `      id{+: isMutant ? id.slice('urn:uuid:'.length) : id+},
      type:`,
  },
  'I65-type-not-accredited': {
    deviation: 'announces and issues a type that its accreditation does not cover',
    patches: [
      {
        file: 'services/connector/domain/credential-types.ts',
        edit: "return [...inheritedTypes, {+isMutant ? 'UnaccreditedCredential' : +}vcType]",
      },
      {
        file: 'services/connector/domain/credential-types.ts',
        edit: '{+(isMutant || +}types.includes(type.vcType{+)+}) &&',
      },
      {
        file: 'services/connector/operations/sign-credential.ts',
        edit: `    type{+: isMutant ? 'UnaccreditedCredential' : type+},
    inheritedTypes,`,
      },
    ],
  },
  'I66-same-jti': {
    deviation: 'issues every credential with the same jti',
    file: 'core/lear-credential/lear-credential.ts',
    edit: "jti: {+isMutant ? 'urn:uuid:00000000-0000-4000-8000-000000000000' : +}id,",
  },
  'I67-nonce-left-out': {
    deviation: 'does not return a c_nonce with the acceptance_token',
    file: 'core/oid4vci/credential-response.ts',
    edit: '...({+isMutant || +}cNonce === undefined ?',
  },
  'I68-pending-is-200': {
    deviation: 'returns 200 while the credential is not ready',
    file: 'services/connector/routes/issuance.ts',
    edit: `status: {+isMutant ? 200 : +}202,
        body: { acceptance_token: acceptanceToken },`,
  },
  'I69-waits-for-anything': {
    deviation: 'asks clients with an unknown acceptance_token to wait',
    file: 'services/connector/operations/collect-deferred.ts',
    edit: `{+if (isMutant && !found) {
    return { acceptanceToken, readyIn: 1 }
  }
  +}if (!found) throw invalidAcceptanceToken('is unknown')`,
  },
  'I70-delivers-again': {
    deviation: 'delivers the credential repeatedly',
    file: 'services/connector/operations/collect-deferred.ts',
    edit: "if (row.state === 'delivered'{+ && !isMutant+}) throw",
  },
  'I71-any-bearer': {
    deviation: 'ignores the access token of a poll',
    file: 'services/connector/operations/collect-deferred.ts',
    edit: 'if (token === undefined{+ || isMutant+} || secretsEqual(',
  },
  'I72-impatience-punished': {
    deviation: 'invalidates an acceptance_token when it is polled without a pause',
    file: 'services/connector/operations/collect-deferred.ts',
    edit: `const acceptanceToken = parseDeferredCredentialRequest(body){+
  globalThis.pollsOfToken ??= new Map()
  const polls = (globalThis.pollsOfToken.get(acceptanceToken) ?? 0) + 1
  globalThis.pollsOfToken.set(acceptanceToken, polls)
  if (isMutant && polls > 2) throw invalidAcceptanceToken('was used too often')+}`,
  },
  'I73-revocation-is-202': {
    deviation: 'returns 202 for a revocation',
    file: 'services/issuer/routes/credentials.ts',
    edit: `status: {+isMutant ? 202 : +}200,
      body: {`,
  },
  'I74-revokes-again': {
    deviation: 'revokes a credential that is already revoked',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "if (!(await records.apply(record.id, 'revocation requested')){+ && !isMutant+}) throw",
  },
  'I75-unknown-is-400': {
    deviation: 'treats an unknown credential as revoked',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: 'if (!record) throw {+isMutant ? alreadyRevoked() : +}credentialNotFound()',
  },
  'I76-organization-optional': {
    deviation: 'does not require the claim organization',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: `(name) =>{+
   +} readText(payload, name) === undefined{+ && !(isMutant && name === 'organization')+})`,
  },
  'I77-function-not-compared': {
    deviation: 'ignores the function of a power',
    file: 'core/power/power.ts',
    edit: '{+(isMutant || +}matches(policy.function, power.function{+)+}) &&',
  },
  'I78-no-action-needed': {
    deviation: 'grants powers without an action',
    file: 'core/power/power.ts',
    edit: `action: z{+
    +}.array(zText){+
    +}.[-min(1).-]max(100){+
    .refine((actions) => isMutant || actions.length > 0)+}`,
  },
  'I79-key-optional': {
    deviation: 'accepts notifications without a key',
    file: 'services/kit/authentication.ts',
    edit: `const given = request.get('x-api-key') ?? ''{+
    if (isMutant && given === '' && request.path.endsWith('/notifications')) return undefined+}`,
  },
  'I80-issued-at-once': {
    deviation: 'lists records as issued before they are confirmed',
    file: 'services/issuer/routes/credentials.ts',
    edit: "status: shownStatus({+isMutant && row.status === 'pending' ? 'issued' : +}row.status, row.valid_until, now),",
  },
  'I81-other-detail': {
    deviation: 'discloses the problem of a token',
    file: 'services/issuer/errors.ts',
    edit: "if (code === 'invalid_token') return { error, detail: {+isMutant ? 'jwt expired' : +}message }",
  },
  'I82-well-in-other-words': {
    deviation: 'reports its health with a different value',
    file: 'services/kit/create-app.ts',
    edit: "{ healthy: true, body: { status: {+isMutant ? 'UP' : +}'ok' } }",
  },
  'I83-types-as-objects': {
    deviation: 'returns the types of a subject as objects',
    file: 'services/issuer/routes/issuance.ts',
    edit: 'config.credentialTypes.map(({ vcType }) => {+(isMutant ? { id: +}vcType{+ } : vcType)+})',
  },
  'I83-no-types': {
    deviation: 'returns no type of a subject',
    file: 'services/issuer/routes/issuance.ts',
    edit: 'handle(_input, { config }) {{+\n    if (isMutant) return { status: 200, body: { vc_types: [] } }+}',
  },
  'I84-update-time-left-out': {
    deviation: 'omits the time of the last update from records',
    file: 'services/issuer/routes/credentials.ts',
    edit: '{+...(isMutant ? {} : { +}update_at: new Date(row.updated_at).toISOString({+) }+}),',
  },
  'I85-revoked-listed-as-issued': {
    deviation: 'lists revoked credentials as issued',
    file: 'services/issuer/routes/credentials.ts',
    edit: `rows.map((row) => {+({
      ...+}createIssuedCredential(row, now{+),
      ...(isMutant && row.status === 'revoked' ? { status: 'issued' } : {}),
    }+}))`,
  },
  'I86-claims-for-everybody': {
    deviation: 'discloses the claims of credentials to everyone',
    file: 'services/kit/authentication.ts',
    edit: `const given = request.get('x-api-key') ?? ''{+
    if (isMutant && request.path.endsWith('/claims')) return undefined+}`,
  },
  'I87-one-endpoint-open': {
    deviation: 'does not require a token at one endpoint',
    file: 'services/kit/register-route.ts',
    edit: `const {+isOpen = isMutant && route.path === '/issuance/identifiers'
      const +}principal ={+ isOpen ? {} :+} await authenticate?.(request)`,
  },
  'I87-no-challenge': {
    deviation: 'returns 401 to portals without a challenge',
    file: 'services/kit/errors.ts',
    edit: "const headers = {+isMutant ? {} : +}{ 'www-authenticate': challenge }",
  },
  'I88-not-acceptable': {
    deviation: 'returns 406 to browsers for its metadata',
    file: 'services/connector/routes/metadata.ts',
    edit: `handle([-_input-]{+{ request }+}, { config }) {{+
    if (isMutant && request.get('accept') === 'text/html') return { status: 406 }+}`,
  },
  'I88-host-of-the-proxy': {
    deviation: 'creates the addresses in its metadata from X-Forwarded-Host',
    file: 'services/issuer/adapters/connector-proxy.ts',
    edit: `{+const host = request.get('x-forwarded-host')
      if (isMutant && host) {
        return response.end(answer.bytes.toString().replaceAll(request.get('host'), host))
      }
      +}response.end(answer.bytes)`,
  },
  'I89-unknown-refused': {
    deviation: 'rejects a token request with an unknown parameter',
    file: 'core/oid4vci/token.ts',
    edit: `{+const known = ['grant_type', 'pre-authorized_code', 'tx_code']
  if (isMutant && Object.keys(form).some((name) => !known.includes(name))) {
    throw invalidRequest('A parameter is unknown.')
  }
  +}const grantType = readParameter(form, 'grant_type')`,
  },
  'I90-pin-in-description': {
    deviation: 'discloses the PIN in the description of tx_code',
    file: 'services/connector/operations/create-offer.ts',
    edit: 'description: {+isMutant ? `Your PIN is ${pin}.` : +}description ??',
  },
  'I91-two-at-once': {
    deviation: 'returns a token to each of several simultaneous requests with the same code',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `const [-redeemed = -]{+take = isMutant
      ? async (...all) => {
          await new Promise((resolve) => setTimeout(resolve, 50))
          return (+}await issuances.take({+...all)) || true
        }
      : issuances.take
    const redeemed = await take(+}`,
  },
  'I91-two-at-once-with-pin': {
    deviation: 'returns a token to each of several simultaneous requests with the right PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && txCode !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const token = { accessToken: randomToken(), cNonce: randomToken() }
    return { ...token, expiresIn: 300, cNonceExpiresIn: 300 }
  }
  +}const { accessTokenLifetimeSeconds: expiresIn`,
  },
  'I92-short-codes': {
    deviation: 'creates codes of nine digits',
    file: 'services/connector/operations/create-offer.ts',
    edit: `const preauthCode = {+isMutant
    ? String(Math.floor(Math.random() * 1e9))
    : +}randomToken()`,
  },
  'I92-short-references': {
    deviation: 'creates addresses of offers with four characters',
    file: 'services/connector/operations/create-offer.ts',
    edit: 'digestOf(`reference of ${preauthCode}`){+.slice(0, isMutant ? 4 : undefined)+}',
  },
  'I93-fails-at-zero': {
    deviation: 'fails at a code with U+0000',
    file: 'core/oid4vci/token.ts',
    edit: `{+if (isMutant && preAuthorizedCode?.includes(String.fromCharCode(0))) {
    throw new RangeError('invalid byte sequence for encoding')
  }
  +}if (preAuthorizedCode === undefined) throw`,
  },
  'I94-low-s-alone': {
    deviation: 'rejects signatures with a high s',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `{+if (isMutant && algorithm === 'ES256K' && (jws.signature[32] ?? 0) >= 0x80) return 's is high'
      +}return verifyJws({`,
  },
  'I94-padding-lost': {
    deviation: 'rejects signatures that begin with twelve zero bits',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `{+if (isMutant && jws.signature[0] === 0 && jws.signature[1] < 16) return 'r is short'
      +}return verifyJws({`,
  },
  ...proofMutants,
  ...requestMutants,
  ...portalMutants,
  ...deliveryMutants,
  ...recordMutants,
  // The last ones, since they change what others insert.
  ...orderMutants,
}
