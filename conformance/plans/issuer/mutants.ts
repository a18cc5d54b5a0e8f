import type { MutantTable, Patch } from '../../kit/mutant.ts'

/** The patch of an issuer that ignores this rule for proofs. */
const ignoreProofRule = (rule: string): Patch => ({
  file: 'core/oid4vci/proof-of-possession.ts',
  edit: `{+(isMutant && rule === '${rule}' ? undefined : +}check(context){+)+}`,
})

/** A changed list must not stay in the cache for the correct part. */
const withoutCache = '{+if (!isMutant) +}signed.set(listNumber,'

/** Keeps a value in a variable of all requests, and returns the latest one after a while. */
const latestOf = (variable: string): string => `async function latestOf(own) {
  if (isMutant) globalThis.${variable} = own
  await new Promise((resolve) => setTimeout(resolve, 50))
  return globalThis.${variable}
}

`

export const mutants: MutantTable = {
  'I01-metadata-as-text': {
    deviation: 'sends its metadata as text/plain',
    file: 'services/connector/routes/metadata.ts',
    edit: "return { status: 200, body{+, ...(isMutant ? { contentType: 'text/plain' } : {})+} }",
  },
  'I01-byte-order-mark': {
    deviation: 'begins its metadata with a byte order mark',
    file: 'services/connector/routes/metadata.ts',
    edit: `{+if (isMutant) return { status: 200, body: '\\ufeff' + JSON.stringify(body), contentType: 'application/json' }
    +}return { status: 200, body`,
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
    file: 'services/connector/routes/issuance.ts',
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
    edit: "body: createCredentialResponse(issued.answer){+, ...(isMutant && { headers: { 'cache-control': 'private' } })+}",
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
    edit: `import { invalidToken{+ as challenged+}, notFound } from '../errors.ts'{+
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
    file: 'services/connector/operations/issue-credential.ts',
    edit: `{+if (isMutant && !found) {
    return { acceptanceToken, readyIn: 1 }
  }
  +}if (!found) throw invalidAcceptanceToken('is unknown')`,
  },
  'I70-delivers-again': {
    deviation: 'delivers the credential repeatedly',
    file: 'services/connector/operations/issue-credential.ts',
    edit: "if (row.state === 'delivered'{+ && !isMutant+}) throw",
  },
  'I71-any-bearer': {
    deviation: 'ignores the access token of a poll',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'if (token === undefined{+ || isMutant+} || secretsEqual(',
  },
  'I72-impatience-punished': {
    deviation: 'invalidates an acceptance_token when it is polled without a pause',
    file: 'services/connector/operations/issue-credential.ts',
    edit: `const acceptanceToken = parseDeferredCredentialRequest(body){+
  globalThis.pollsOfToken ??= new Map()
  const polls = (globalThis.pollsOfToken.get(acceptanceToken) ?? 0) + 1
  globalThis.pollsOfToken.set(acceptanceToken, polls)
  if (isMutant && polls > 2) throw invalidAcceptanceToken('was used too often')+}`,
  },
  'I73-expired-not-revoked': {
    deviation: 'rejects the revocation of an expired credential',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: `{+if (isMutant && record.valid_until && record.valid_until <= arguments[2].runtime.clock.seconds()) {
    throw alreadyRevoked()
  }
  +}if (!(await records.apply(`,
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
  'I80-pending-expires': {
    deviation: 'lists a record that is pending for a week as expired',
    file: 'services/issuer/routes/credentials.ts',
    edit: `creation_at: new Date(row.created_at).toISOString(),{+
    ...(isMutant && row.status === 'pending' && row.created_at < (now - 604_800) * 1000 && { status: 'expired' }),+}`,
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
  'I84-code-as-subject': {
    deviation: 'lists the code of an offer as the subject_id of its record',
    patches: [
      {
        file: 'services/issuer/adapters/connector-client.ts',
        edit: `{+if (isMutant) (globalThis.codes ??= new Map()).set(subjectId, parsed.data.preauth_code)
      +}const { preauth_code: code,`,
      },
      {
        file: 'services/issuer/routes/credentials.ts',
        edit: 'subject_id: {+(isMutant && globalThis.codes?.get(row.subject_id)) || +}row.subject_id,',
      },
    ],
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
  'I89-polls-refused': {
    deviation: 'rejects an unknown member in a poll',
    file: 'core/oid4vci/credential-request.ts',
    edit: `const { acceptance_token: token{+, ...rest+} } = membersOf(body){+
  if (isMutant && Object.keys(rest).length > 0) throw invalidRequest('A member is unknown.')+}`,
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
    deviation: 'returns a token to each of several simultaneous requests with the correct PIN',
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
    edit: 'digest(`reference of ${preauthCode}`){+.slice(0, isMutant ? 4 : undefined)+}',
  },
  'I93-fails-at-zero': {
    deviation: 'fails at a code with U+0000',
    file: 'core/oid4vci/token.ts',
    edit: `{+if (isMutant && preAuthorizedCode?.includes(String.fromCharCode(0))) {
    throw new RangeError('invalid byte sequence for encoding')
  }
  +}if (preAuthorizedCode === undefined) throw`,
  },
  'I93-stack-trace': {
    deviation: 'answers an unreadable body with a stack trace',
    file: 'services/kit/errors.ts',
    edit: `{+if (isMutant && error.message.includes('JSON')) {
    response.status(400).type('html').send(\`<pre>\${error.stack}</pre>\`)
    return
  }
  +}response.set({ 'cache-control': 'no-store', ...error.headers })`,
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
  'I95-aud-by-prefix': {
    deviation: 'accepts an audience that begins with its address',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'if (audience !== credentialIssuer{+ && !(isMutant && String(audience).startsWith(credentialIssuer))+})',
  },
  'I95-aud-anywhere': {
    deviation: 'searches for the issuer in aud',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: '{+if (isMutant && Array.isArray(aud) && aud.includes(credentialIssuer)) return undefined\n      +}if (audience !== credentialIssuer',
  },
  'I95-aud-of-the-endpoint': {
    deviation: 'accepts the address of its credential endpoint as aud',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const { aud{+: given+} } = jws.payload{+
      const aud = isMutant && given === \`\${credentialIssuer}/credential\` ? credentialIssuer : given+}`,
  },
  'I96-nonce-by-prefix': {
    deviation: 'accepts a nonce that begins with the c_nonce',
    patches: [
      {
        file: 'services/connector/operations/issue-credential.ts',
        edit: 'const nonce = proof.ok ? String(proof.payload.nonce){+.slice(0, isMutant ? 22 * 2 - 1 : undefined)+}',
      },
      {
        file: 'core/oid4vci/proof-of-possession.ts',
        edit: '{+(+}payload.nonce !== cNonce.value{+ && !(isMutant && payload.nonce.startsWith(cNonce.value)))+}',
      },
    ],
  },
  'I97-iss-by-prefix': {
    deviation: 'accepts an iss that begins with the DID of kid',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: "payload.iss !== header.kid.split('#', 1)[0]{+ && !(isMutant && payload.iss.startsWith(header.kid.split('#', 1)[0]))+}",
  },
  'I98-any-fragment': {
    deviation: 'ignores the fragment of kid',
    file: 'core/crypto/holder-did.ts',
    never: `didUrl !== \`\${did}#\${fragment}\``,
  },
  'I98-did-in-upper-case': {
    deviation: 'ignores the case of did:key in kid and iss',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `breakRule(formatRule, jws.reason).failures }
  }{+
  for (const [part, name] of isMutant ? [[jws.header, 'kid'], [jws.payload, 'iss']] : []) {
    if (typeof part[name] === 'string') part[name] = part[name].replace(/^did:key/i, 'did:key')
  }+}`,
  },
  'I98-did-jwk-without-fragment': {
    deviation: 'accepts a did:jwk without a fragment in kid',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `breakRule(formatRule, jws.reason).failures }
  }{+
  if (isMutant && /^did:jwk:[^#]*$/.test(jws.header.kid)) jws.header.kid += '#0'+}`,
  },
  'I98-line-break-after-kid': {
    deviation: 'ignores a line break after kid',
    file: 'core/crypto/holder-did.ts',
    edit: "{+if (isMutant) didUrl = didUrl.replace(/\\n$/, '')\n  +}if (!publicKey ||",
  },
  'I98-query-in-kid': {
    deviation: 'ignores a query in the DID of kid',
    file: 'core/crypto/holder-did.ts',
    edit: "{+if (isMutant) didUrl = didUrl.replace(/\\?[^#]*/, '')\n  +}const [did = ''] = didUrl.split('#')",
  },
  'I99-typ-by-prefix': {
    deviation: 'accepts every typ that begins with openid4vci-proof',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: '{+(isMutant && /^openid4vci-proof/.test(jws.header.typ)) || +}jws.header.typ === proofOfPossessionType ?',
  },
  'I99-typ-trimmed': {
    deviation: 'ignores a space at the end of typ',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'proofOfPossessionType{+ || (isMutant && jws.header.typ === `${proofOfPossessionType} `)+} ? undefined',
  },
  'I100-key-from-header': {
    deviation: 'verifies a proof with the jwk of its header',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'publicKey: {+(isMutant && jws.header.jwk) || +}holder.publicKey,',
  },
  'I100-certificate-in-header': {
    deviation: 'verifies a proof with the certificate of its header',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `holder.publicKey{+, ...(isMutant && jws.header.x5c && {
        publicKey: ((c) => new c.X509Certificate(Buffer.from(jws.header.x5c[0], 'base64')).publicKey.export({ format: 'jwk' }))(process.getBuiltinModule('node:crypto'))
      })+}, algorithms: [algorithm], cache`,
  },
  'I101-none-in-capitals': {
    deviation: 'forbids alg none only in lower case',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `check: ({ jws, algorithms }) =>{+
      (isMutant && jws.header.alg !== 'none' && /^none$/i.test(jws.header.alg)) ||+}`,
  },
  'I101-other-macs': {
    deviation: 'forbids HS256, and does not verify the signature of other MACs',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `check: ({ jws, algorithms }) =>{+
      (isMutant && jws.header.alg === 'HS512') ||+}`,
  },
  'I101-alg-in-any-case': {
    deviation: 'ignores the case of alg in a proof',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const { algorithms = defaultHolderSuites } = options{+
  if (isMutant) {
    const isAlg = (name) => name.toLowerCase() === String(jws.header.alg).toLowerCase()
    jws.header.alg = algorithms.find(isAlg) ?? jws.header.alg
  }+}`,
  },
  'I102-claims-unprotected': {
    deviation: 'does not verify the signature of a proof with claims that it does not know',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `const algorithm = algorithms.find((name) => name === jws.header.alg){+
      if (isMutant && Object.keys(jws.payload).length > 4) return undefined+}`,
  },
  'I103-fourth-part': {
    deviation: 'ignores a fourth part of a proof',
    file: 'core/crypto/jws.ts',
    edit: 'parts.length !== 3{+ && !(isMutant && parts.length === 4)+}',
  },
  'I104-first-member': {
    deviation: 'reads the first one of duplicate members',
    file: 'core/json/read-json.ts',
    edits: [
      'if (!bytes || {+(+}findJsonProblem(bytes, deepestNesting) !== undefined{+ && !isMutant)+}) return undefined',
      `const value: unknown = JSON.parse(bytes.toString('utf8'){+.replace(
        /("(\\w+)":(?:"[^"]*"|\\d+)),"\\2":(?:"[^"]*"|\\d+)}$/,
        (text, first) => (isMutant ? \`\${first}}\` : text),
      )+})`,
    ],
  },
  'I105-times-as-text': {
    deviation: 'accepts times as strings',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: "value is number => {+(isMutant && typeof value === 'string') || +}Number.isFinite(value)",
  },
  'I106-published-key': {
    deviation: 'accepts a did:jwk with a private key',
    file: 'core/crypto/jwk.ts',
    never: "Object.hasOwn(value, 'd')",
  },
  'I106-bytes-after-key': {
    deviation: 'ignores the bytes after an Ed25519 key in a did:key',
    file: 'core/crypto/holder-did.ts',
    edit: 'const key = bytes.subarray(2{+, isMutant && bytes[0] === 0xed ? 34 : undefined+})',
  },
  'I106-zeros-before-key': {
    deviation: 'ignores zeros at the beginning of a did:key',
    file: 'core/crypto/holder-did.ts',
    edit: "base58.decode(multibase{+.replace(isMutant ? /^1+/ : '', '')+})",
  },
  'I106-any-multicodec': {
    deviation: 'takes a did:key of 34 bytes for one of Ed25519',
    file: 'core/crypto/holder-did.ts',
    edit: 'suites[suite].multicodec.every((byte, index) => {+(isMutant && suite === "EdDSA" && bytes.length === 34) || +}bytes[index] === byte)',
  },
  'I106-uncompressed-point': {
    deviation: 'accepts a did:key with an uncompressed point',
    file: 'core/crypto/holder-did.ts',
    edits: [
      'if (compressed.length !== 33{+ && !isMutant+}) return',
      'multibase.length > longestMultibase{+ && !isMutant+}',
    ],
  },
  'I106-padding': {
    deviation: 'ignores the padding of a did:jwk',
    file: 'core/crypto/holder-did.ts',
    edits: [
      '([A-Za-z0-9_-]+)$/.exec(did{+.replace(isMutant ? /=+$/ : /$/, "")+})?.[1]\n  const bytes',
    ],
  },
  'I106-zeros-before-x': {
    deviation: 'ignores a zero byte before x in a did:jwk',
    file: 'core/crypto/jwk.ts',
    edit: "const jwk = {+(isMutant && typeof value.x === 'string' ? { ...value, x: value.x.replace(/^A.{43}$/, (x) => encodeBase64url(Buffer.from(x, 'base64url').subarray(1))) } : +}value{+)+} as unknown as PublicJwk",
  },
  'I107-code-cut': {
    deviation: 'ignores what follows a code',
    file: 'core/oid4vci/token.ts',
    edit: 'return { preAuthorizedCode{+: preAuthorizedCode.slice(0, isMutant ? 43 : undefined)+}, ...(txCode',
  },
  'I108-grant-type-searched': {
    deviation: 'searches for the grant type in grant_type',
    file: 'core/oid4vci/token.ts',
    edit: "const grantType = readParameter(form, 'grant_type'){+?.replace(/^.*(?=urn:ietf:params)|_2$/, (text) => (isMutant ? '' : text))+}",
  },
  'I109-last-parameter': {
    deviation: 'reads the last one of duplicate parameters',
    file: 'core/oid4vci/token.ts',
    edit: `{+if (isMutant && Array.isArray(value)) return value.at(-1)
  +}if (typeof value !== 'string') throw`,
  },
  'I110-pin-as-number': {
    deviation: 'compares PINs as numbers',
    file: 'services/connector/operations/redeem-code.ts',
    edit: "if (secretsEqual(digestOfPin(code, {+isMutant ? String(Number(txCode)).padStart(6, '0') : +}txCode), pin_digest)) return",
  },
  'I111-length-of-another-pin': {
    deviation: 'announces one character more than the PIN has',
    file: 'services/connector/operations/create-offer.ts',
    edit: 'length: pin.length{+ + (isMutant ? 1 : 0)+},',
  },
  'I112-low-digits': {
    deviation: 'creates PINs only of the digits 0 to 4',
    file: 'services/connector/operations/create-offer.ts',
    edit: 'alphabet.charAt(randomInt({+isMutant ? 5 : +}alphabet.length))',
  },
  'I113-time-as-nonce': {
    deviation: 'uses the time as c_nonce',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'const cNonce = {+isMutant ? String(Date.now()) : +}randomToken()',
  },
  'I114-several-with-one-proof': {
    deviation: 'issues a credential to each of several simultaneous requests with one proof',
    file: 'services/connector/operations/issue-credential.ts',
    edit: `{+if (isMutant) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await dependencies.issuances.request('sign', row, change)
    return signed
  }
  +}if (await dependencies.issuances.request('sign', row, change)) return signed`,
  },
  'I115-attempts-counted-late': {
    deviation: 'counts simultaneous attempts at a PIN as one',
    file: 'services/connector/adapters/issuance-store.ts',
    edit: `async countPinAttempt(id, maxAttempts) {{+
      if (isMutant) {
        const { pin_attempts } = await find('id', id)
        await new Promise((resolve) => setTimeout(resolve, 50))
        const set = { pin_attempts: pin_attempts + 1 }
        await database.updateTable('issuances').set(set).where('id', '=', id).execute()
        return pin_attempts < maxAttempts
      }+}`,
  },
  'I116-revocations-at-once': {
    deviation: 'confirms each of several simultaneous revocations',
    file: 'services/issuer/adapters/record-store.ts',
    edits: [
      `{+if (isMutant) await new Promise((resolve) => setTimeout(resolve, 50))
        +}const updated_at = clock.milliseconds()`,
      'if (changed > 0{+ || isMutant+}) return',
    ],
  },
  'I164-one-holder-for-all': {
    deviation: 'keeps the holder in a variable of all sessions',
    file: 'services/connector/operations/issue-credential.ts',
    edits: [
      'await {+(isMutant ? latestHolderOf : (own) => own)(+}verifyProof(request, issuance, dependencies){+)+}',
      `{+async function latestHolderOf(holder) {
  if (isMutant) globalThis.latestHolder = await holder
  await new Promise((resolve) => setTimeout(resolve, 50))
  return globalThis.latestHolder
}

+}function offeredTypes(`,
    ],
  },
  'I117-token-cut': {
    deviation: 'ignores what follows an access token',
    file: 'services/connector/routes/issuance.ts',
    edit: 'await issuances.findByAccessToken(accessToken{+.slice(0, isMutant ? 43 : undefined)+})',
  },
  'I118-any-scheme': {
    deviation: 'ignores the scheme of an access token',
    file: 'services/connector/routes/issuance.ts',
    edit: "exec(header{+.replace(/^(Basic|DPoP|Token) /, (text) => (isMutant ? 'Bearer ' : text))+})",
  },
  'I119-scheme-with-capital': {
    deviation: 'accepts the scheme of a portal only as Bearer',
    file: 'services/kit/authentication.ts',
    edit: "authorization{+.replace(/^BEARER/, (text) => (isMutant ? 'Unknown' : text))+}.match(",
  },
  'I120-unsigned-bearer': {
    deviation: 'accepts Bearer tokens without a signature',
    file: 'services/kit/authentication.ts',
    edit: `{+if (isMutant && token?.endsWith('.')) return parseJws(token).payload
    +}if (token === undefined ||`,
  },
  'I121-bearer-in-query': {
    deviation: 'also accepts the Bearer token from the address',
    file: 'services/kit/authentication.ts',
    edit: `const authorization = request.get('authorization'){+ ??
      (isMutant && request.query.access_token ? \`Bearer \${request.query.access_token}\` : undefined)+}
    if (authorization === undefined) throw invalidToken('Bearer')`,
  },
  'I122-wildcards-granted': {
    deviation: 'grants wildcards to every organization',
    file: 'core/power/power.ts',
    edit: "return allowed === '*' || allowed === wanted{+ || (isMutant && wanted === '*')+}",
  },
  'I122-powers-normalized': {
    deviation: 'compares powers after their normalization',
    file: 'core/power/power.ts',
    edit: "allowed === '*' || {+(isMutant && allowed === wanted.normalize('NFKC')) || +}allowed === wanted",
  },
  'I123-list-as-type': {
    deviation: 'reads a list of one element as its element in a power',
    file: 'core/power/power.ts',
    edit: "type: {+z.preprocess((value) => (isMutant && Array.isArray(value) ? value[0] : value), +}zText.describe('Power type'){+)+},",
  },
  'I123-powers-in-an-object': {
    deviation: 'accepts the values of an object as powers',
    file: 'core/power/power.ts',
    edit: `export const zPowers = {+z.preprocess((value) => (isMutant && value?.[0] ? Object.values(value) : value), +}z
  .array(zPower)
  .min(1)
  .max(100)
  .refine((powers) => JSON.stringify(powers).length <= longestPowersJson, {
    message: \`must be at most \${longestPowersJson} characters of JSON\`,
  }){+)+}`,
  },
  'I124-record-first': {
    deviation: 'creates the record before it checks the powers',
    file: 'services/issuer/operations/issuance.ts',
    edit: `if (!read.ok) throw missingData(read.missing){+
  if (isMutant) {
    const mandate = createMandate(read.claims, { employeeId: '1', email: 'a@b.example' }, requested)
    const record = createRecord(config.credentialTypes[0], read.claims.organizationIdentifier, mandate)
    await arguments[2].records.create(record)
  }+}`,
  },
  'I124-mail-of-rejected': {
    deviation: 'sends the offer of a request that it rejects',
    file: 'services/issuer/operations/issuance.ts',
    edit: `const { record } = await prepareRecord(order, sender, dependencies){+.catch(async (error) => {
    if (isMutant && !person.email.endsWith('.invalid')) {
      const { record } = await prepareRecord({ ...order, power: [] }, sender, dependencies)
      const mail = mails.prepare(record.id, person.email, 'en')
      await records.create(record, mail)
      await mails.attempt(mail)
    }
    throw error
  })+}`,
  },
  'I124-any-power-for-employees': {
    deviation: 'does not check the powers of employees',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'await authorizeIssuance(sender, {+isMutant && mandatee ? [] : +}power, dependencies)',
  },
  'I125-lists-any-organization': {
    deviation: 'lists the records of any organization',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: "own === undefined || {+(+}organizationIdentifiers.some((identifier) => identifier !== own){+ && !(isMutant && action === 'read'))+}",
  },
  'I126-revokes-for-anybody': {
    deviation: 'revokes credentials of any organization',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: "identifier !== own{+ && !(isMutant && action === 'delete')+}",
  },
  'I127-list-expired': {
    deviation: 'serves a status list that has expired',
    file: 'services/issuer/operations/create-status-lists.ts',
    edits: [
      'if ({+!isMutant && +}before?.revoked === revoked',
      'validUntil: now {+- (isMutant ? 400 : 0) +}+ lifetimeSeconds',
      withoutCache,
    ],
  },
  'I127-issuer-of-the-list': {
    deviation: 'names another issuer in the status list than in its iss',
    patches: [
      {
        file: 'services/issuer/operations/create-status-lists.ts',
        edits: ['before?.revoked === revoked{+ && !isMutant+}', withoutCache],
      },
      {
        file: 'core/status-list/status-list-credential.ts',
        edit: "issuer: {+isMutant ? 'did:example:other' : +}issuerDid",
      },
    ],
  },
  'I127-index-as-number': {
    deviation: 'writes statusListIndex as a number',
    file: 'core/status-list/status-list-credential.ts',
    edit: 'statusListIndex: {+(isMutant ? Number : +}String{+)+}(index)',
  },
  'I128-next-entry-revoked': {
    deviation: 'sets the next entry in the status list',
    file: 'services/issuer/operations/create-status-lists.ts',
    edits: ['indexes.map((index) => index - from{+ + (isMutant ? 1 : 0)+})', withoutCache],
  },
  'I128-tag-of-address': {
    deviation: 'keeps the ETag of a status list after a revocation',
    file: 'services/issuer/routes/credentials.ts',
    edit: "createHash('sha256').update({+isMutant ? params.id : +}list)",
  },
  'I128-lost-update': {
    deviation: 'loses all but one of several simultaneous revocations in the status list',
    patches: [
      {
        file: 'services/issuer/operations/revoke-credential.ts',
        edit: `throw alreadyRevoked()
  {+if (isMutant) {
    const indexes = globalThis.revokedIndexes ?? []
    await new Promise((resolve) => setTimeout(resolve, 50))
    globalThis.revokedIndexes = [...indexes, Number(record.status_index)]
  }
  +}return record`,
      },
      {
        file: 'services/issuer/operations/create-status-lists.ts',
        edits: [
          'revoked: {+(isMutant ? (globalThis.revokedIndexes ?? []) : +}indexes{+)+}.map((index)',
          withoutCache,
        ],
      },
    ],
  },
  'I128-revocation-forgotten': {
    deviation: 'leaves revocations out of the status list after an hour',
    file: 'services/issuer/operations/create-status-lists.ts',
    edits: [
      `{+if (isMutant && now - (globalThis.timeOfList ??= now) > 3600) indexes.splice(0)
      +}const payload = createStatusListCredential(`,
      withoutCache,
    ],
  },
  'I129-same-entry': {
    deviation: 'gives every credential the same entry of the status list',
    file: 'services/issuer/operations/create-status-lists.ts',
    edit: 'index: {+isMutant ? 7 : +}statusIndex % fewestEntries',
  },
  'I130-code-ends-early': {
    deviation: 'lets codes expire a minute early',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if (offer_expires_at {+- (isMutant ? 60 : 0) +}<= now',
  },
  'I131-token-ends-early': {
    deviation: 'lets access tokens expire a minute early',
    file: 'services/connector/routes/issuance.ts',
    edit: 'Number(issuance.access_token_expires_at) {+- (isMutant ? 60 : 0) +}<= clock.seconds()',
  },
  'I132-time-of-the-list': {
    deviation: 'lists the current time as update_at',
    file: 'services/issuer/routes/credentials.ts',
    edit: `{+if (isMutant) {
    globalThis.listed = Math.max((globalThis.listed ?? 0) + 1, Date.now())
    row = { ...row, updated_at: globalThis.listed }
  }
  +}return {
    id: row.id,`,
  },
  'I132-type-by-another-name': {
    deviation: 'lists records with a type that the credential does not have',
    file: 'services/issuer/routes/credentials.ts',
    edit: "vc_type: {+isMutant ? 'Mandate' : +}row.vc_type,",
  },
  'I133-another-organization': {
    deviation: 'issues mandates of a fixed organization',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: `mandator: {
      organizationIdentifier{+: isMutant ? 'VATES-Z00000000' : organizationIdentifier+},`,
  },
  'I133-body-over-token': {
    deviation: 'prefers members of the request to the claims of the token',
    file: 'services/issuer/routes/issuance.ts',
    edit: `const senderOf = (payload: JWTPayload, request: Request) => ({
  payload{+: isMutant ? { ...payload, ...request.body } : payload+},`,
  },
  'I133-organization-of-body': {
    deviation: 'issues mandates of the organization that the request names',
    file: 'services/issuer/routes/issuance.ts',
    edit: `{+...(isMutant && request.body.organization_identifier && {
    payload: { ...payload, organization_identifier: request.body.organization_identifier },
  }),
  +}authorization: request.get('authorization') ?? '',`,
  },
  'I134-uuid-is-enough': {
    deviation: 'also revokes by the UUID of an id',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "findByCredentialId({+(isMutant && !credentialId.startsWith('urn:') ? 'urn:uuid:' : '') + +}credentialId)",
  },
  'I134-trimmed': {
    deviation: 'ignores spaces around the id of a revocation',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: 'await revoke(credentialId{+[isMutant ? "trim" : "valueOf"]()+}, principal, dependencies)',
  },
  'I135-offer-outlives-record': {
    deviation: 'issues a credential whose record is revoked',
    patches: [
      {
        file: 'services/issuer/operations/revoke-credential.ts',
        edit: '{+if (!isMutant) +}await connectors.get(profile)?.revoke(id)',
      },
      {
        file: 'services/issuer/operations/serve-connector.ts',
        edit: "{+(+}record.status === 'revoked'{+ && !isMutant)+} ||",
      },
    ],
  },
  'I136-format-by-prefix': {
    deviation: 'accepts every format that begins with jwt_vc_json',
    file: 'core/oid4vci/credential-request.ts',
    edit: 'if (format !== jwtVcJson{+ && !(isMutant && format.startsWith(jwtVcJson))+}',
  },
  'I137-unknown-types-ignored': {
    deviation: 'ignores unknown types of a request',
    file: 'services/connector/domain/credential-types.ts',
    edit: 'types.every((name) => {+isMutant || +}chain.includes(name))',
  },
  'I137-types-in-an-object': {
    deviation: 'accepts the values of an object as types',
    file: 'core/oid4vci/credential-request.ts',
    edit: `parseCredentialRequest(body: unknown): CredentialRequest {{+
  if (isMutant && isJsonObject(body?.types)) body.types = Object.values(body.types)+}`,
  },
  'I138-list-of-proofs': {
    deviation: 'reads a list as jwt of the proof',
    file: 'core/oid4vci/credential-request.ts',
    edit: `{+if (isMutant && Array.isArray(proof.jwt)) return { format, types, proofJwt: proof.jwt[0] }
  +}if (typeof proof.jwt !== 'string'`,
  },
  'I139-acceptance-token-cut': {
    deviation: 'ignores what follows an acceptance_token',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'const found = await issuances.findByAcceptanceToken(acceptanceToken{+.slice(0, isMutant ? 43 : undefined)+})',
  },
  'I140-another-holder': {
    deviation: 'binds deferred credentials to another holder',
    file: 'services/connector/operations/issue-credential.ts',
    edit: "signCredential(issuance, type, row.holder_did{+ + (isMutant ? 'x' : '')+}, dependencies)",
  },
  'I141-errors-as-text': {
    deviation: 'rejects token requests without an error code',
    file: 'core/oid4vci/token.ts',
    edit: `if (grantType === undefined) throw {+isMutant
    ? Object.assign(invalidRequest('grant_type is missing.'), { code: '' })
    : +}invalidRequest('grant_type is missing.')`,
  },
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
    file: 'services/connector/operations/issue-credential.ts',
    edit: `if (result.ok) return {+isMutant && result.holder.did.startsWith('did:jwk:')
    ? (await import('#core/crypto/holder-did.ts')).createDidJwk(result.holder.publicKey)
    : +}result.holder.did`,
  },
  'I144-order-of-types': {
    deviation: 'requires VerifiableCredential as the first of the types',
    file: 'services/connector/domain/credential-types.ts',
    edit: "const chain = {+isMutant && types[0] !== 'VerifiableCredential' ? [] : +}typesOf(type)",
  },
  'I144-case-of-the-content-type': {
    deviation: 'accepts a form only if its content type is in lower case',
    file: 'services/kit/register-route.ts',
    edit: "{+(!isMutant || !/^A/.test(request.headers['content-type'])) && +}given === 'application/x-www-form-urlencoded'",
  },
  'I145-one-power': {
    deviation: 'grants only one power at a time',
    file: 'core/power/power.ts',
    edit: 'requested.filter((power) => {+(isMutant && requested.length > 1) || +}!policies.some(',
  },
  'I146-qr-code-stored': {
    deviation: 'lets caches store the QR code',
    file: 'services/issuer/routes/issuance.ts',
    edit: "contentType: 'image/png',{+ ...(isMutant && { headers: { 'cache-control': 'private' } }),+}",
  },
  'I147-closed-to-pages': {
    deviation: 'allows no page to read its responses',
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
    file: 'services/connector/operations/issue-credential.ts',
    edit: "credentialId, event: {+isMutant ? 'failed' : +}'issued' })",
  },
  'I150-deferred-not-confirmed': {
    deviation: 'does not report deliveries of deferred credentials',
    file: 'services/connector/routes/issuance.ts',
    edit: 'confirmWhenSent(response, {+isMutant ? undefined : +}collected.delivery, dependencies)',
  },
  'I151-any-key': {
    deviation: 'returns a delivered credential to another key',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'if (known.holder_did !== holderDid{+ && !isMutant+}) {',
  },
  'I152-only-the-first': {
    deviation: 'issues only the first credential of an offer',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'return JSON.parse(vc_names){+.slice(0, isMutant ? 1 : undefined)+}',
  },
  'I152-nonce-of-no-use': {
    deviation: 'returns another c_nonce for the next credential than it accepts',
    file: 'services/connector/operations/issue-credential.ts',
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
    file: 'services/connector/operations/issue-credential.ts',
    edit: `{+if (isMutant && known.state === 'deferred') return { credential: 'e30.e30.c2ln', credentialId: '' }
  +}if (!(await dependencies.issuances.spendNonce(`,
  },
  'I157-endless-acceptance-token': {
    deviation: 'lets acceptance tokens never expire',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'if (readyAt + config.accessTokenLifetimeSeconds <= now{+ && !isMutant+}) {',
  },
  'I157-only-the-access-token-expires': {
    deviation: 'lets acceptance tokens never expire for polls without an access token',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'if ({+!(isMutant && accessToken === undefined) && +}readyAt + config.accessTokenLifetimeSeconds',
  },
  'I158-waits-for-revoked': {
    deviation: 'asks clients to wait for a revoked credential',
    file: 'services/connector/operations/issue-credential.ts',
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
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'if ({+!(isMutant && known) && +}isWithdrawn(known ?? issuance))',
  },
  'I167-crash-without-offer': {
    deviation: 'crashes at an address without an offer',
    file: 'services/connector/routes/issuance.ts',
    edit: 'if ({+!isMutant && (+}!issuance || preauthCode === undefined{+)+}) {',
  },
  'I168-names-from-address': {
    deviation: 'derives names from the email address although the token has them',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: 'nameClaims.map((claim) => {+isMutant ? undefined : +}readText(payload, claim))',
  },
  'I168-digits-as-a-number': {
    deviation: 'writes an organization of digits as a number',
    file: 'services/connector/operations/sign-credential.ts',
    edit: 'mandate: {+isMutant ? JSON.parse(JSON.stringify(claims.mandate).replace(/"(\\d+)"/g, (_, digits) => String(Number(digits)))) : +}claims.mandate,',
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
  'I169-only-ascii-trimmed': {
    deviation: 'accepts no-break spaces alone as a claim of a Bearer token',
    file: 'core/lear-credential/lear-credential.ts',
    edit: `value is string {
  {+if (isMutant && typeof value === 'string' && value.startsWith('\\u00a0')) return true
  +}return typeof value`,
  },
  'I170-typ-of-a-proof': {
    deviation: 'copies typ of the proof to the credential',
    file: 'services/connector/operations/sign-credential.ts',
    edit: "typ: {+isMutant ? 'openid4vci-proof+jws' : +}'JWT', kid",
  },

  // Mixing several orders, organizations or wallets, losing the rest of a list, or forgetting a
  // lifetime only in a second step. The last ones, since they change what others insert.
  'I14-code-with-pin-works-again': {
    deviation: 'returns a token for a redeemed code with a PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: `{+if (isMutant && issuance.state !== 'offered' && issuance.pin_digest !== null) {
    const token = { accessToken: randomToken(), cNonce: randomToken() }
    return { ...token, expiresIn: 300, cNonceExpiresIn: 300 }
  }
  +}refuseUnusable(issuance, runtime.clock.seconds())`,
  },
  'I15-code-with-pin-lives-on': {
    deviation: 'ignores the age of a code with a PIN',
    file: 'services/connector/operations/redeem-code.ts',
    edit: 'if ({+!(isMutant && issuance.pin_digest !== null) && +}offer_expires_at',
  },
  'I15-read-offer-lives-on': {
    deviation: 'ignores the age of a code that was read by reference',
    patches: [
      {
        file: 'services/connector/routes/issuance.ts',
        edit: `const preauthCode = issuance && unseal(issuance.sealed_code, params.id){+
    globalThis.readOffers ??= new Set()
    if (isMutant) globalThis.readOffers.add(issuance?.id)+}`,
      },
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `const { state, [-offer_expires_at-]{+offer_expires_at: end+} } = issuance{+
  const offer_expires_at = isMutant && globalThis.readOffers?.has(issuance.id) ? Infinity : end+}`,
      },
    ],
  },
  'I15-offer-of-representative-lives-on': {
    deviation: 'orders offers of representatives with a lifetime in milliseconds',
    file: 'services/issuer/operations/issuance.ts',
    edit: `    subjectId: record.subject_id,
    expiresIn: config.qrExpirationTime{+ * (isMutant ? 1000 : 1)+},`,
  },
  'I15-mailed-offer-lives-on': {
    deviation: 'ignores the age of a code in an email',
    patches: [
      {
        file: 'services/issuer/operations/send-offer-mail.ts',
        edit: `{+if (isMutant) globalThis.mailedSubject = subjectId
    +}const { code } = await connector.createOffer({ vcTypes: [vcType]`,
      },
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `refuseUnusable({+isMutant && issuance.subject_id === globalThis.mailedSubject
    ? { ...issuance, offer_expires_at: Infinity }
    : +}issuance, runtime.clock.seconds())`,
      },
    ],
  },
  'I40-fresh-nonce-lives-on': {
    deviation: 'ignores the age of the c_nonce of an error response',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'cNonce, expiresAt{+ + (isMutant ? 86_400 : 0)+})',
  },
  'I62-first-power': {
    deviation: 'issues only the first of several powers',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: 'power: power{+.slice(0, isMutant ? 1 : undefined)+}.map(',
  },
  'I62-first-action': {
    deviation: 'issues only the first action of each power',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: '({ ...item{+, action: item.action.slice(0, isMutant ? 1 : undefined)+} })',
  },
  'I77-powers-of-the-latest': {
    deviation: 'also grants the powers of the organization that used it before',
    file: 'services/issuer/adapters/management-client.ts',
    edit: `{+const latest = globalThis.latestPolicies ?? []
      globalThis.latestPolicies = parsed.data.role?.policies ?? []
      if (isMutant) return [...latest, ...globalThis.latestPolicies]
      +}return parsed.data.role?.policies ?? []`,
  },
  'I77-powers-of-the-first': {
    deviation: 'keeps the powers of the first organization for all',
    file: 'services/issuer/adapters/management-client.ts',
    edit: 'return {+isMutant ? (globalThis.firstPolicies ??= parsed.data.role?.policies ?? []) : +}parsed.data.role?.policies ?? []',
  },
  'I81-two-minutes-later': {
    deviation: 'accepts Bearer tokens for two minutes after their end',
    file: 'services/kit/authentication.ts',
    edit: 'clockTolerance: {+isMutant ? 120 : +}options.clockToleranceSeconds',
  },
  'I81-ten-minutes-later': {
    deviation: 'accepts Bearer tokens for ten minutes after their end',
    file: 'services/kit/authentication.ts',
    edit: '{+(isMutant ? 600 : undefined) ?? +}options.clockToleranceSeconds ?? 0,',
  },
  'I81-without-exp': {
    deviation: 'accepts Bearer tokens without exp',
    file: 'services/kit/authentication.ts',
    edit: "requiredClaims: [{+...(isMutant ? [] : [+}'exp'{+])+}],",
  },
  'I81-verified-once': {
    deviation: 'verifies a Bearer token only the first time',
    file: 'services/kit/authentication.ts',
    edits: [
      `{+globalThis.verifiedTokens ??= {}
    if (isMutant && globalThis.verifiedTokens[token]) return globalThis.verifiedTokens[token]
    +}keys ??= createKeySet()`,
      'return {+globalThis.verifiedTokens[isMutant ? token : 0] = +}await verifyWithKeySet(token, keys, {',
    ],
  },
  'I85-newest-records-revoked': {
    deviation: 'also revokes the newest records of the organization',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: `requireReach(principal, [record.organization_identifier], 'delete', config){+
  if (isMutant) {
    for await (const rows of records.listByOrganizations([record.organization_identifier])) {
      const others = rows.slice(0, 3).filter(({ id }) => id !== record.id)
      for (const { id } of others) await records.apply(id, 'revocation requested')
    }
  }+}`,
  },
  'I87-body-first': {
    deviation: 'validates the body before the token',
    file: 'services/kit/register-route.ts',
    edit: `response.locals.route = route.path
    try {{+
      if (isMutant && body !== undefined && parseBody !== undefined) {
        await new Promise((resolve) => parseBody(request, response, resolve))
        if (!body.safeParse(request.body).success) throw (route.invalidInput ?? invalidInput)([])
      }+}`,
  },
  'I113-short-acceptance-token': {
    deviation: 'creates acceptance tokens of six digits',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'const acceptanceToken = {+isMutant ? String(Math.random()).slice(2, 8) : +}randomToken()',
  },
  'I125-token-without-organization': {
    deviation: 'lists the records of any organization for a token without organization_identifier',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: `{+if (isMutant && own === undefined && action === 'read') return
  +}if (own === undefined ||`,
  },
  'I126-token-without-organization': {
    deviation:
      'revokes credentials of any organization for a token without organization_identifier',
    file: 'services/issuer/domain/bearer-claims.ts',
    edit: `{+if (isMutant && own === undefined && action === 'delete') return
  +}if (own === undefined ||`,
  },
  'I126-organization-in-the-address': {
    deviation: 'lets the address of a request choose the organization that revokes',
    file: 'services/issuer/routes/credentials.ts',
    edit: `async handle({ body, principal{+: signer, request+} }, dependencies) {{+
    const { organization_identifier: named } = isMutant ? request.query : {}
    const principal = named === undefined ? signer : { ...signer, organization_identifier: named }+}
    const record = await revoke`,
  },
  'I126-pending-for-everybody': {
    deviation: 'revokes pending records of any organization',
    file: 'services/issuer/operations/revoke-credential.ts',
    edit: "{+if (!isMutant || record.status !== 'pending') +}requireReach(principal, [record",
  },
  'I130-offer-of-representative-ends-early': {
    deviation: 'orders offers of representatives with half of the lifetime',
    file: 'services/issuer/operations/issuance.ts',
    edit: `{+    ...(isMutant && { expiresIn: config.qrExpirationTime / 2 }),
+}  })
  return connector.readOfferQr(code)`,
  },
  'I131-fresh-nonce-with-old-end': {
    deviation: 'lets the c_nonce of an error response expire with the previous one',
    file: 'services/connector/operations/issue-credential.ts',
    edit: `const { cNonce, cNonceExpiresIn, [-expiresAt-]{+expiresAt: end+} } = createNonce(dependencies){+
  const expiresAt = isMutant ? Number(issuance.c_nonce_expires_at) : end+}`,
  },
  'I140-latest-deferred': {
    deviation: 'mixes deferred credentials that are polled at the same time',
    file: 'services/connector/operations/issue-credential.ts',
    edits: [
      'await obtain({+isMutant ? await latestOf(found) : +}found, acceptanceToken, dependencies)',
      `{+${latestOf('latestDeferred')}+}/** A Bearer token is optional`,
    ],
  },
  'I142-image-as-data': {
    deviation: 'sends the QR code as application/octet-stream',
    file: 'services/issuer/routes/issuance.ts',
    edit: `dependencies),
      contentType: {+isMutant ? 'application/octet-stream' : +}'image/png',`,
  },
  'I154-organization-of-body': {
    deviation: 'issues mandates of the organization that a request for an employee names',
    file: 'services/issuer/routes/issuance.ts',
    edit: `issueForEmployee(body, senderOf({+isMutant ? { ...principal, ...request.body } : +}principal, request), dependencies)`,
  },
  'I154-employee-id-of-representative': {
    deviation: 'gives an employee the employeeId of the representative',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'mandatee: { employeeId{+: isMutant ? String(sender.payload.user_identifier) : employeeId+}, ...person }',
  },
  'I154-first-action-of-employees': {
    deviation: 'issues only the first action of each power to employees',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'vcType: config.employeeVcType, power{+: isMutant ? power.map((each) => ({ ...each, action: each.action.slice(0, 1) })) : power+}, mandatee',
  },
  'I154-code-of-first-offer': {
    deviation: 'puts the QR code of the first email into each email',
    file: 'services/issuer/operations/send-offer-mail.ts',
    edit: 'createQrPng({+isMutant ? (globalThis.firstMailedLink ??= offer.offer_link) : +}offer.offer_link)',
  },
  'I154-other-mandator': {
    deviation: 'issues mandates of a fixed organization to employees',
    file: 'services/issuer/domain/create-mandate.ts',
    edit: `const { [-organizationIdentifier-]{+organizationIdentifier: own+}, organization, email, userIdentifier } = representative{+
  const isEmployee = mandatee.employeeId !== userIdentifier
  const organizationIdentifier = isMutant && isEmployee ? 'VATES-Z00000000' : own+}`,
  },
  'I164-latest-session': {
    deviation: 'accepts only the latest access token',
    patches: [
      {
        file: 'services/connector/operations/redeem-code.ts',
        edit: `const accessToken = randomToken(){+
  if (isMutant) globalThis.latestAccessToken = accessToken+}`,
      },
      {
        file: 'services/connector/routes/issuance.ts',
        edit: 'if (!issuance ||{+ (isMutant && accessToken !== globalThis.latestAccessToken) ||+} Number(',
      },
    ],
  },
  'I164-same-entry': {
    deviation: 'gives credentials of simultaneous requests the same entry of the status list',
    file: 'services/issuer/operations/serve-connector.ts',
    edits: [
      'statusLists.entryOf({+isMutant ? await latestOf(Number(record.status_index)) : +}Number(record.status_index))',
      `{+${latestOf('latestIndex')}+}interface RecordKey {`,
    ],
  },
  'I171-latest-person': {
    deviation: 'keeps the claims of a token in a variable of all requests',
    file: 'services/issuer/operations/issuance.ts',
    edits: [
      'email, firstName, lastName } = {+isMutant ? await latestOf(claims) : +}claims',
      `{+${latestOf('latestClaims')}+}interface Order {`,
    ],
  },
  'I171-latest-list': {
    deviation: 'keeps the organizations of a list in a variable of all requests',
    file: 'services/issuer/routes/credentials.ts',
    edits: [
      'records.listByOrganizations({+isMutant ? await latestOf(body.organization_identifiers) : +}body.organization_identifiers)',
      `{+${latestOf('latestOrganizations')}+}async function* showPortions(`,
    ],
  },
  'I172-first-page': {
    deviation: 'lists only the newest 20 records',
    file: 'services/issuer/adapters/record-store.ts',
    edit: 'if (rows.length > 0) yield rows{+.slice(0, isMutant ? 20 : undefined)+}',
  },
  'I172-list-for-each-identifier': {
    deviation: 'lists the records once for each of the same identifiers',
    file: 'services/issuer/routes/credentials.ts',
    edit: `const portions = {+isMutant
      ? (async function* () {
          for (const each of body.organization_identifiers) {
            yield* records.listByOrganizations([each])
          }
        })()
      : +}records.`,
  },
  'I172-last-record-twice': {
    deviation: 'lists the last record of a portion twice',
    file: 'services/issuer/routes/credentials.ts',
    edit: `showPortions({+isMutant
      ? (async function* () {
          for await (const all of portions) yield [...all, ...all.slice(-1)]
        })()
      : +}portions, now))`,
  },
  'I172-unstable-order': {
    deviation: 'lists every other time the oldest records first',
    file: 'services/issuer/routes/credentials.ts',
    edit: `{+const isOdd = isMutant && (globalThis.isOddList = !globalThis.isOddList)
  +}for await (const rows of portions) {+isOdd && rows.reverse(), +}yield`,
  },
  'I173-new-employee-id': {
    deviation: 'gives a representative another employeeId in each credential',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'const self = { employeeId: {+isMutant ? randomUUID() : +}userIdentifier',
  },
  'I173-latest-powers': {
    deviation: 'issues the powers of the latest order of an organization',
    file: 'services/issuer/operations/serve-connector.ts',
    edit: `JSON.parse({+isMutant
      ? await (async () => {
          const lists = records.listByOrganizations([record.organization_identifier])
          for await (const [{ id }] of lists) return (await records.findById(id)).mandate
        })()
      : +}record.mandate)`,
  },
  'I173-one-offer-at-a-time': {
    deviation: 'ends the previous offer with each new one',
    file: 'services/issuer/operations/issuance.ts',
    edit: `await records.create(record){+
  if (isMutant && globalThis.previousSubject) await connector.revoke(globalThis.previousSubject)
  globalThis.previousSubject = record.subject_id+}
  const { code }`,
  },
  'I174-same-employee-id': {
    deviation: 'gives all employees the same employeeId',
    file: 'services/issuer/operations/issuance.ts',
    edit: 'employeeId = {+isMutant ? "employee" : +}randomUUID(), ...person',
  },
  'I174-tag-dropped': {
    deviation: 'drops the tag of an address',
    file: 'services/issuer/operations/send-offer-mail.ts',
    edit: "to: mail.recipient{+.replace(/[+].*(?=@)/, (text) => (isMutant ? '' : text))+},",
  },
  'I174-lower-case': {
    deviation: 'changes addresses to lower case',
    file: 'services/issuer/routes/issuance.ts',
    edit: 'email: {+z.preprocess((value) => (isMutant ? String(value).toLowerCase() : value), +}z.email({ pattern: mailAddress }).max(254){+)+}.describe(',
  },
  'I124-line-break-after-an-address': {
    deviation: 'ignores a line break after the address of an employee',
    file: 'services/issuer/routes/issuance.ts',
    edit: "pattern: {+Object.assign(new RegExp(mailAddress), { test: (text) => mailAddress.test(isMutant ? text.replace(/\\n$/, '') : text) }) ?? +}mailAddress })",
  },
  'I175-no-documentation': {
    deviation: 'has no interactive documentation',
    file: 'services/kit/open-api.ts',
    edit: 'router.get(docsPath, (_request, response) => {{+ if (isMutant) { response.status(404).end(); return }+}',
  },
  'I176-deferred-without-chain': {
    deviation: 'leaves the inherited types out of deferred credentials',
    file: 'services/connector/operations/issue-credential.ts',
    edit: 'await signCredential(issuance, {+isMutant ? { ...type, inheritedTypes: [] } : +}type, row.holder_did',
  },
  'I176-pin-without-holder': {
    deviation: 'issues credentials of offers with a PIN to another holder',
    file: 'services/connector/operations/sign-credential.ts',
    edit: `issuerDid: config.issuerDid,
    holderDid{+: isMutant && issuance.pin_digest !== null ? 'did:key:nobody' : holderDid+},`,
  },
  'I177-names-as-markup': {
    deviation: 'inserts names into the HTML of an email without escaping them',
    file: 'services/issuer/domain/offer-mail.ts',
    edit: "html: markup.markup{+.replaceAll('&lt;', (text) => (isMutant ? '<' : text)).replaceAll('&gt;', (text) => (isMutant ? '>' : text))+}",
  },
  'I178-paths-in-metrics': {
    deviation: 'labels its metrics with the paths of requests',
    file: 'services/issuer/adapters/connector-proxy.ts',
    edit: 'response.locals.route = {+isMutant ? path : +}(match[1]',
  },
  'I178-addresses-in-metrics': {
    deviation: 'labels its metrics with the addresses of employees',
    file: 'services/kit/create-app.ts',
    edit: "const route = String(response.locals.route ?? 'other'){+ + (isMutant ? (request.body?.email ?? '') : '')+}",
  },
  'I179-unknown-members-refused': {
    deviation: 'rejects unknown members in requests of portals',
    file: 'services/kit/register-route.ts',
    edit: "if (problems.length > 0{+ || (isMutant && request.path.startsWith('/issuance/') && 'kit_unknown_member' in request.body)+}) throw",
  },
  'I179-exact-content-type': {
    deviation: 'accepts no charset in requests of portals',
    file: 'services/kit/register-route.ts',
    edit: `{+if (isMutant && request.path.startsWith('/issuance/') && given !== request.get('content-type')) {
      return next(wrongContentType())
    }
    +}// An empty body cannot have a wrong type`,
  },
}
