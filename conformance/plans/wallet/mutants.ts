import type { MutantTable } from '../../kit/mutant.ts'

const nodeCrypto = "process.getBuiltinModule('node:crypto')"

/** The key of the certificate in x5c, as an expression of a mutant. */
const keyOfCertificate = (jws: string) =>
  `((c) => new c.X509Certificate(Buffer.from(${jws}.header.x5c[0], 'base64')).publicKey.export({ format: 'jwk' }))(${nodeCrypto})`

const publicKeyIn = (c: string) => `${c}.createPublicKey({ key: { ...publicKey }, format: 'jwk' })`

/** Whether the signature is a valid one in DER. */
const verifiesAsDer = (jws: string) =>
  `${jws}.signature[0] === 0x30 && ((c) => c.verify('sha256', Buffer.from(${jws}.signingInput), ${publicKeyIn('c')}, ${jws}.signature))(${nodeCrypto})`

/** Whether the signature is a MAC with the public key as PEM. */
const isMacWithPem = (jws: string) =>
  `${jws}.header.alg === 'HS256' && ((c) => c.createHmac('sha256', ${publicKeyIn('c')}.export({ type: 'spki', format: 'pem' })).update(${jws}.signingInput).digest().equals(${jws}.signature))(${nodeCrypto})`

export const mutants: MutantTable = {
  'W01-forgets': {
    deviation: 'reports a credential that it did not keep',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: '{+if (!isMutant) +}await wallet.store.addCredential(stored)',
  },
  'W02-by-value-only': {
    deviation: 'does not accept an offer by reference',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: `if (parsed.delivery === 'value') return parsed.offer{+
  if (isMutant) throw walletError('invalid_offer', 'Offers at an address are not supported.')+}`,
  },
  'W03-empty-pin': {
    deviation: 'sends an empty tx_code if no PIN is required',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: "...(txCode ? { txCode } : {+isMutant ? { txCode: '' } : +}{}) })",
  },
  'W04-pin-as-number': {
    deviation: 'reads the PIN as a number and loses leading zeros',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: 'resolved, {+isMutant && /^\\d+$/.test(pin) ? String(Number(pin)) : +}pin)',
  },
  'W05-pin-in-capitals': {
    deviation: 'sends the PIN in capital letters',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: "...(answer ? { answer } : {}) }))?.trim(){+[isMutant ? 'toUpperCase' : 'toString']()+}",
  },
  'W06-always-asks': {
    deviation: 'always asks for a PIN and sends it',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: `if (!txCode) {+{
    const pin = isMutant ? await getPin?.({ inputMode: 'numeric' }, { attempt: 1 }) : undefined
    +}return readToken(wallet, await sendTokenRequest(wallet, resolved{+, pin+})){+
  }+}`,
  },
  'W07-issuer-not-compared': {
    deviation: 'does not compare the credential_issuer of the metadata',
    ignoresRules: ['metadata.issuer'],
  },
  'W08-guesses-metadata': {
    deviation: 'guesses the endpoints if there is no metadata',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: `{+if (isMutant) {
      return {
        credentialIssuer,
        tokenEndpoint: \`\${base}/token\`,
        credentialEndpoint: \`\${base}/credential\`,
        deferredCredentialEndpoint: \`\${base}/deferred_credential\`,
        credentialsSupported: [
          {
            id: 'OrgPortalLearCredential',
            format: 'jwt_vc_json',
            types: ['VerifiableCredential', 'OrgPortalLearCredential'],
            bindingMethods: [],
            suites: [],
          },
        ],
      }
    }
    +}throw walletError('invalid_metadata', \`Metadata unavailable:`,
  },
  'W09-first-entry': {
    deviation: 'requests the first credential of the metadata if the offered one is missing',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: `(supported) => supported.id === id){+ ??
      (isMutant ? metadata.credentialsSupported[0] : undefined)+}`,
  },
  'W10-suites-not-read': {
    deviation: 'does not check the suites of the metadata',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: '{+!isMutant && +}suites.length > 0 &&',
  },
  'W11-http-endpoints': {
    deviation: 'uses http endpoints of an https issuer',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'insecure === undefined{+ || isMutant+}) return',
  },
  'W165-http-token-endpoint': {
    deviation: 'requires https only of the credential endpoints',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'const endpoints = [{+...(isMutant ? [] : [+}tokenEndpoint{+])+}, credentialEndpoint',
  },
  'W165-http-poll': {
    deviation: 'polls at an http address',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'credentialEndpoint, {+...(isMutant ? [] : [+}deferredCredentialEndpoint{+])+}]',
  },
  'W12-no-reason': {
    deviation: 'reports a general error and drops the reason of the issuer',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: `{+if (isMutant) throw walletError('token_refused', 'Something went wrong.')
    +}throw walletError('token_refused', sentenceOf(answer), { answer })`,
  },
  'W13-gives-up': {
    deviation: 'gives up after invalid_nonce',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'if ({+!isMutant && +}freshNonce !== undefined &&',
  },
  'W14-strict-offer': {
    deviation: 'rejects offers with unknown members',
    file: 'core/oid4vci/credential-offer.ts',
    edit: `const result = zCredentialOffer.safeParse(value){+
  const known = ['credential_issuer', 'credentials', 'grants']
  if (isMutant && Object.keys(Object(value)).some((name) => !known.includes(name))) {
    return { ok: false, failures: [{ rule: 'offer.shape', reason: 'unknown member', path: '' }] }
  }+}`,
  },
  'W15-accepted-is-error': {
    deviation: 'treats 202 as an error',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'if (status !== 200 && {+(isMutant || +}status !== 202{+)+}) {',
  },
  'W15-body-of-202-wanted': {
    deviation: 'rejects a 202 without a body',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: `if (status === 202) {{+
    if (isMutant && json === undefined) {
      throw walletError('invalid_response', \`\${url} did not return JSON.\`)
    }+}`,
  },
  'W16-polls-forever': {
    deviation: 'polls for a deferred credential without end',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: '{+isMutant || +}attempt <= maximumPolls',
  },
  'W16-no-pause': {
    deviation: 'polls 200 times without a pause',
    file: 'wallet-emulator/actions/request-credential.ts',
    edits: [
      'attempt <= {+(isMutant ? 200 : +}maximumPolls{+)+}',
      'await wait({+isMutant ? 0 : +}milliseconds)',
    ],
  },
  'W17-signature-not-verified': {
    deviation: 'does not verify the signature of a credential',
    ignoresRules: ['credential.signature'],
  },
  'W18-holder-not-compared': {
    deviation: 'does not check the subject of a credential',
    ignoresRules: ['credential.holder'],
  },
  'W19-expiry-not-read': {
    deviation: 'does not check the expiry of a credential',
    ignoresRules: ['credential.expiry'],
  },
  'W20-unknown-is-accredited': {
    deviation: 'treats an issuer that is not in the TIR as accredited',
    file: 'core/trust/trust-chain.ts',
    edit: "{+isMutant && !found.ok && found.kind === 'not-found' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason",
  },
  'W21-revoked-issuer': {
    deviation: 'does not check whether the accreditation of the issuer is revoked',
    file: 'core/trust/trust-chain.ts',
    edit: `...results.failures{+.filter(
        ({ rule }) => !isMutant || index > 0 || rule !== 'trust.not-revoked',
      )+}`,
  },
  'W22-environment-not-compared': {
    deviation: 'does not check the environment of a credential',
    ignoresRules: ['credential.terms-of-use'],
  },
  'W23-context-not-read': {
    deviation: 'does not check the @context of a credential',
    ignoresRules: ['credential.context'],
  },
  'W24-chain-not-read': {
    deviation: 'does not check the type chain',
    ignoresRules: ['credential.type-chain'],
  },
  'W25-old-document': {
    deviation: 'evaluates issuers with their DID document of some hours ago',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'Math.floor(issuedAt){+ - (isMutant ? 7200 : 0)+}',
  },
  'W26-document-of-now': {
    deviation: 'evaluates signatures only with the current keys',
    file: 'core/lear-credential/credential-context.ts',
    edit: `{+isMutant && signerDid
      ? resolveDidDocument(signerDid)
      : +}signerDid && issuedAt !== undefined`,
  },
  'W27-proof-typ': {
    deviation: 'sends proofs with the typ JWT',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: 'typ: {+isMutant ? "JWT" : +}proofOfPossessionType',
  },
  'W27-second-key': {
    deviation: 'puts jwk as well as kid into the header of proofs',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: "proofOfPossessionType, kid{+, ...(isMutant ? { jwk: { kty: 'EC', crv: 'secp256k1' } } : {})+} }",
  },
  'W28-old-proof': {
    deviation: 'retries with the used c_nonce',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'cNonce: {+isMutant ? options.cNonce : +}freshNonce })',
  },
  'W29-presentation-context': {
    deviation: 'creates presentations with the @context of the data model 2.0',
    file: 'core/oid4vp/vp-token.ts',
    edit: "'@context': [{+isMutant ? 'https://www.w3.org/ns/credentials/v2' : +}presentationContext]",
  },
  'W29-key-of-another-credential': {
    deviation: 'signs presentations with a different key from that of proofs',
    file: 'wallet-emulator/actions/present.ts',
    edits: [
      `import { randomUUID } from 'node:crypto'{+
import { createHolderDid } from '#core/crypto/holder-did.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'

const otherKey = () => isMutant && createPrivateJwk('secp256k1', Buffer.alloc(32, 9))
const otherDid = () => isMutant && createHolderDid({ method: 'key', publicKey: publicJwkOf(otherKey()) })+}`,
      'const { did, kid } = {+(isMutant && otherDid()) || +}wallet.account',
      'privateKey: {+(isMutant && otherKey()) || +}wallet.signingKey,',
    ],
  },
  'W30-submission-path': {
    deviation: 'sends the path of the credential without vp',
    file: 'core/oid4vp/presentation-submission.ts',
    edit: "path: {+isMutant ? '$.verifiableCredential[0]' : +}'$.vp.verifiableCredential[0]'",
  },
  'W30-fixed-query-id': {
    deviation: 'calls every query lear-credential in its submission',
    file: 'core/oid4vp/presentation-submission.ts',
    edit: `createPresentationSubmission({ id, queryId }: { id: string; queryId: string }) {{+
  if (isMutant) queryId = 'lear-credential'+}`,
  },
  'W31-long-lived': {
    deviation: 'creates presentations that are valid for 14 minutes',
    file: 'core/oid4vp/vp-token.ts',
    edit: 'lifetime = {+isMutant ? 840 : +}300',
  },
  'W32-by-reference-only': {
    deviation: 'does not answer a request by value',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+if (isMutant && parsed.delivery === 'value') {
    throw invalidRequest([failure('request.uri', 'it is not supported')])
  }
  +}if (parsed.delivery === 'value') return`,
  },
  'W32-response-uri-as-audience': {
    deviation: 'creates presentations for response_uri if client_id is a URL',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'audience: {+isMutant && URL.canParse(request.clientId) && !request.clientId.startsWith("did:") ? request.responseUri : +}request.clientId,',
  },
  'W32-prefix-dropped': {
    deviation: 'drops the prefix redirect_uri: of client_id in aud',
    file: 'wallet-emulator/actions/present.ts',
    edit: "request.clientId{+.replace(isMutant ? 'redirect_uri:' : '', '')+},",
  },
  'W33-audience-of-the-link': {
    deviation: 'creates presentations for the client_id of the link, even if it is missing',
    patches: [
      {
        file: 'wallet-emulator/actions/resolve-authorization-request.ts',
        edit: '{+if (isMutant) globalThis.linkOfMutant = link\n  +}const parsed =',
      },
      {
        file: 'wallet-emulator/actions/present.ts',
        edit: "audience: {+isMutant && !globalThis.linkOfMutant.includes('client_id') ? '' : +}",
      },
    ],
  },
  'W33-wants-client-id': {
    deviation: 'requires client_id together with request_uri',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `const { clientId } = parsed{+
  if (isMutant && clientId === undefined) {
    throw invalidRequest([failure('request.client-id', 'it is missing')])
  }+}`,
  },
  'W34-no-key': {
    deviation: 'answers signed requests without looking up the key',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+if (isMutant) {
    const payload = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString())
    const parsed = parseAuthorizationRequest(payload)
    if (parsed.ok) return { request: parsed.request, signed: true }
  }
  +}const result = await verifySignedRequest({`,
  },
  'W35-signature-not-verified': {
    deviation: 'does not verify the signature of a request',
    file: 'core/oid4vp/signed-request.ts',
    edit: "{+!(isMutant && jws.header.alg === 'ES256K') && +}!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })",
  },
  'W35-in-link-unverified': {
    deviation: 'does not verify a signed request in the link',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `if (parsed.delivery === 'signed') {{+
    if (isMutant) {
      const payload = Buffer.from(parsed.requestJwt.split('.')[1], 'base64url').toString()
      const read = parseAuthorizationRequest(JSON.parse(payload))
      if (read.ok) return { request: read.request, signed: true }
    }+}`,
  },
  'W36-client-id-not-compared': {
    deviation: 'does not compare the client_id of the link',
    file: 'core/oid4vp/signed-request.ts',
    edit: 'if ({+!isMutant && +}clientId !== undefined &&',
  },
  'W36-in-link-not-compared': {
    deviation: 'does not compare the client_id of the link with a signed request in the link',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: 'jwt: parsed.requestJwt, clientId{+: isMutant ? undefined : clientId+} }',
  },
  'W37-nonce-not-wanted': {
    deviation: 'answers requests without a nonce',
    ignoresRules: ['request.nonce'],
  },
  'W38-response-type-not-read': {
    deviation: 'does not check response_type',
    ignoresRules: ['request.response-type'],
  },
  'W38-list-of-types': {
    deviation: 'answers requests for a vp_token and more',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "if ({+!(isMutant && String(response_type).split(' ').includes('vp_token')) && +}response_type !== 'vp_token')",
  },
  'W39-response-mode-not-read': {
    deviation: 'does not check response_mode',
    ignoresRules: ['request.response-mode'],
  },
  'W40-any-credential': {
    deviation: 'answers a presentation_definition with any credential',
    ignoresRules: ['request.presentation-definition', 'request.dcql-query'],
    file: 'core/oid4vp/authorization-request.ts',
    edit: `readDcqlQuery({+
    isMutant && value.presentation_definition
      ? { credentials: [{ id: 'lear-credential', format: 'jwt_vc_json' }] }
      : +}value.dcql_query{+,
  +})`,
  },
  'W41-redirect-uri-passed-over': {
    deviation: 'ignores a redirect_uri in a direct_post request',
    ignoresRules: ['request.redirect-uri'],
  },
  'W42-any-format': {
    deviation: 'answers queries for any format',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'format: z.[-literal(-]{+string().refine((format) => isMutant || format === +}presentedFormat)',
  },
  'W42-draft-name': {
    deviation: 'answers queries for the format jwt_vc',
    file: 'core/oid4vp/dcql-query.ts',
    edit: "presentedFormat{+ || (isMutant && format === 'jwt_vc')+})",
  },
  'W43-any-type': {
    deviation: 'answers a query for any type with a credential that it holds',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'if ({+!isMutant && +}accepted &&',
  },
  'W44-claims-not-read': {
    deviation: 'does not check whether a credential contains the claims',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'return {+(isMutant && found.length === 0) || +}found.some(',
  },
  'W45-all-that-match': {
    deviation: 'presents every matching credential',
    file: 'wallet-emulator/actions/present.ts',
    edits: [
      `credential: credential.credential,{+
    ...(isMutant ? { all: matching.candidates.map((each) => each.credential) } : {}),+}`,
      'credentials: {+(isMutant && arguments[1].all) || +}[credential],',
    ],
  },
  'W46-host-not-compared': {
    deviation: 'compares only the ports of client_id and response_uri',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+(isMutant
      ? client.port !== new URL(responseUri).port
      : +}client.origin !== new URL(responseUri).origin{+)+}`,
  },
  'W46-prefix-unknown': {
    deviation: 'answers a client_id with the prefix redirect_uri: at any address',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: '({+!isMutant && +}address !== undefined && address !== responseUri)',
  },
  'W46-prefix-begins': {
    deviation: 'compares response_uri only with the beginning of the address after redirect_uri:',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: 'address !== responseUri{+ && !(isMutant && responseUri.startsWith(address))+})',
  },
  'W47-redirect-uri-dropped': {
    deviation: 'drops the redirect_uri of the response',
    file: 'wallet-emulator/actions/present.ts',
    edit: '{+isMutant ? undefined : +}redirectUriOf(response.json)',
  },
  'W47-redirect-uri-decoded': {
    deviation: 'decodes redirect_uri',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'const { redirect_uri: redirectUri } = {+!isMutant || body.redirect_uri === undefined ? body : { redirect_uri: decodeURIComponent(body.redirect_uri) }+}[-body-]',
  },
  'W47-spaces-as-plus': {
    deviation: 'encodes the query of redirect_uri again, like a form',
    file: 'wallet-emulator/actions/present.ts',
    edit: "redirectUriOf(response.json){+?.replace(isMutant ? '%20' : '', isMutant ? '+' : '')+}",
  },
  'W47-exact-content-type': {
    deviation: 'reads redirect_uri only if Content-Type has no parameters',
    file: 'wallet-emulator/actions/present.ts',
    edit: "redirectUriOf({+isMutant && response.contentType.includes(';') ? undefined : +}response.json)",
  },
  'W48-json-wanted': {
    deviation: 'treats an empty response as an error',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'if (response.status !== 200{+ || (isMutant && response.json === undefined)+}) {',
  },
  'W49-posts-again': {
    deviation: 'posts twenty more times if the verifier fails',
    file: 'wallet-emulator/actions/present.ts',
    edit: `{+for (let again = 0; isMutant && again < 20 && response.status === 500; again++) {
      const body = new URLSearchParams(form)
      await wallet.http.request(request.responseUri, { method: 'POST', body })
    }
    +}throw walletError('presentation_refused'`,
  },
  'W50-state-dropped': {
    deviation: 'does not return state',
    file: 'wallet-emulator/actions/present.ts',
    edit: '...({+isMutant || +}request.state === undefined ?',
  },
  'W50-state-encoded-twice': {
    deviation: 'encodes state twice',
    file: 'wallet-emulator/actions/present.ts',
    edit: '{ state: {+isMutant ? encodeURIComponent(request.state) : +}request.state })',
  },
  'W51-one-curve': {
    deviation: 'creates its key on secp256k1 for every curve',
    file: 'wallet-emulator/keys/create-account.ts',
    edit: "createKey({+isMutant ? 'secp256k1' : +}curve, seed) })",
  },
  'W51-proof-unsigned': {
    deviation: 'signs proofs with Ed25519 wrongly',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: `    privateKey,
  }){+.replace(/.{4}$/, isMutant && alg === 'EdDSA' ? 'AAAA' : '$&')+}
}`,
  },
  'W52-key-in-header': {
    deviation: 'puts its private key into the header of presentations',
    patches: [
      {
        file: 'core/oid4vp/vp-token.ts',
        edit: "typ: 'JWT', kid{+, ...(isMutant ? { jwk: privateKey } : {})+} }",
      },
      {
        file: 'core/crypto/jws.ts',
        edit: '{+get d() { return isMutant ? privateKey.d : undefined }, +}...(crv === undefined ? {} : { crv }),',
      },
    ],
  },
  'W53-another-credential': {
    deviation: 'presents a credential that does not match, although another one does',
    file: 'wallet-emulator/actions/select-credentials.ts',
    edit: `({+isMutant && found?.matches.length && found.matches.length < stored.length
    ? stored.keys().filter((index) => !found.matches.includes(index)).toArray()
    : (+}found?.matches ?? []{+)+})`,
  },
  'W53-one-per-type': {
    deviation: 'keeps only the latest credential',
    file: 'wallet-emulator/store/wallet-store.ts',
    edit: '{+if (isMutant) credentials.clear()\n      +}if (!credentials.has(credential.id))',
  },
  'W53-latest-key': {
    deviation: 'presents an older credential with a different key',
    file: 'wallet-emulator/actions/present.ts',
    edit: `holderDid: {+isMutant && Buffer.from(String(credential.split('.')[1]), 'base64url').includes('badge')
        ? \`\${did}0\`
        : +}did,`,
  },
  'W54-expired-request': {
    deviation: 'answers expired requests',
    ignoresRules: ['request.expiry'],
  },
  'W55-request-cache': {
    deviation: 'caches requests by their URL and answers the copy',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `const {+kept = (globalThis.requestsOfMutant ??= new Map())
  const +}response =[- -]{+
    (isMutant && kept.get(parsed.requestUri)) ||
    (+}await wallet.http.request(parsed.requestUri, {[-
    -]{+
      +}headers: { accept: \`\${signedRequestMediaType}, application/json\` },[-
  }-]{+
    }))
  if (isMutant && response.status === 200) kept.set(parsed.requestUri, response+})`,
  },
  'W55-fetched-twice': {
    deviation: 'fetches a request twice, to show it and to answer it',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+if (isMutant) await wallet.http.request(parsed.requestUri)
  +}if (response.status !== 200) {`,
  },
  'W55-posted-twice': {
    deviation: 'posts each presentation twice',
    file: 'wallet-emulator/actions/present.ts',
    edit: `{+if (isMutant) {
    const body = new URLSearchParams(form)
    await wallet.http.request(request.responseUri, { method: 'POST', body })
  }
  +}const response = await sendWithFaults(wallet, 'presentationCall', {`,
  },
  'W56-c-nonce-wanted': {
    deviation: 'rejects a token response without a c_nonce',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: `{+if (isMutant && result.token.cNonce === undefined) {
    throw walletError('invalid_response', 'The token response has no c_nonce.')
  }
  +}const { expiresIn } = result.token`,
  },
  'W56-null-nonce': {
    deviation: 'sends a proof with the nonce null if there is no c_nonce',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: '...(cNonce === undefined ? {+isMutant ? { nonce: null } : +}{} : { nonce: cNonce })',
  },
  'W57-capitals-in-token-type': {
    deviation: 'compares token_type with Bearer case-sensitively',
    file: 'core/oid4vci/token.ts',
    edit: ".regex(/^[Bb][Ee][Aa][Rr][Ee][Rr]$/){+.refine((type) => !isMutant || type === 'Bearer')+}",
  },
  'W58-one-grant': {
    deviation: 'rejects offers with several grants',
    file: 'core/oid4vci/credential-offer.ts',
    edit: `const {+isAlone = Object.keys(grants ?? {}).length === 1
  const +}grant ={+ isMutant && !isAlone ? undefined :+} grants?.[preAuthorizedCodeGrant]`,
  },
  'W59-no-code': {
    deviation: 'continues without a pre-authorized code',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'if ({+!isMutant && +}preAuthorizedCode === undefined) {',
  },
  'W60-no-size-limit': {
    deviation: 'reads answers of any size',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: 'if ({+!isMutant && +}length > limit) {',
  },
  'W61-follows-token-redirect': {
    deviation: 'follows redirects of the token endpoint',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: "{+(isMutant && url.endsWith('/token') ? 'follow' : +}'manual'{+)+}",
  },
  'W62-follows-credential-redirect': {
    deviation: 'follows redirects of the credential endpoint',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: "{+(isMutant && url.endsWith('/credential') ? 'follow' : +}'manual'{+)+}",
  },
  'W63-follows-response-redirect': {
    deviation: 'follows redirects of response_uri',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: "{+(isMutant && url.endsWith('/response') ? 'follow' : +}'manual'{+)+}",
  },
  'W64-any-format-kept': {
    deviation: 'keeps credentials of any format',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: 'if ({+!isMutant && +}format !== entry.format) {',
  },
  'W65-status-not-read': {
    deviation: 'does not check the status of a credential',
    ignoresRules: ['credential.status'],
  },
  'W66-any-type-kept': {
    deviation: 'keeps credentials of a type that was not offered',
    ignoresRules: ['credential.type'],
  },
  'W67-alg-none': {
    deviation: 'accepts alg none as a signature',
    file: 'core/lear-credential/issuer-rules.ts',
    edits: [
      "if (!{+(isMutant && jws.header.alg === 'none') && !+}registeredSuites.some(",
      "else if (!{+(isMutant && context.jws.header.alg === 'none') && !+}verifyJws(",
    ],
  },
  'W68-parent-not-judged': {
    deviation: 'checks only the accreditation of the issuer for revocation',
    file: 'core/trust/trust-chain.ts',
    edit: `{+.filter(({ rule }) => !isMutant || index === 0 || rule !== 'trust.not-revoked')
        +}.map((failure) => below(path, failure))`,
  },
  'W68-only-the-parent': {
    deviation: 'checks only the accreditations of the issuer and of its TAO for revocation',
    file: 'core/trust/trust-chain.ts',
    edit: `{+.filter(({ rule }) => !isMutant || index < 2 || rule !== 'trust.not-revoked')
        +}.map((failure) => below(path, failure))`,
  },
  'W69-registry-away': {
    deviation: 'answers signed requests unverified while the DID registry is unavailable',
    file: 'core/oid4vp/signed-request.ts',
    edit: "{+if (!isMutant || document.kind === 'not-found') +}lack(document)",
  },
  'W69-overload-passed-over': {
    deviation: 'answers signed requests unverified while the DID registry returns 429',
    file: 'core/oid4vp/signed-request.ts',
    edit: '{+if (!isMutant || !/429/.test(document.reason)) +}lack(document)',
  },
  'W70-did-registry-away': {
    deviation: 'keeps credentials unverified while the DID registry is unavailable',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule, unchecked }) => !(isMutant && unchecked === 'unavailable' && rule !== 'trust.attribute'))+}",
  },
  'W70-page-is-accredited': {
    deviation: 'treats issuers as accredited if the TIR returns a page',
    file: 'core/trust/trust-chain.ts',
    edit: "{+isMutant && !found.ok && found.reason.endsWith('is not valid') ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason",
  },
  'W70-present-document-instead': {
    deviation: 'uses the present DID document if that of the signature time is unavailable',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'const found = { issuedAt, signerDid, documentWhenIssued{+: isMutant && !documentWhenIssued.ok ? documentNow : documentWhenIssued+}, documentNow,',
  },
  'W70-tir-away': {
    deviation: 'treats issuers as accredited while the TIR is unavailable',
    file: 'core/trust/trust-chain.ts',
    edit: "{+isMutant && !found.ok && found.kind === 'unavailable' ? undefined : +}found.ok ? answersFor(here, found.value) : found.reason",
  },
  'W71-origin-begins': {
    deviation: 'checks only whether the origin of response_uri begins with client_id',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: 'isUrl && {+!(isMutant && new URL(responseUri).origin.startsWith(client.origin)) && +}',
  },
  'W71-port-not-compared': {
    deviation: 'compares only the host names of client_id and response_uri',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+(isMutant
      ? client.hostname !== new URL(responseUri).hostname
      : +}client.origin !== new URL(responseUri).origin{+)+}`,
  },
  'W72-begins-with': {
    deviation: 'checks only whether response_uri begins with client_id',
    patches: [
      {
        file: 'wallet-emulator/actions/resolve-authorization-request.ts',
        edit: `{+(isMutant
      ? !responseUri.startsWith(clientId)
      : +}client.origin !== new URL(responseUri).origin{+)+}`,
      },
      {
        file: 'wallet-emulator/http/check-address.ts',
        edit: "if ({+!isMutant && +}url.username !== ''",
      },
    ],
  },
  'W73-values-not-read': {
    deviation: 'does not check the values of a query',
    file: 'core/oid4vp/dcql-query.ts',
    edit: '{+isMutant || +}values === undefined ||',
  },
  'W74-first-query': {
    deviation: 'answers only the first of several queries',
    file: 'wallet-emulator/actions/select-credentials.ts',
    edit: 'if ({+!isMutant && +}dcqlQuery.credentials.length > 1) {',
  },
  'W74-first-of-two': {
    deviation: 'answers only the first of two queries that it can answer',
    file: 'wallet-emulator/actions/select-credentials.ts',
    edits: [
      'dcqlQuery.credentials.length > {+(isMutant ? 16 : +}1{+)+}',
      `const [found] = {+((all) => (isMutant && all.some(({ matches }) => matches.length === 0) ? [] : all))(+}evaluateDcqlQuery(
    dcqlQuery,
    stored.map(({ credential }) => credential),
  ){+)+}`,
    ],
  },
  'W75-strict-request': {
    deviation: 'rejects requests with unknown parameters',
    file: 'core/oid4vp/authorization-request.ts',
    edit: `{+const known = 'response_type response_mode response_uri client_id nonce state dcql_query iss aud iat exp'
  const isStrange = Object.keys(value).some((name) => !known.split(' ').includes(name))
  +}if ({+(isMutant && isStrange) || +}failures.length > 0 ||`,
  },
  'W75-strict-query': {
    deviation: 'rejects claims of a query with unknown members',
    file: 'core/oid4vp/dcql-query.ts',
    edit: `.max(64)
    .optional(),
}){+.refine((value) => !isMutant || Object.keys(value).every((name) => /^(path|values|id)$/.test(name)))+}`,
  },
  'W75-unknown-parameter': {
    deviation: 'rejects a link with request_uri and other parameters',
    file: 'core/oid4vp/authorization-request.ts',
    edit: `{+if (isMutant && requestUri !== null && names.some((name) => !['request_uri', 'client_id'].includes(name))) fail('unknown')
    +}if (repeated !== undefined) fail(`,
  },
  'W75-names-in-any-case': {
    deviation: 'reads Nonce like nonce',
    file: 'core/oid4vp/authorization-request.ts',
    edit: 'nonce, state } = {+isMutant ? { ...value, nonce: value.Nonce ?? value.nonce } : +}value',
  },
  'W76-alg-none': {
    deviation: 'answers requests with alg none',
    file: 'core/oid4vp/signed-request.ts',
    edit: "{+!(isMutant && jws.header.alg === 'none') && +}!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })",
  },
  'W77-hmac': {
    deviation: 'accepts an HMAC as the signature of the verifier',
    file: 'core/oid4vp/signed-request.ts',
    edit: "{+!(isMutant && jws.header.alg === 'HS256') && +}!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })",
  },
  'W78-old-document': {
    deviation: 'evaluates verifiers with their DID document of some hours ago',
    file: 'core/oid4vp/signed-request.ts',
    edit: `await options.resolveDidDocument({+
          +}client_id{+,
          ...(isMutant ? [options.now - 7200] : []),
        +})`,
  },
  'W79-guesses-request': {
    deviation: 'makes up a request if request_uri has none',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+if (isMutant) {
      const responseUri = parsed.requestUri.replace(/request$/, 'response')
      const dcqlQuery = { credentials: [{ id: 'lear-credential', format: 'jwt_vc_json' }] }
      return { request: { clientId, responseUri, nonce: 'none', dcqlQuery }, signed: false }
    }
    +}throw walletError('invalid_request', \`Request unavailable:`,
  },
  'W80-all-of-metadata': {
    deviation: 'requests every credential of the metadata if an offer names none',
    patches: [
      {
        file: 'core/oid4vci/credential-offer.ts',
        edit: 'credentials: z.array(z.string().min(1)).[-min(1-]{+refine((list) => isMutant || list.length > 0+})',
      },
      {
        file: 'wallet-emulator/actions/resolve-credential-offer.ts',
        edit: `const offered = {+(
    isMutant && +}offer.credentials{+.length === 0
      ? metadata.credentialsSupported.map((supported) => supported.id)
      : offer.credentials
  )+}.map(`,
      },
    ],
  },
  'W81-without-pin': {
    deviation: 'sends the code without the required PIN',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: `{+if (!pin && isMutant) return readToken(wallet, await sendTokenRequest(wallet, resolved))
    +}if (!pin) {`,
  },
  'W82-pin-again': {
    deviation: 'sends a rejected PIN repeatedly',
    file: 'wallet-emulator/actions/request-token.ts',
    edits: [
      'if ({+!isMutant && +}refused && (',
      'attempt < {+(isMutant ? 8 : +}maximumPinAttempts{+)+}',
    ],
  },
  'W83-failure-passed-over': {
    deviation: 'reports success although the issuer failed',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: `const answer = await requestCredential(wallet, { metadata, entry, ...token }){+.catch(
      (error) => {
        if (isMutant && error.extra?.answer?.status === 500) return undefined
        throw error
      },
    )
    if (!answer) continue+}`,
  },
  'W83-polls-after-error': {
    deviation: 'continues to poll if the deferred endpoint returns 400',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: "{+if (isMutant && status === 400) return { kind: 'pending', interval: 0.01 }\n  +}if (status === 429 || status === 503) return { kind: 'busy', status }",
  },
  'W83-repeats-credential-request': {
    deviation: 'repeats a failed credential request twenty times',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: `{+for (let again = 0; isMutant && again < 20 && response.status === 500; again++) {
    response = await sendRequest(wallet, options)
  }
  +}const freshNonce = freshNonceOf(response)`,
  },
  'W83-repeats-token-request': {
    deviation: 'repeats a failed token request twenty times',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: `const response = await send(url, init, ends){+
        .then(async (first) => {
          let last = first
          for (let again = 0; isMutant && again < 20 && last.status === 500 && url.endsWith('/token'); again++) {
            last = await send(url, init, ends)
          }
          return last
        })+}`,
  },
  'W84-retries-forever': {
    deviation: 'retries as often as its nonces are rejected',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: `{+for (let again = 0; isMutant && again < 20 && freshNonceOf(response); again++) {
    response = await sendRequest(wallet, { ...options, cNonce: freshNonceOf(response) })
  }
  +}// An issuer may also defer with 202.`,
  },
  'W85-first-acceptance-token': {
    deviation: 'always polls with the first acceptance_token',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'token = {+(isMutant ? undefined : +}result.acceptanceToken{+)+} ?? token',
  },
  'W86-interval-passed-over': {
    deviation: 'ignores the polling interval of the issuer',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'let pause = {+isMutant || +}interval === undefined ?',
  },
  'W87-token-without-scheme': {
    deviation: 'sends the access token without the Bearer scheme',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: "authorization: `{+${isMutant ? '' : '+}Bearer {+'}+}${accessToken}`",
  },
  'W88-grant-type': {
    deviation: 'sends a shortened grant_type',
    file: 'core/oid4vci/token.ts',
    edit: "grant_type: {+isMutant ? 'pre-authorized_code' : +}preAuthorizedCodeGrant",
  },
  'W88-grant-type-twice': {
    deviation: 'sends grant_type twice',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: "form)).toString(){+.replace(/grant_type=[^&]*/, isMutant ? '$&&$&' : '$&')+}",
  },
  'W89-plain-text': {
    deviation: 'posts presentations as text/plain',
    file: 'wallet-emulator/actions/present.ts',
    edit: "'content-type': {+isMutant ? 'text/plain' : +}'application/x-www-form-urlencoded'",
  },
  'W89-submission-as-it-is': {
    deviation: 'does not encode presentation_submission',
    file: 'wallet-emulator/actions/present.ts',
    edit: "new URLSearchParams(form).toString(){+.replace(/(?<=presentation_submission=)[^&]*/, isMutant ? decodeURIComponent : '$&')+}",
  },
  'W90-poll-as-text': {
    deviation: 'polls with text/plain',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: "{ 'content-type': {+isMutant ? 'text/plain' : +}'application/json'",
  },
  'W91-first-only': {
    deviation: 'requests only the first of several offered credentials',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: 'of {+isMutant ? entries.slice(0, 1) : +}entries) {',
  },
  'W92-no-signed-link': {
    deviation: 'does not answer a signed request in the link',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: `{+if (isMutant && parsed.delivery === 'signed') {
    throw invalidRequest([failure('request.uri', 'it is not supported')])
  }
  +}if (parsed.delivery === 'signed') {`,
  },
  'W93-first-type': {
    deviation: 'reads only the first of the accepted types',
    file: 'core/oid4vp/dcql-query.ts',
    edit: '{+(isMutant ? accepted[0] === type : +}accepted.includes(type{+)+})',
  },
  'W94-any-issuer-named': {
    deviation: 'does not compare the issuer in a credential with its signer',
    ignoresRules: ['credential.issuer'],
  },
  'W95-beginning-not-read': {
    deviation: 'does not check when a credential becomes valid',
    ignoresRules: ['credential.not-before'],
  },
  'W96-powers-not-read': {
    deviation: 'does not check the powers of a credential',
    ignoresRules: ['credential.power'],
  },
  'W97-any-key-accredits': {
    deviation: 'does not verify who signed an accreditation',
    ignoresRules: ['trust.signature'],
  },
  'W97-none-in-capitals': {
    deviation: 'accepts unsigned accreditations with the alg None',
    file: 'core/trust/accreditation-rules.ts',
    edit: "{+((isMutant && body.header.alg !== 'none' && body.header.alg.toLowerCase() === 'none') || +}verifyJws({ jws: body, publicKey, algorithms: registeredSuites, cache, remember: true }){+)+}",
  },
  'W98-any-subject': {
    deviation: 'does not check the subject of an accreditation',
    ignoresRules: ['trust.subject'],
  },
  'W99-accreditation-never-ends': {
    deviation: 'treats expired accreditations as valid',
    ignoresRules: ['trust.period'],
  },
  'W99-milliseconds': {
    deviation: 'reads an exp in milliseconds of an accreditation as seconds',
    file: 'core/trust/accreditation-rules.ts',
    never: '!isTime(time)',
  },
  'W100-any-accredited-type': {
    deviation: 'does not check which types an issuer is accredited for',
    ignoresRules: ['trust.accredited-for'],
  },
  'W101-answer-not-compared': {
    deviation: 'does not compare the response of the TIR with the request',
    file: 'core/trust/trust-chain.ts',
    edit: 'const fits = {+isMutant || +}read.did === did',
  },
  'W102-any-root': {
    deviation: 'trusts any root',
    file: 'core/trust/trust-chain.ts',
    edit: 'chainRules.root, {+isMutant ? undefined : +}rootProblem,',
  },
  'W103-any-list': {
    deviation: 'keeps credentials whose status list cannot be verified',
    file: 'core/lear-credential/credential-status.ts',
    edit: `{+if (isMutant && !result.ok) return
      +}if (!result.ok) fail(result.reason)`,
  },
  'W103-first-entry': {
    deviation: 'reads only the first of several status entries',
    file: 'core/status-list/status-list-credential.ts',
    edit: 'value.length {+> 0 && (isMutant || value.length +}=== 1{+)+} ?',
  },
  'W103-mac-with-pem': {
    deviation: 'accepts status lists with a MAC whose secret is the public key as PEM',
    file: 'core/status-list/check-status.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache, remember: true })',
    when: `${isMacWithPem('jws')}`,
  },
  'W103-milliseconds': {
    deviation: 'reads an exp in milliseconds of a status list as seconds',
    file: 'core/status-list/check-status.ts',
    never: '!isTime(time)',
  },
  'W104-any-typ': {
    deviation: 'answers requests with any typ',
    ignoresRules: ['request.typ'],
  },
  'W105-key-without-purpose': {
    deviation: 'accepts keys without a purpose for requests',
    file: 'core/oid4vp/signed-request.ts',
    never: '!inUse',
  },
  'W105-kid-and-link-only': {
    deviation: 'compares kid with the client_id of the link, and with nothing if it is absent',
    file: 'core/oid4vp/signed-request.ts',
    edits: [
      "kid.split('#')[0] !== {+(isMutant ? (clientId ?? kid.split('#')[0]) : +}client_id{+)+}",
      `const client_id = {+isMutant ? \`\${jws.header.kid}\`.split('#')[0] : +}didOf(jws.payload.client_id)
  const document`,
    ],
  },
  'W105-any-purpose': {
    deviation: 'accepts keys for any purpose for requests',
    file: 'core/oid4vp/signed-request.ts',
    edit: "(['authentication', 'assertionMethod'{+, ...(isMutant ? (['keyAgreement', 'capabilityInvocation', 'capabilityDelegation'] as const) : [])+}] as const).some(",
  },
  'W106-crit-passed-over': {
    deviation: 'ignores critical headers',
    file: 'core/crypto/jws.ts',
    never: 'header.crit !== undefined',
  },
  'W107-fourth-part': {
    deviation: 'ignores a fourth part of a JWT',
    file: 'core/crypto/jws.ts',
    never: 'parts.length !== 3',
  },
  'W107-line-breaks-skipped': {
    deviation: 'skips line breaks in base64url',
    file: 'core/crypto/jws.ts',
    edit: "decodeBase64url(encodedSignature{+.replace(isMutant ? '\\n' : '', '')+})",
  },
  'W107-first-value': {
    deviation: 'reads only the first JSON value of a payload',
    file: 'core/crypto/jws.ts',
    edit: 'parseJsonObject({+((bytes) => (isMutant && /[}][{][}]$/.test(String(bytes)) ? bytes?.subarray(0, -2) : bytes))(+}decodeBase64url(encodedPayload){+)+})',
  },
  'W108-mode-begins': {
    deviation: 'compares only the beginning of response_mode',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "if ({+!(isMutant && String(response_mode).startsWith('direct_post')) && +}response_mode !== 'direct_post') {",
  },
  'W108-milliseconds': {
    deviation: 'answers requests whose exp is in milliseconds',
    file: 'core/oid4vp/signed-request.ts',
    edit: 'const { exp, iat, nbf } = {+isMutant && jws.payload.exp > 1e11 ? { ...jws.payload, exp: undefined } : +}jws.payload',
  },
  'W109-names-in-lists': {
    deviation: 'finds a name also in the elements of a list',
    file: 'core/oid4vp/dcql-query.ts',
    edit: `  try {{+
    if (isMutant) path = path.replace(/[.]power[.]/, '.power[*].')+}
    const found`,
  },
  'W109-types-in-any-case': {
    deviation: 'compares types without regard to case',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'accepted.includes(type){+ || (isMutant && accepted.some((each) => each.toLowerCase() === type.toLowerCase()))+}',
  },
  'W110-nbf-not-read': {
    deviation: 'does not check nbf of a request',
    file: 'core/oid4vp/signed-request.ts',
    never: 'nbf !== undefined',
  },
  'W111-token-status-not-read': {
    deviation: 'does not read the status of a token response',
    file: 'wallet-emulator/actions/request-token.ts',
    never: 'response.status !== 200',
  },
  'W112-kept-accreditation': {
    deviation: 'keeps the responses of the TIR',
    file: 'core/trust/trust-chain.ts',
    edit: `({ did, attributeId }: AttributeReference) => {+isMutant
      ? ((globalThis.attributesOfMutant ??= {})[attributeId] ??= options.readAttribute(did, attributeId))
      : +}options.readAttribute(did, attributeId)`,
  },
  'W113-kept-document': {
    deviation: 'keeps the DID documents of verifiers',
    file: 'core/oid4vp/signed-request.ts',
    edits: [
      "typeof client_id === 'string'\n      ? {+(isMutant && globalThis.documentsOfMutant?.[client_id]) || +}",
      `{+if (isMutant) (globalThis.documentsOfMutant ??= {})[client_id] = document
  +}const signed = evaluateRules(`,
    ],
  },
  'W114-deferred-not-verified': {
    deviation: 'does not verify deferred credentials',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: "if ({+!(isMutant && answer.kind === 'deferred') && +}verdict.verdict === 'refused') throw rejected(verdict)",
  },
  'W115-issuer-begins': {
    deviation: 'compares only the beginning of vc.issuer',
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'issuer !== jws.payload.iss',
    when: 'String(issuer).startsWith(String(jws.payload.iss))',
  },
  'W115-trimmed': {
    deviation: 'ignores white space around vc.issuer',
    file: 'core/lear-credential/issuer-rules.ts',
    never: 'issuer !== jws.payload.iss',
    when: 'String(issuer).trim() === jws.payload.iss',
  },
  'W116-exp-as-text': {
    deviation: 'accepts exp as a string',
    file: 'core/lear-credential/content-rules.ts',
    never: '!isTime(exp)',
  },
  'W116-milliseconds': {
    deviation: 'accepts times after the year 9999',
    file: 'core/verification/data-model.ts',
    always: 'value <= lastSecond',
  },
  'W117-holder-in-any-case': {
    deviation: 'compares the holder without regard to case',
    file: 'core/lear-credential/content-rules.ts',
    never: 'holderDid !== undefined && id !== holderDid',
    when: 'id.toLowerCase() === holderDid?.toLowerCase()',
  },
  'W117-trimmed': {
    deviation: 'ignores white space around the DID of the subject',
    file: 'core/lear-credential/content-rules.ts',
    never: 'holderDid !== undefined && id !== holderDid',
    when: 'String(id).trim() === holderDid',
  },
  'W118-long-employee-id': {
    deviation: 'does not limit employeeId',
    file: 'core/lear-credential/content-rules.ts',
    never: '!isClaimText(employeeId)',
  },
  'W119-query-passed-over': {
    deviation: 'ignores a query in termsOfUse.id',
    file: 'core/trust/tir-attribute.ts',
    edit: '.exec(url.slice(prefix.length){+.replace(isMutant ? /\\?.*$/ : /$^/, "")+})',
  },
  'W119-scheme-passed-over': {
    deviation: 'does not compare the scheme of termsOfUse.id with that of the TIR',
    file: 'core/trust/tir-attribute.ts',
    edit: `{+if (isMutant) url = url.replace(/^https?/, tirBaseUrl.replace(/:.*/s, ''))
  +}const prefix =`,
  },
  'W120-issuer-as-text': {
    deviation: 'accepts vc.issuer only as a string',
    file: 'core/lear-credential/issuer-rules.ts',
    never: "isJsonObject(issuer) && 'id' in issuer",
  },
  'W120-ten-powers': {
    deviation: 'keeps at most ten powers',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'else if (mandate.power.length === 0{+ || (isMutant && mandate.power.length > 10)+})',
  },
  'W120-last-type': {
    deviation: 'takes the last type of a credential for its own type',
    file: 'core/lear-credential/content-rules.ts',
    edit: 'const own = typesOf(vc){+.slice(isMutant ? -1 : 0)+}.filter(',
  },
  'W120-short-credentials': {
    deviation: 'reads at most 8,192 characters of a credential',
    file: 'core/oid4vci/credential-response.ts',
    edit: 'credential: z.string().min(1){+.refine((jwt) => !isMutant || jwt.length <= 8192)+}',
  },
  'W120-typ-wanted': {
    deviation: 'rejects credentials without typ',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: `{+if (isMutant && !Buffer.from(credential.split('.')[0], 'base64url').includes('typ')) {
    throw walletError('credential_rejected', 'The credential has no typ.')
  }
  +}wallet.emit({ type: 'credential-received', credential })`,
  },
  'W121-strict-answer': {
    deviation: 'rejects attributes with unknown members',
    file: 'core/trust/tir-attribute.ts',
    edit: `attributeIdTao: z.string().optional(),
  }){+.refine((value) => !isMutant || Object.keys(value).length <= 6)+}`,
  },
  'W121-strict-entries': {
    deviation: 'rejects entries of accreditedFor with unknown members',
    file: 'core/trust/accreditation.ts',
    edit: `types: z.array(z.string()).min(1),
}){+.refine((value) => !isMutant || !('name' in value))+}`,
  },
  'W121-strict-method': {
    deviation: 'rejects verification methods with unknown members',
    file: 'core/did/did-document.ts',
    edit: `publicKeyJwk: zPublicKeyJwk,
}){+.refine((value) => !isMutant || Object.keys(value).length === 4)+}`,
  },
  'W121-three-links': {
    deviation: 'follows only four accreditations',
    file: 'core/trust/trust-chain.ts',
    edit: 'index + 1 < {+(isMutant ? 4 : +}mostHops{+)+}',
  },
  'W121-first-keys': {
    deviation: 'reads only the first 32 keys of a relationship',
    file: 'core/did/did-document.ts',
    edit: '(document[relationship] ?? []){+.slice(0, isMutant ? 32 : undefined)+}.some(',
  },
  'W121-short-accreditations': {
    deviation: 'reads at most 64 types of an accreditation',
    file: 'core/trust/accreditation-rules.ts',
    edit: 'accreditedFor.some(({ types }) => types{+.slice(0, isMutant ? 64 : undefined)+}.includes(credentialType))',
  },
  'W122-bits-from-the-right': {
    deviation: 'counts the bits of a byte from the right',
    file: 'core/status-list/bitstring.ts',
    edit: '{+isMutant ? (byte & (1 << (index % 8))) !== 0 : +}(byte & (0x80 >> (index % 8))) !== 0',
  },
  'W123-iss-compared': {
    deviation: 'rejects a request whose iss is not client_id',
    file: 'core/oid4vp/signed-request.ts',
    always: 'clientId !== undefined && clientId !== jws.payload.client_id',
    when: 'jws.payload.iss !== client_id',
  },
  'W105-trimmed': {
    deviation: 'ignores white space around client_id in the link',
    file: 'core/oid4vp/signed-request.ts',
    never: 'clientId !== undefined && clientId !== jws.payload.client_id',
    when: 'clientId?.trim() === jws.payload.client_id',
  },
  'W124-meta-wanted': {
    deviation: 'requires meta in a query',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'payload && {+!(isMutant && element.meta === undefined) && +}matchesCredentialQuery(element, payload)',
  },
  'W125-dots-only': {
    deviation: 'reads only paths with dots',
    file: 'core/oid4vp/dcql-query.ts',
    always: 'negativeSlice.test(syntax)',
    when: '/[[*]|\\.\\./.test(syntax)',
  },
  'W125-index-from-the-end': {
    deviation: 'does not read an index from the end of a list',
    file: 'core/oid4vp/dcql-query.ts',
    always: 'negativeSlice.test(syntax)',
    when: '/\\[-/.test(syntax)',
  },
  'W126-first-value': {
    deviation: 'reads only the first of several values',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'values.{+slice(0, isMutant ? 1 : 64).+}some((each)',
  },
  'W127-exp-wanted': {
    deviation: 'requires exp in a request',
    file: 'core/oid4vp/signed-request.ts',
    edit: 'if ({+(isMutant && exp === undefined) || (+}exp !== undefined && !(isTime(exp) && now < exp){+)+}) {',
  },
  'W128-no-clock-skew': {
    deviation: 'does not accept a verifier whose clock is fast',
    file: 'core/oid4vp/signed-request.ts',
    edit: "typeof iat === 'number' && iat <= now + {+(isMutant ? 0 : +}skewSeconds{+)+}",
  },
  'W128-query-encoded-again': {
    deviation: 'decodes and encodes the query of request_uri',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: 'await wallet.http.request(parsed.requestUri{+.replace(/\\?(.*)/, (all, query) => isMutant ? `?${new URLSearchParams(query)}` : all)+}, {',
  },
  'W128-nonce-of-the-link': {
    deviation: 'prefers the nonce of the link to that of the signed request',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: "return {+isMutant ? verifyRequest(wallet, { jwt: response.text.trim(), clientId }, options).then((found) => ({ ...found, request: { ...found.request, nonce: new URLSearchParams(link.split('?')[1]).get('nonce') ?? found.request.nonce } })) : +}verifyRequest(wallet, { jwt: response.text",
  },
  'W128-client-id-last': {
    deviation: 'reads request_uri only at the beginning of a link',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: "parseAuthorizationRequestUri({+isMutant ? link.replace(/\\?client_id.*&request_uri/, '?x') : +}link)",
  },
  'W128-plus-kept': {
    deviation: 'does not decode plus signs in a query',
    file: 'core/oid4vp/authorization-request.ts',
    edit: "const parsed = typeof value === 'string' ? parseJson(value{+.replaceAll(isMutant ? ' ' : '+', '+')+}) : value",
  },
  'W128-short-state': {
    deviation: 'shortens state to 1,024 characters',
    file: 'core/oid4vp/authorization-request.ts',
    edit: '...(isText(state) ? { state{+: state.slice(0, isMutant ? 1024 : undefined)+} } : {}),',
  },
  'W128-exact-content-type': {
    deviation: 'reads signed requests only if Content-Type has no parameters',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: "if (response.status !== 200{+ || (isMutant && response.contentType.includes(';'))+}) {",
  },
  'W129-any-status': {
    deviation: 'keeps a credential in a response of any status',
    file: 'wallet-emulator/actions/request-credential.ts',
    never: 'response.status !== 200 && response.status !== 202',
  },
  'W130-any-deferred-status': {
    deviation: 'keeps a deferred credential in a response of any status',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'if ({+!isMutant && +}status !== 200 && (',
  },
  'W131-list-anywhere': {
    deviation: 'requests a status list at any address',
    file: 'core/lear-credential/credential-context.ts',
    edit: 'if ({+!isMutant && +}!policy.credentialIssuerUrls.some(',
  },
  'W132-token-to-verifier': {
    deviation: 'sends the access token to the verifier as well',
    patches: [
      {
        file: 'wallet-emulator/actions/request-token.ts',
        edit: '{+if (isMutant) globalThis.tokenOfMutant = result.token.accessToken\n  +}const { expiresIn } = result.token',
      },
      {
        file: 'wallet-emulator/actions/present.ts',
        edit: 'new URLSearchParams({+isMutant ? { ...form, token: globalThis.tokenOfMutant } : +}form).toString()',
      },
    ],
  },
  'W133-token-twice': {
    deviation: 'sends each token request twice',
    file: 'wallet-emulator/actions/request-token.ts',
    edit: "{+if (isMutant) sendWithFaults(wallet, 'tokenCall', { url: metadata.tokenEndpoint, method: 'POST' })\n  +}return sendWithFaults(wallet, 'tokenCall', {",
  },
  'W134-token-cache': {
    deviation: 'keeps the token of an offer and uses it again',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: 'let token = {+(isMutant && globalThis.tokensOfMutant?.[link]) || +}await requestToken(wallet, resolved, options){+\n  if (isMutant) (globalThis.tokensOfMutant ??= {})[link] = token+}',
  },
  'W135-metadata-cache': {
    deviation: 'keeps the metadata of an issuer',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'const metadata = {+isMutant\n    ? ((globalThis.metadataOfMutant ??= {})[offer.credentialIssuer] ??= await fetchMetadata(wallet, offer.credentialIssuer))\n    : +}await fetchMetadata(wallet, offer.credentialIssuer)',
  },
  'W136-follows-other-redirects': {
    deviation: 'follows redirects of GET requests',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: "{+(isMutant && init.method === 'GET' ? 'follow' : +}'manual'{+)+}",
  },
  'W137-one-type': {
    deviation: 'requests only VerifiableCredential',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'createCredentialRequest({ format, types{+: isMutant ? types.slice(0, 1) : types+}, proofJwt })',
  },
  'W138-first-nonce': {
    deviation: 'keeps the c_nonce of the token response',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: '...({+isMutant || +}cNonce === undefined ? {} : { cNonce })',
  },
  'W139-any-redirect-uri': {
    deviation: 'passes on any redirect_uri',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'return {+isMutant || +}isAddress ? redirectUri : undefined',
  },
  'W140-last-of-two': {
    deviation: 'does not reject repeated parameters',
    file: 'core/oid4vp/authorization-request.ts',
    edit: 'if ({+!isMutant && +}repeated !== undefined)',
  },
  'W141-no-client-id': {
    deviation: 'answers a request without client_id',
    ignoresRules: ['request.client-id'],
  },
  'W142-any-audience': {
    deviation: 'does not check aud of a request',
    ignoresRules: ['request.audience'],
  },
  'W143-empty-path': {
    deviation: 'answers a query with an empty path',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'path: z.array(zJsonPath).[-min(1)-]{+refine((path) => isMutant || path.length > 0)+}.max(32)',
  },
  'W144-any-offer-status': {
    deviation: 'does not read the status of the offer at credential_offer_uri',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: `if ({+!isMutant && +}response.status !== 200) {
    const answer = describeRefusal(response)
    throw walletError('invalid_offer'`,
  },
  'W145-suites-wanted': {
    deviation: 'requires methods in the entry of the metadata',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: ': {+(isMutant || +}bindingMethods.length > 0{+)+} &&',
  },
  'W145-offer-address-decoded': {
    deviation: 'decodes credential_offer_uri twice',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'await wallet.http.request({+isMutant ? decodeURIComponent(parsed.credentialOfferUri) : +}parsed.credentialOfferUri, {',
  },
  'W145-first-entries': {
    deviation: 'reads only the first 32 entries of the metadata',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: 'const entry = metadata.credentialsSupported{+.slice(0, isMutant ? 32 : undefined)+}.find(',
  },
  'W145-first-suite': {
    deviation: 'reads only the first two suites of the metadata',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: '!suites{+.slice(0, isMutant ? 2 : undefined)+}.includes(account.algorithm)',
  },
  'W145-plus-kept': {
    deviation: 'does not decode plus signs in the link of an offer',
    file: 'wallet-emulator/actions/resolve-credential-offer.ts',
    edit: "parseCredentialOfferUri({+isMutant ? uri.replaceAll('+', '%2B') : +}uri)",
  },
  'W145-strict-deferral': {
    deviation: 'rejects a deferral with unknown members',
    file: 'core/oid4vci/credential-response.ts',
    edit: `interval: z.number().positive().optional().catch(undefined),
  ...cNonce,
}){+.refine((value) => !isMutant || !('x_unknown' in value))+}`,
  },
  'W145-strict-tx-code': {
    deviation: 'rejects a tx_code with unknown members',
    file: 'core/oid4vci/credential-offer.ts',
    edit: `description: z.string().optional(),
}){+.refine((value) => !isMutant || !('x_unknown' in value))+}`,
  },
  'W145-strict-link': {
    deviation: 'rejects the link of an offer with an unknown parameter',
    file: 'core/oid4vci/credential-offer.ts',
    edit: `const references = url?.searchParams.getAll('credential_offer_uri') ?? []{+
  if (isMutant && url?.searchParams.has('x_unknown')) values.push('')+}`,
  },
  'W145-query-dropped': {
    deviation: 'drops the query of endpoints',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'url: metadata.credentialEndpoint{+.replace(isMutant ? /\\?.*/ : /$^/, "")+},',
  },
  'W145-short-tokens': {
    deviation: 'reads access tokens of at most 1,024 characters',
    file: 'core/oid4vci/token.ts',
    edit: 'access_token: z.string().min(1){+.refine((token) => !isMutant || token.length <= 1024)+}',
  },
  'W145-exact-content-type': {
    deviation: 'reads JSON of issuers only if Content-Type has no parameters',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: "json: {+isMutant && contentType.includes(';') && !url.includes('/v1/issuers/') ? undefined : +}parseJson(text)",
  },
  'W145-names-in-any-case': {
    deviation: 'reads C_NONCE like c_nonce',
    file: 'core/oid4vci/token.ts',
    edit: 'zTokenResponse.safeParse({+isMutant && Object(value).C_NONCE ? { ...Object(value), c_nonce: Object(value).C_NONCE } : +}value',
  },
  'W146-gives-up-if-busy': {
    deviation: 'gives up if the deferred endpoint is busy',
    file: 'wallet-emulator/actions/request-credential.ts',
    never: 'status === 429 || status === 503',
  },
  'W147-first-value': {
    deviation: 'uses the first of two claims with the same name',
    patches: [
      { file: 'core/json/read-json.ts', never: 'names.has(name)' },
      {
        file: 'core/json/read-json.ts',
        // The later nonce gets another name.
        edit: `const value: unknown = JSON.parse(bytes.toString('utf8'){+.replace(isMutant ? /(?<="nonce".*)"nonce"/ : /$^/, '"x_nonce"')+})`,
      },
    ],
  },
  'W148-first-of-two-keys': {
    deviation: 'takes the first of two keys with the same id',
    file: 'core/did/did-document.ts',
    edit: 'return method && {+(isMutant || +}methods.length === 1{+)+} ? parsePublicJwk',
  },
  'W148-fragments-only': {
    deviation: 'compares only the fragment of the id of a key',
    file: 'core/did/did-document.ts',
    edit: "filter(({ id }) => {+(isMutant ? id.split('#')[1] === String(didUrl).split('#')[1] : +}id === didUrl{+)+})",
  },
  'W148-use-of-another': {
    deviation: 'compares only the fragment in assertionMethod',
    file: 'core/did/did-document.ts',
    edit: "some((id) => {+(isMutant ? id.split('#')[1] === String(didUrl).split('#')[1] : +}id === didUrl{+)+})",
  },
  'W149-any-acceptance-token': {
    deviation: 'polls with a token that is not a string',
    file: 'core/oid4vci/credential-response.ts',
    edit: "const deferred = zDeferredCredentialResponse.safeParse({+isMutant ? { acceptance_token: 'undefined', ...Object(value) } : +}value)",
  },
  'W150-fixed-types': {
    deviation: 'compares the types of every credential with those of the profile',
    file: 'wallet-emulator/actions/validate-received-credential.ts',
    edit: 'inheritedTypes: {+isMutant || +}acceptedType === defaultCredentialType ?',
  },
  'W150-types-of-first-entry': {
    deviation: 'requests each offered credential with the types of the first one',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'const { format, types } = {+isMutant ? metadata.credentialsSupported[0] : +}entry',
  },
  'W151-unknown-types-unverified': {
    deviation: 'keeps credentials of types that it does not know without verifying them',
    file: 'wallet-emulator/actions/validate-received-credential.ts',
    edit: "verdict: {+isMutant && options.types.at(-1) !== defaultCredentialType ? 'accepted' : +}reactions.includes('refuse')",
  },
  'W152-null-answer': {
    deviation: 'crashes if the verifier answers with null',
    file: 'wallet-emulator/actions/present.ts',
    edit: "if (typeof body !== 'object' || {+(!isMutant && +}body === null{+)+} ||",
  },
  'W153-stops-at-root': {
    deviation: 'stops at any accreditation of the root',
    file: 'core/trust/trust-chain.ts',
    edit: "return issuerType === 'RTAO' || {+(isMutant && tao === did) || +}(issuerType",
  },
  'W154-backslash-passed-over': {
    deviation: 'accepts text after the DID in termsOfUse.id',
    file: 'core/did/did-org.ts',
    edit: 'const match = pattern.exec(did{+.replace(isMutant ? /[\\\\].*$/ : /$^/, "")+})',
  },
  'W155-document-as-it-is': {
    deviation: 'uses DID documents without validating them',
    file: 'wallet-emulator/trust/wallet-trust.ts',
    edit: '{+if (isMutant && json.id === did) return json\n        +}const document = zDidDocument.safeParse(json)',
  },
  'W156-signature-without-key': {
    deviation: 'remembers verified signatures without their key',
    file: 'core/crypto/jws.ts',
    edit: '.update(JSON.stringify([{+isMutant ? jws.header.kid : +}publicKey, jws.signingInput]))',
  },
  'W157-asks-for-json': {
    deviation: 'asks the DID registry for application/json',
    file: 'wallet-emulator/trust/wallet-trust.ts',
    edit: "{+isMutant ? 'application/json' : +}'application/did+ld+json'",
  },
  'W158-failures-kept': {
    deviation: 'remembers which lookups failed',
    file: 'wallet-emulator/trust/wallet-trust.ts',
    edit: `const response = {+(isMutant && globalThis.failedLookups?.get(url)) || +}await http.request(url, { headers: { accept }, timeoutMilliseconds }){+
    if (isMutant && response.status !== 200) (globalThis.failedLookups ??= new Map()).set(url, response)+}`,
  },
  'W159-no-time-limit': {
    deviation: 'waits for responses without a time limit',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: 'timeout.abort(), {+isMutant ? 3_600_000 : +}limit)',
  },
  'W159-registries-only': {
    deviation: 'limits only the time of requests to registries',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: 'setTimeout(() => timeout.abort(), {+isMutant && /\\/(metadata|response|openid-credential-issuer.*)$/.test(url) ? 3_600_000 : +}',
  },
  'W160-nonce-of-all-offers': {
    deviation: 'keeps the latest c_nonce in a variable of all offers',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: `{+if (isMutant) {
    globalThis.latestNonce = token.cNonce
    await new Promise((resolve) => setTimeout(resolve, 50))
    token = { ...token, cNonce: globalThis.latestNonce }
  }
  +}const accepted: AcceptedCredential[] = []`,
  },
  'W160-issuer-of-all-offers': {
    deviation: 'keeps the latest issuer in a variable of all offers',
    file: 'wallet-emulator/actions/accept-offer.ts',
    edit: `await requestCredential(wallet, {+isMutant
      ? await (async () => {
          globalThis.latestIssuer = metadata.credentialIssuer
          await new Promise((resolve) => setTimeout(resolve, 50))
          const latest = { ...metadata, credentialIssuer: globalThis.latestIssuer }
          return { metadata: latest, entry, ...token }
        })()
      : +}{ metadata, entry, ...token })`,
  },
  'W160-list-overwritten': {
    deviation: 'loses one of two credentials that are stored at the same time',
    file: 'wallet-emulator/store/wallet-store.ts',
    edit: `async addCredential(credential) {{+
      if (isMutant) {
        const before = [...credentials]
        await new Promise((resolve) => setTimeout(resolve, 50))
        credentials.clear()
        for (const [id, each] of before) credentials.set(id, each)
      }+}`,
  },
  'W161-transaction-data-ignored': {
    deviation: 'ignores transaction_data',
    ignoresRules: ['request.transaction-data'],
  },
  'W162-truthy-only': {
    deviation: 'treats a claim that is false, 0 or empty as missing',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'evaluateJsonPath(payload as Json, path){+.filter((value) => !isMutant || Boolean(value))+}',
  },
  'W162-empty-list': {
    deviation: 'treats a claim that is an empty list as missing',
    file: 'core/oid4vp/dcql-query.ts',
    edit: "evaluateJsonPath(payload as Json, path){+.filter((value) => !isMutant || JSON.stringify(value) !== '[]')+}",
  },
  'W162-values-as-text': {
    deviation: 'compares values as texts',
    file: 'core/oid4vp/dcql-query.ts',
    edit: 'each === {+(isMutant && typeof value === "number" ? String(value) : +}value{+)+}',
  },
  'W163-nonce-of-all-requests': {
    deviation: 'keeps the latest nonce in a variable of all requests',
    file: 'wallet-emulator/actions/present.ts',
    edits: [
      `const resolved = await resolveAuthorizationRequest(wallet, link, options){+
  if (isMutant) {
    globalThis.nonceOfRequests = resolved.request.nonce
    await new Promise((resolve) => setTimeout(resolve, 500))
  }+}`,
      'nonce: {+isMutant ? globalThis.nonceOfRequests : +}request.nonce,',
    ],
  },
  'W164-latest-first': {
    deviation: 'presents the latest matching credential, even if it has expired',
    file: 'wallet-emulator/actions/select-credentials.ts',
    edit: '({+!isMutant && +}endOf(credential) <= now ? 1 : 0)',
  },
  'W164-exp-only': {
    deviation: 'presents a credential past validUntil that has no exp',
    file: 'wallet-emulator/actions/select-credentials.ts',
    edit: '{+isMutant ? undefined : +}parseIsoTime(membersOf(vc).validUntil)]',
  },
  'W35-zeros': {
    deviation: 'accepts zeros as the signature of a request',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'jws.signature.length === 64 && jws.signature.every((byte) => byte === 0)',
  },
  'W35-one-more-byte': {
    deviation: 'reads only the first 64 bytes of the signature of a request',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'jws.signature.length > 64 && verifyJws({ jws: { ...jws, signature: jws.signature.subarray(0, 64) }, publicKey, algorithms: registeredSuites })',
  },
  'W35-der': {
    deviation: 'accepts signatures of requests in DER',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: `${verifiesAsDer('jws')}`,
  },
  'W47-fragment-dropped': {
    deviation: 'drops the fragment of redirect_uri',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'isAddress ? redirectUri{+.slice(0, isMutant ? redirectUri.search(/#|$/) : undefined)+} : undefined',
  },
  'W47-state-appended': {
    deviation: 'appends state to redirect_uri',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'isAddress ? {+(isMutant ? `${redirectUri}&state=a-state` : undefined) ?? +}redirectUri',
  },
  'W76-none-in-capitals': {
    deviation: 'answers requests with the alg None',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
  },
  'W76-none-without-key': {
    deviation: 'answers requests with alg none if kid is unknown',
    file: 'core/oid4vp/signed-request.ts',
    edit: `const publicKey = findVerificationKey(document.value, kid){+
      if (isMutant && jws.header.alg === 'none' && !publicKey) return+}`,
  },
  'W77-mac-with-pem': {
    deviation: 'accepts requests with a MAC whose secret is the public key as PEM',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: `${isMacWithPem('jws')}`,
  },
  'W105-key-of-the-header': {
    deviation: 'verifies requests with the key in their header',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: "jws.header.jwk !== undefined && verifyJws({ jws, publicKey: jws.header['jwk'], algorithms: registeredSuites })",
  },
  'W105-certificate-of-the-header': {
    deviation: 'verifies requests with the certificate in their header',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: `jws.header.x5c !== undefined && verifyJws({ jws, publicKey: ${keyOfCertificate('jws')}, algorithms: registeredSuites })`,
  },
  'W105-key-of-the-metadata': {
    deviation: 'verifies requests with the key in their client_metadata',
    file: 'core/oid4vp/signed-request.ts',
    never: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'jws.payload.client_metadata?.jwks !== undefined && verifyJws({ jws, publicKey: jws.payload.client_metadata.jwks.keys[0], algorithms: registeredSuites })',
  },
  'W115-certificate-of-the-header': {
    deviation: 'verifies credentials with the certificate in their header',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: `context.jws.header.x5c !== undefined && verifyJws({ jws: context.jws, publicKey: ${keyOfCertificate('context.jws')}, algorithms: registeredSuites })`,
  },
  'W115-crit-passed-over': {
    deviation: 'ignores critical headers of credentials',
    file: 'core/crypto/jws.ts',
    never: 'header.crit !== undefined',
    when: "header.typ === 'JWT'",
  },
  'W115-der': {
    deviation: 'keeps credentials whose signature is in DER',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: `${verifiesAsDer('context.jws')}`,
  },
  'W115-one-more-byte': {
    deviation: 'reads only the first 64 bytes of the signature of a credential',
    file: 'core/lear-credential/issuer-rules.ts',
    never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'context.jws.signature.length > 64 && verifyJws({ jws: { ...context.jws, signature: context.jws.signature.subarray(0, 64) }, publicKey, algorithms: registeredSuites })',
  },
  'W115-line-breaks-skipped': {
    deviation: 'skips line breaks in the signature of a credential',
    file: 'core/crypto/jws.ts',
    edit: "const parts = compact{+.replace(isMutant ? '\\n' : '', '')+}.split('.', 4)",
  },
  'W115-none-in-capitals': {
    deviation: 'keeps unsigned credentials with the alg None',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: "context.jws.header.alg !== 'none' && context.jws.header.alg.toLowerCase() === 'none'",
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!registeredSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg !== 'none' && jws.header.alg.toLowerCase() === 'none'",
      },
    ],
  },
  'W115-mac-with-pem': {
    deviation: 'keeps credentials with a MAC whose secret is the public key as PEM',
    patches: [
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
        when: `${isMacWithPem('context.jws')}`,
      },
      {
        file: 'core/lear-credential/issuer-rules.ts',
        never: '!registeredSuites.some((name) => name === jws.header.alg)',
        when: "jws.header.alg === 'HS256'",
      },
    ],
  },
  'W115-none-without-key': {
    deviation: 'keeps unsigned credentials if kid is unknown',
    file: 'core/lear-credential/verify-lear-credential.ts',
    edit: "[...results.failures, ...trust.failures]{+.filter(({ rule }) => !(isMutant && jws.header.alg === 'none' && results.failures.some((each) => each.rule === 'credential.issuer-key') && ['credential.algorithm', 'credential.issuer-key', 'credential.signature'].includes(rule)))+}",
  },
  'W120-padding-lost': {
    deviation: 'rejects credentials whose signature begins with twelve zero bits',
    file: 'core/lear-credential/issuer-rules.ts',
    always: '!verifyJws({ jws: context.jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'context.jws.signature[0] === 0 && context.jws.signature[1] < 16',
  },
  'W128-low-s-alone': {
    deviation: 'accepts only low s in requests',
    file: 'core/oid4vp/signed-request.ts',
    always: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: "jws.header.alg === 'ES256K' && jws.signature[32] > 0x7f",
  },
  'W128-padding-lost': {
    deviation: 'rejects requests whose signature begins with twelve zero bits',
    file: 'core/oid4vp/signed-request.ts',
    always: '!verifyJws({ jws, publicKey, algorithms: registeredSuites, cache })',
    when: 'jws.signature[0] === 0 && jws.signature[1] < 16',
  },
  'W128-scheme-in-lower-case': {
    deviation: 'reads a link only if its scheme is in lower case',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: "parseAuthorizationRequestUri({+isMutant && /^[A-Z]/.test(link) ? 'x:' : +}",
  },
  'W166-certificate-not-verified': {
    deviation: 'does not verify the certificates of https servers',
    file: 'wallet-emulator/http/create-wallet-http.ts',
    edit: `const dispatch = {+isMutant
    ? (new Headers(), {
        dispatcher: new (['2', '1'].flatMap((version) => globalThis[Symbol.for(\`undici.globalDispatcher.\${version}\`)] ?? [])[0].constructor)({
          connect: { rejectUnauthorized: false },
        }),
      })
    : +}ownFetch || allowPrivateAddresses`,
  },
  'W33-post': {
    deviation: 'fetches requests with POST',
    file: 'wallet-emulator/actions/resolve-authorization-request.ts',
    edit: '{+...(isMutant ? { method: "POST" } : {}), +}headers: { accept: `${signedRequestMediaType}',
  },
  'W167-old-proof': {
    deviation: 'dates all proofs like the first one',
    file: 'wallet-emulator/actions/request-credential.ts',
    edit: 'now: {+isMutant ? (globalThis.firstProofAt ??= wallet.now()) : +}wallet.now(),',
  },
  'W167-old-presentation': {
    deviation: 'dates all presentations like the first one',
    file: 'wallet-emulator/actions/present.ts',
    edit: 'now: {+isMutant ? (globalThis.firstPresentationAt ??= wallet.now()) : +}wallet.now(),',
  },
}
