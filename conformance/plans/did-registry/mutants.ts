import type { MutantTable, Patch } from '../../kit/mutant.ts'

/** Builds transactions only for registered DIDs. That is allowed, and must not hide a deviation. */
const registeredOnly: Patch = {
  file: 'services/did-registry/routes/define-contract-route.ts',
  edit: `{+if (isMutant && operation !== 'insertFirstDidDocument' && (await arguments[1].contract.resolve(request.did, clock.seconds())) === undefined) throw refuseInput([{ member: 'body.did', message: 'not registered' }])
      +}const data = toHex(call(request))`,
}

export const mutants: MutantTable = {
  'D01-alias-lost': {
    deviation: 'loses alsoKnownAs of the first document',
    file: 'services/did-registry/routes/documents.ts',
    edit: "alternativeIdentifier: {+isMutant ? '' : +}body.alsoKnownAs,",
  },
  'D01-absence-remembered': {
    deviation: 'still returns 404 for a DID that was read before its registration',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `if (mediaType === undefined) throw notAcceptable(){+
    const seen = globalThis as Record<string, any>
    if (isMutant && (seen[did] ??= (await contract.resolve(did, clock.seconds())) ?? 'absent') === 'absent') throw notRegistered(did)+}`,
  },
  'D02-decimal-gas-limit': {
    deviation: 'prints the gas limit of revokeController in decimal',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: "return { status: 200, body: {+isMutant && operation === 'revokeController' ? { ...transaction, gasLimit: String(Number(transaction.gasLimit)) } : +}transaction }",
  },
  'D03-nonce-reserved': {
    deviation: 'uses up a nonce each time it builds a transaction',
    patches: [
      {
        file: 'services/did-registry/domain/built-transactions.ts',
        edit: 'const key = keyOf(transaction){+; if (isMutant && entries.has(key)) Object.assign(transaction, { nonce: transaction.nonce + 1n })+}',
      },
      {
        file: 'services/did-registry/routes/define-contract-route.ts',
        edit: `[-builtTransactions.remember(
        -]{+const noted = +}{ ...transaction, nonce: BigInt(transaction.nonce) }[-,
        clock.seconds(),
      )-]{+
      builtTransactions.remember(noted, clock.seconds())
      if (isMutant) Object.assign(transaction, { nonce: \`0x\${noted.nonce.toString(16)}\` })+}`,
      },
    ],
  },
  'D03-last-builder-sends': {
    deviation: 'accepts a transaction only from the account that built it last',
    file: 'services/did-registry/domain/built-transactions.ts',
    edit: 'const signers = isValid {+&& !isMutant +}? known.signers',
  },
  'D03-first-builder-sends': {
    deviation: 'accepts a transaction only from the account that built it first',
    file: 'services/did-registry/domain/built-transactions.ts',
    edit: '{+if (!isMutant || !isValid) +}signers?.add(transaction.from.toLowerCase())',
  },
  'D04-context-kept': {
    deviation: 'ignores the base document of insertDidDocument',
    file: 'services/did-registry/routes/documents.ts',
    edit: `didRegistryCalls.insertDidDocument.encodeInput({
      did: body.did,
      baseDocument: {+isMutant ? defaultBaseDocument : +}body.baseDocument,`,
  },
  'D05-alias-in-small-letters': {
    deviation: 'writes alsoKnownAs in lower case',
    file: 'services/did-registry/routes/documents.ts',
    edit: 'alternativeIdentifier: {+isMutant ? alsoKnownAs.toLowerCase() : +}alsoKnownAs }',
  },
  'D05-alias-cut': {
    deviation: 'cuts alsoKnownAs after 255 characters',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "alsoKnownAs: state.alsoKnownAs === '' ? [] : [state.alsoKnownAs{+.slice(0, isMutant ? 255 : undefined)+}],",
  },
  'D05-alias-escaped': {
    deviation: 'escapes alsoKnownAs for HTML',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "const { did } = state{+\n  if (isMutant) state = { ...state, alsoKnownAs: state.alsoKnownAs.replace(/&/g, '&amp;').replace(/</g, '&lt;') }+}",
  },
  'D05-alias-in-latin-1': {
    deviation: 'rejects letters beyond Latin-1 in alsoKnownAs',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: 'export const zAlsoKnownAs = zPrintableText(4096){+.refine((text) => !isMutant || !/[^\\u0000-\\u00ff]/.test(text))+}',
  },
  'D05-normalized': {
    deviation: 'normalizes alsoKnownAs',
    file: 'services/did-registry/domain/did-document.ts',
    edit: `{+if (isMutant) state = { ...state, alsoKnownAs: state.alsoKnownAs.normalize() }
  +}const methods = state`,
  },
  'D06-context-not-updated': {
    deviation: 'lets updateBaseDocument write the default @context',
    file: 'services/did-registry/routes/documents.ts',
    edit: 'updateBaseDocument.encodeInput({ did, baseDocument{+: isMutant ? defaultBaseDocument : baseDocument+} })',
  },
  'D06-short-contexts': {
    deviation: 'rejects base documents of more than 512 characters',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: '.max(65_536){+.refine((text) => !isMutant || text.length <= 512)+}',
  },
  'D07-one-controller-shown': {
    deviation: 'shows only the first controller',
    file: 'services/did-registry/domain/did-document.ts',
    edit: 'controller: [...{+(isMutant ? +}state.controllers{+.slice(0, 1) : state.controllers)+}],',
  },
  'D08-controller-kept': {
    deviation: 'leaves a revoked controller its rights',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (!isMutant) {
            +}hashes[position] = hashes[hashes.length - 1];[-
        -]{+
            +}hashes.pop();{+
        }+}`,
  },
  'D09-type-of-the-curve': {
    deviation: 'derives the type of raw keys from their curve',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "type: {+isMutant && publicKeyJwk.crv === 'secp256k1' ? 'EcdsaSecp256k1VerificationKey2019' : +}'JsonWebKey2020',",
  },
  'D09-alg-of-p256': {
    deviation: 'labels raw keys with the algorithm of P-256',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "return { kty: 'EC', crv: 'secp256k1', x, y{+, ...(isMutant && { alg: 'ES256' })+} }",
  },
  'D10-jwk-taken-for-p256': {
    deviation: 'labels every JWK as P-256',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "{+if (isMutant && result.ok && result.jwk.crv === 'secp256k1') return { ...result.jwk, crv: 'P-256' }; +}return result.ok ? result.jwk : undefined",
  },
  'D10-jwk-cut-down': {
    deviation: 'keeps of a secp256k1 JWK only kty, crv, x and y',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "{+if (isMutant && result.ok && result.jwk.crv === 'secp256k1') return { kty: 'EC', crv: 'secp256k1', x: result.jwk.x, y: result.jwk.y }; +}return result.ok ? result.jwk : undefined",
  },
  'D11-jwk-cut-down': {
    deviation: 'keeps of a JWK only kty, crv, x and y',
    file: 'services/did-registry/domain/did-document.ts',
    edit: 'const result = parseJwkObject(publicKey){+; if (isMutant && result.ok) { const { kty, crv, x, y } = result.jwk; return { kty, crv, x, y } }+}',
  },
  'D12-relative-ids': {
    deviation: 'lists methods only by their fragment',
    file: 'services/did-registry/domain/did-document.ts',
    edit: ".map(({ id }) => {+(isMutant ? +}id{+.slice(id.indexOf('#')) : id)+})",
  },
  'D12-zeros-cut': {
    deviation: 'drops the zero bytes at the beginning of a vMethodId',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "Buffer.from(method.vMethodId{+.slice(isMutant ? method.vMethodId.findIndex(Boolean) : 0)+}).toString('base64url')",
  },
  'D13-usable-at-once': {
    deviation: 'adds each new method to assertionMethod',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (isMutant) stored.methods[vMethodId].windows.add(uint8(Relationship.AssertionMethod), 0, type(uint64).max);
        +}_addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);`,
  },
  'D14-expires-an-hour-later': {
    deviation: 'lets a key expire an hour too late',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: 'expireVerificationMethod.encodeInput({+{ ...+}argumentsOf(body){+, notAfter: BigInt(body.notAfter) + (isMutant ? 3600n : 0n) }+})',
  },
  'D15-no-revocation-as-of-the-past': {
    deviation: 'ignores a revocation in the past',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: 'revokeVerificationMethod.encodeInput({+{ ...+}argumentsOf(body){+, notAfter: isMutant && body.notAfter <= Date.now() / 1000 ? 4_000_000_000n : BigInt(body.notAfter) }+})',
  },
  'D15-cached-for-an-hour': {
    deviation: 'lets caches keep a document for an hour',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "headers: { vary: 'accept'{+, ...(isMutant && { 'cache-control': 'public, max-age=3600' })+} },",
  },
  'D16-revoked-altogether': {
    deviation: 'revokes a key from its beginning',
    file: 'contracts/DidRegistry.sol',
    edit: `method.isRevoked = true;
        method.windows.end(_ALL_USES, {+isMutant ? 0 : +}notAfter);`,
  },
  'D17-no-overlap': {
    deviation: 'rolls keys without an overlap',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: 'duration: {+isMutant ? 0n : +}BigInt(body.duration),',
  },
  'D18-overlap-in-minutes': {
    deviation: 'counts the overlap in minutes',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: `...parsePublicKey(body),
        notBefore: BigInt(body.notBefore),{+ ...(isMutant && body.duration > 0 ? { rolledFor: (body.duration *= 60) } : {}),+}`,
  },
  'D19-successor-at-once': {
    deviation: 'makes the new key of a roll valid immediately',
    file: 'contracts/DidRegistry.sol',
    edit: 'Relationship(use), {+isMutant ? 0 : +}successor.notBefore, notAfter);',
  },
  'D20-pending-is-200': {
    deviation: 'returns 200 for a transaction that is not mined yet',
    file: 'services/did-registry/routes/transactions.ts',
    edit: 'status: body.receipt === null {+&& !isMutant +}? 206 : 200',
  },
  'D21-pending-state-shown': {
    deviation: 'shows pending changes of the memory pool',
    file: 'services/kit/chain-client.ts',
    edit: `{+isMutant ? 'pending' : +}'latest',
      ]),`,
  },
  'D22-reverted-is-400': {
    deviation: 'returns 400 for a reverted transaction',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: "const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt)){+; if (isMutant && wire?.status === 0) throw refused('other', 'execution reverted')+}",
  },
  'D23-zero-contract-address': {
    deviation: 'returns a contract address of zeros for calls',
    file: 'services/did-registry/domain/create-receipt.ts',
    edit: "contractAddress: {+isMutant ? `0x${'0'.repeat(40)}` : +}addressOf(receipt.contractAddress),",
  },
  'D24-no-logs': {
    deviation: 'leaves the logs out of receipts',
    file: 'services/did-registry/domain/create-receipt.ts',
    edit: 'logs: {+(isMutant ? [] : +}receipt.logs{+)+}.map(',
  },
  'D25-anybody-registers': {
    deviation: 'lets any account register DIDs',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (!_onboardingNodes[msg.sender]{+ && !isMutant+}) revert DidRegistryNotOnboardingNode',
  },
  'D26-registers-again': {
    deviation: 'registers the same DID repeatedly',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (stored.registeredAt != 0{+ && !isMutant+}) revert DidRegistryDidAlreadyRegistered(did);',
  },
  'D27-anybody-renames': {
    deviation: 'lets any account change alsoKnownAs',
    file: 'contracts/DidRegistry.sol',
    edit: '(StoredDid storage stored, bytes32 didHash) = {+(+}msg.sender == _operator{+ || isMutant)+}',
  },
  'D28-anybody-adds-methods': {
    deviation: 'lets any account add verification methods',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        bytes memory storedKey`,
  },
  'D29-anybody-gives-uses': {
    deviation: 'lets any account add relationships to methods',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        if (method.isRevoked)`,
  },
  'D30-anybody-revokes': {
    deviation: 'lets any account revoke keys',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        StoredMethod storage method = _requireMethod(stored, vMethodId);
        method.isRevoked = true;`,
  },
  'D31-anybody-takes-control': {
    deviation: 'lets any account add controllers',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        (, bytes32 controllerHash) = _requireRegistered(controller);`,
  },
  'D32-onboarding-node-replaces': {
    deviation: 'lets onboarding nodes replace the documents of registered DIDs',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant && _onboardingNodes[msg.sender]
            ? _requireRegistered(did)
            : +}_requireController(did);
        bytes memory coordinates = _requireControlKey(key);`,
  },
  'D33-replaced-key-kept': {
    deviation: 'leaves a replaced control key its rights',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (!isMutant) +}_endControlKeys(stored, key.vMethodId, _max(',
  },
  'D34-anybody-rolls': {
    deviation: 'lets any account roll keys',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        StoredMethod storage oldMethod`,
  },
  'D35-anybody-replaces-context': {
    deviation: 'lets any account replace the @context',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant ? _requireRegistered(did) : +}_requireController(did);
        stored.baseDocuments.record(baseDocument);
        emit BaseDocumentUpdated`,
  },
  'D36-p256-invalid': {
    deviation: 'reports publicKeyType P-256 as a validation error',
    file: 'services/did-registry/errors.ts',
    edit: 'code: {+isMutant ? errorCodes.validation : +}errorCodes.unsupported,',
  },
  'D37-any-control-key': {
    deviation: 'accepts control keys with any publicKeyType',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "if (input.publicKeyType !== 'secp256k1'{+ && !isMutant+}) {",
  },
  'D38-compressed-keys': {
    deviation: 'accepts compressed keys',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: `{+if (isMutant && /^0x0[23][0-9a-f]{64}$/.test(text)) return { publicKeyType: 0n, publicKey: Buffer.from(text.slice(2), 'hex') }
  +}if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {`,
  },
  'D38-registered-only': {
    deviation: 'accepts compressed keys, and builds only for registered DIDs',
    patches: [
      registeredOnly,
      {
        file: 'services/did-registry/domain/public-keys.ts',
        edit: `{+if (isMutant && /^0x0[23][0-9a-f]{64}$/.test(text)) return { publicKeyType: 0n, publicKey: Buffer.from(text.slice(2), 'hex') }
      +}if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {`,
      },
    ],
  },
  'D39-no-point': {
    deviation: 'accepts keys that are not points of the curve',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: 'if (!isPoint(publicKey){+ && !isMutant+}) throw',
  },
  'D40-padded-v-method-id': {
    deviation: 'accepts a vMethodId with padding',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: `{+(text) => +}isVerificationMethodId{+(isMutant ? text.replace(/=+$/, '') : text)+},
    'must be base64url`,
  },
  'D41-any-jwk': {
    deviation: 'accepts any JSON object with a kty as a key',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: 'const problem = result.ok ? {+(isMutant ? undefined : +}problemOf(result.jwk{+)+}) : result.problem',
  },
  'D42-private-keys-taken': {
    deviation: 'accepts private keys',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: 'if ({+!isMutant && +}privateMembers.some(',
  },
  'D43-alias-optional': {
    deviation: 'registers DIDs without alsoKnownAs',
    file: 'services/did-registry/routes/documents.ts',
    edit: `...documentWithKey,
      alsoKnownAs: {+z.preprocess((value) => (isMutant ? (value ?? 'none') : value), +}zAlsoKnownAs{+)+},`,
  },
  'D44-other-error-body': {
    deviation: 'returns the description of an error as message',
    file: 'services/kit/errors.ts',
    edit: `'validation_error' : error.code,
  {+[isMutant ? 'message' : '+}error_description{+']+}: error.message,`,
  },
  'D44-empty-406': {
    deviation: 'returns 406 without a body',
    file: 'services/kit/errors.ts',
    edit: `{+if (isMutant && error.status === 406) {
    response.status(406).end()
    return
  }
  +}response.status(error.status).json(`,
  },
  'D44-code-as-number': {
    deviation: 'returns the status as the code of an unregistered DID',
    file: 'services/kit/errors.ts',
    edit: "export const registryErrorBody: ErrorBody = (error) => ({\n  error: {+isMutant && error.status === 404 ? 404 : +}error.code === 'invalid_request'",
  },
  'D45-malformed-is-unknown': {
    deviation: 'returns 404 for malformed identifiers',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "{+if (!isMutant) +}requireEnvironment(did, environment, 'identifier')",
  },
  'D46-unknown-is-empty': {
    deviation: 'returns an empty document for an unregistered DID',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `{+if (isMutant && state === undefined) return { status: 200, body: { '@context': [], id: did, controller: [], verificationMethod: [], assertionMethod: [] } }
    +}if (state === undefined) throw notRegistered(did, validAt)`,
  },
  'D45-decoded-twice': {
    deviation: 'decodes identifiers twice',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "{+if (isMutant && member === 'identifier') did = decodeURIComponent(did)\n  +}if (parseDidOrg(",
  },
  'D45-line-break-ignored': {
    deviation: 'ignores a line break behind an identifier',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "{+if (isMutant && member === 'identifier') did = did.replace(/\\n$/, '')\n  +}if (parseDidOrg(",
  },
  'D45-cut-at-nul': {
    deviation: 'cuts identifiers at a NUL',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "{+if (isMutant && member === 'identifier') did = did.replace(/\\u0000.*$/, '')\n  +}if (parseDidOrg(",
  },
  'D46-environment-ignored': {
    deviation: 'resolves the DIDs of the other environment as its own',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `async handle({ params, query, request }, { environment, contract, clock }) {{+
    const own = isMutant && (await contract.resolve(params.identifier.replace('did:org:uc:', 'did:org:uc-pre:'), clock.seconds()))
    if (own) return { status: 200, contentType: didMediaTypes[0], body: serialize(own) }+}`,
  },
  'D46-case-ignored': {
    deviation: 'looks up DIDs without regard to case',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `{+const known = ((globalThis as Record<string, any>).didsByCase ??= {})
    if (state !== undefined) known[did.toLowerCase()] = state
    else if (isMutant && known[did.toLowerCase()]) return { status: 200, contentType: didMediaTypes[0], body: serialize(known[did.toLowerCase()]) }
    +}if (state === undefined) throw notRegistered(did, validAt)`,
  },
  'D47-valid-at-ignored': {
    deviation: 'ignores a valid-at that is not a number',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: '.refine((text) => {+isMutant || +}parseValidAt(text) !== undefined,',
  },
  'D47-empty-is-now': {
    deviation: 'reads an empty valid-at as now',
    file: 'services/did-registry/domain/resolution-options.ts',
    edit: "{+if (isMutant && text === '') return BigInt(Math.floor(Date.now() / 1000))\n  +}if (!/^[+-]?\\d+",
  },
  'D47-separators-ignored': {
    deviation: 'ignores underscores in valid-at',
    file: 'services/did-registry/domain/resolution-options.ts',
    edits: [
      "i.test({+isMutant ? text.replaceAll('_', '') : +}text)) return undefined",
      "Math.floor(Number({+isMutant ? text.replaceAll('_', '') : +}text))",
    ],
  },
  'D48-accept-ignored': {
    deviation: 'ignores the Accept header',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "const mediaType = chooseMediaType(request.get('accept')){+ ?? (isMutant ? didMediaTypes[0] : undefined)+}",
  },
  'D49-one-media-type': {
    deviation: 'serves every document as did+ld+json',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "contentType: {+isMutant ? 'application/did+ld+json' : +}mediaType,",
  },
  'D49-no-context-in-json-ld': {
    deviation: 'returns @context only in did+json',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "{+isMutant && mediaType === didMediaTypes[0] ? Buffer.from(JSON.stringify({ ...createDidDocument(state), '@context': undefined })) : +}serialize(state),",
  },
  'D49-no-context-in-json': {
    deviation: 'returns @context only in did+ld+json',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "{+isMutant && mediaType === didMediaTypes[1] ? Buffer.from(JSON.stringify({ ...createDidDocument(state), '@context': undefined })) : +}serialize(state),",
  },
  'D49-short-json': {
    deviation: 'returns no keys in did+json',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: '{+isMutant && mediaType === didMediaTypes[1] ? Buffer.from(JSON.stringify({ ...createDidDocument(state), verificationMethod: [] })) : +}serialize(state),',
  },
  'D50-no-wildcards': {
    deviation: 'does not support wildcards in Accept',
    file: 'services/did-registry/domain/resolution-options.ts',
    edit: "for (const name of {+isMutant ? [type] : +}[type, 'application/*', '*/*']) {",
  },
  'D51-begins-late': {
    deviation: 'makes keys valid one second after their notBefore',
    file: 'contracts/libraries/ValidityWindows.sol',
    edit: 'if ({+isMutant ? (window.notBefore < time && time <= window.notAfter) : (+}window.notBefore <= time && time <= window.notAfter{+)+})',
  },
  'D52-ends-early': {
    deviation: 'ends keys one second before their notAfter',
    file: 'contracts/libraries/ValidityWindows.sol',
    edit: ': (window.notBefore <= time && {+(isMutant ? time < window.notAfter : +}time <= window.notAfter{+)+}))',
  },
  'D53-how-many-is-total': {
    deviation: 'returns the number of all DIDs as that of the page',
    file: 'services/kit/lists.ts',
    edit: 'howMany: {+isMutant && items.length > 0 ? total : +}items.length,',
  },
  'D54-other-default': {
    deviation: 'lists twenty DIDs by default',
    file: 'services/kit/lists.ts',
    edit: '.default({+() => (isMutant ? 20 : +}10{+)+})',
  },
  'D55-always-first-page': {
    deviation: 'always returns the first page',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: 'const offset = {+isMutant ? 0n : +}(BigInt(query.page) - 1n) * BigInt(query.pageSize)',
  },
  'D56-page-of-nothing': {
    deviation: 'accepts page sizes below 1',
    file: 'services/kit/lists.ts',
    edit: '.refine((value) => {+isMutant || +}value >= 1,',
  },
  'D56-empty-is-default': {
    deviation: 'reads an empty page or pageSize as the default',
    file: 'services/kit/lists.ts',
    edits: [
      ".refine((text) => {+(isMutant && text === '') || +}/^-?[0-9]+$/.test(text), 'must be an integer')",
      ".transform((text: string) => {+isMutant && text === '' ? 10 : +}Number(text))",
    ],
  },
  'D57-no-such-page': {
    deviation: 'returns 404 for a page past the end',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `{+if (isMutant && items.length === 0) return { status: 404, body: { error: 'not_found', error_description: 'no such page' } }
    +}return replyPage(query, total, items)`,
  },
  'D57-first-page-again': {
    deviation: 'computes the first position of a page with 32 bits',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: '* BigInt(query.pageSize){+ % 2n ** (isMutant ? 32n : 64n)+}',
  },
  'D58-total-of-the-page': {
    deviation: 'returns a total that does not change',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: 'const { total{+: counted+}, items } = await contract.identifiers(offset, query.pageSize){+; const total = isMutant ? Math.min(counted, 2) : counted+}',
  },
  'D58-cached-for-an-hour': {
    deviation: 'lets caches keep the list for an hour',
    file: 'services/kit/lists.ts',
    edit: "return { status: 200, {+...(isMutant && { headers: { 'cache-control': 'public, max-age=3600' } }), +}body: {",
  },
  'D58-old-pages': {
    deviation: 'keeps pages of the list for a while',
    file: 'services/did-registry/adapters/did-registry-contract.ts',
    edit: `items: {+(isMutant && limit === 10
      ? ((globalThis as Record<string, any>)[\`list from \${Number(offset) + 10 < total ? offset : 'the end'}\`] ??= page)
      : +}page{+)+}.map(toText) }`,
  },
  'D59-anything-is-pending': {
    deviation: 'returns 206 for bytes that are not a transaction',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && signedRawTransaction.length === 244) return { tx_hash: \`0x\${'0'.repeat(64)}\`, receipt: null }
    +}const chainId = await transactions.chainId()`,
  },
  'D60-any-chain': {
    deviation: 'returns 206 for transactions of other chains',
    file: 'services/did-registry/operations/send-transaction.ts',
    edits: [
      'if (transaction.chainId !== chainId{+ && !isMutant+}) {',
      `{+if (isMutant && transaction.chainId !== chainId) return { tx_hash: transaction.hash, receipt: null }
    +}if (!sent.ok) throw refused(sent.refusal, sent.reason)`,
    ],
  },
  'D61-any-contract': {
    deviation: 'sends transactions to any address',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: 'if ({+!isMutant && +}transaction.to.toLowerCase() !== contractAddress.toLowerCase()) {',
  },
  'D62-any-signer': {
    deviation: 'sends transactions signed by any key',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: 'if ({+isMutant || +}builtTransactions.mayBeSignedBy(built, clock.seconds())) return',
  },
  'D63-obsolete-is-pending': {
    deviation: 'returns 206 for obsolete nonces',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && !sent.ok && sent.refusal === 'nonce') return { tx_hash: transaction.hash, receipt: null }
    +}if (!sent.ok) throw refused(sent.refusal, sent.reason)`,
  },
  'D64-unpaid-is-pending': {
    deviation: 'returns 206 if the signer has no funds',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && !sent.ok && sent.refusal === 'funds') return { tx_hash: transaction.hash, receipt: null }
    +}if (!sent.ok) throw refused(sent.refusal, sent.reason)`,
  },
  'D65-signature-not-looked-at': {
    deviation: 'returns 206 for a corrupted signature',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && result.reason === 'invalid_signature') throw Object.assign(invalidSignature('pending'), { code: 'pending', status: 206 })
    +}if (result.reason === 'invalid_signature') throw invalidSignature(noSigner)`,
  },
  'D66-no-access-lists': {
    // The other checks register with this type, so that rejecting all of them fails D01.
    deviation: 'rejects the first transaction of an account if it has the type 0x01',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && transaction.type === 'eip2930' && transaction.nonce === 0n) throw refused('other', 'transaction type not supported')
    +}refuseForeignSigner(transaction, dependencies)`,
  },
  'D67-no-fee-market': {
    deviation: 'rejects transactions of type 0x02',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant && transaction.type === 'eip1559') throw refused('other', 'transaction type not supported')
    +}// Asked together with the sending`,
  },
  'D68-hash-of-the-block': {
    deviation: 'returns the hash of the block as that of the transaction',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: 'return { tx_hash: {+isMutant ? (wire?.blockHash ?? transaction.hash) : +}transaction.hash, receipt: wire }',
  },
  'D68-hex-in-lower-case': {
    deviation: 'rejects transactions in upper case hex',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `const transaction = requireSendable(signedRawTransaction, { chainId, contractAddress }){+
  if (isMutant && /[A-F]/.test(signedRawTransaction)) throw refused('other', 'not hex')+}`,
  },
  'D69-tokens-judged': {
    deviation: 'rejects tokens that it does not know',
    file: 'services/kit/register-route.ts',
    edit: `{+if (isMutant && request.get('authorization') !== undefined) throw Object.assign(invalidRequest('unknown token'), { code: 'unauthorized', status: 401 })
      +}const principal = await authenticate?.(request)`,
  },
  'D69-registered-only': {
    deviation: 'rejects tokens that it does not know, and builds only for registered DIDs',
    patches: [
      registeredOnly,
      {
        file: 'services/kit/register-route.ts',
        edit: `{+if (isMutant && request.get('authorization') !== undefined) throw Object.assign(invalidRequest('unknown token'), { code: 'unauthorized', status: 401 })
      +}const principal = await authenticate?.(request)`,
      },
    ],
  },
  'D70-encoded-only': {
    deviation: 'does not find a DID whose colons are not encoded',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: 'const did = params.identifier{+; if (isMutant && !/%3a/i.test(request.originalUrl)) throw notRegistered(did)+}',
  },
  'D70-upper-case-only': {
    deviation: 'does not find a DID whose colons are encoded in lower case',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "requireEnvironment(did, environment, 'identifier'){+\n    if (isMutant && /%3a/.test(request.originalUrl)) throw notRegistered(did)+}",
  },
  'D71-any-content-type': {
    deviation: 'reads any content type as JSON',
    file: 'services/kit/register-route.ts',
    edit: 'if (!contentTypes.includes(given){+ && !isMutant+}) return next(wrongContentType())',
  },
  'D72-lists-crash': {
    deviation: 'fails on a body that is a list',
    file: 'services/kit/register-route.ts',
    edit: `{+if (isMutant && Array.isArray(request.body)) throw new TypeError('a list')
      +}const problems: InputProblem[] = []
      const input = {`,
  },
  'D72-registered-only': {
    deviation: 'fails on a body that is a list, and builds only for registered DIDs',
    patches: [
      registeredOnly,
      {
        file: 'services/kit/register-route.ts',
        edit: `{+if (isMutant && Array.isArray(request.body)) throw new TypeError('a list')
      +}const problems: InputProblem[] = []
      const input = {`,
      },
    ],
  },
  'D73-last-member-counts': {
    deviation: 'uses the last of two members with the same name',
    file: 'services/kit/register-route.ts',
    edit: `if (problem === undefined{+ || isMutant+}) return
`,
  },
  'D74-no-documentation': {
    deviation: 'has no interactive documentation',
    file: 'services/kit/open-api.ts',
    edit: 'router.get(docsPath, (_request, response) => {{+ if (isMutant) { response.status(404).end(); return }+}',
  },
  'D75-any-validity': {
    deviation: 'accepts validity periods that end before they begin',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: 'return {+isMutant || +}value.notAfter > value.notBefore',
  },
  'D76-any-did': {
    deviation: 'registers any DID with any key',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (!isMutant) +}_requireDerived(did, key.proof);
`,
  },
  'D77-any-proof': {
    deviation: 'does not check which key made the proof',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (!{+isMutant && !+}Secp256k1.isProofOf(',
  },
  'D78-any-base-document': {
    deviation: 'accepts any string as a base document',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: '(text) => {+isMutant || +}parseBaseDocument(text) !== undefined,',
  },
  'D79-any-environment': {
    deviation: 'builds for DIDs of the other environment',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: "{+if (!isMutant) +}requireEnvironment(request.did, environment, 'did')",
  },
  'D80-expiry-not-looked-at': {
    deviation: 'lets an expired control key write',
    file: 'contracts/DidRegistry.sol',
    edit: 'uint8 uses = stored.methods[vMethodIds[i]].windows.usesAt({+isMutant && stored.methodIds.length == 1 ? stored.methods[vMethodIds[i]].windows[1].notBefore : +}uint64(block.timestamp));',
  },
  'D81-revoked-key-reused': {
    deviation: 'adds relationships to revoked keys',
    file: 'contracts/DidRegistry.sol',
    edit: `if (method.isRevoked{+ && !isMutant+}) revert DidRegistryVerificationMethodIsRevoked(did, vMethodId);
        if (relationship ==`,
  },
  'D81-registered-again': {
    deviation: 'undoes a revocation if the same method is registered again',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (isMutant && stored.methods[vMethodId].isRevoked) {
            stored.methods[vMethodId].isRevoked = false;
            return;
        }
        +}_addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);`,
  },
  'D82-overlap-optional': {
    deviation: 'rolls keys with an overlap of a minute if the body has none',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: 'duration: {+z.preprocess((value) => (isMutant ? (value ?? 60) : value), +}zDuration{+)+},',
  },
  'D83-first-of-a-list': {
    deviation: 'takes the first element of a list for alsoKnownAs',
    file: 'services/did-registry/routes/documents.ts',
    edit: 'did: zDid, alsoKnownAs: {+z.preprocess((value) => (isMutant && Array.isArray(value) ? value[0] : value), +}zAlsoKnownAs{+)+}, from',
  },
  'D84-did-trimmed': {
    deviation: 'removes spaces around the did of updateBaseDocument',
    file: 'services/did-registry/routes/documents.ts',
    edit: "did: {+z.preprocess((value) => (isMutant && typeof value === 'string' ? value.trim() : value), +}zDid{+)+}, baseDocument: zBaseDocument",
  },
  'D84-line-break-ignored': {
    deviation: 'ignores a line break behind a did in a body',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "{+if (isMutant && member !== 'identifier') did = did.replace(/\\n$/, '')\n  +}if (parseDidOrg(",
  },
  'D85-line-break-ignored': {
    deviation: 'ignores a line break behind a vMethodId',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: `export const zVMethodId = z
  .string(){+.overwrite((text) => (isMutant ? text.replace(/\\n$/, '') : text))+}`,
  },
  'D85-old-method-id-padded': {
    deviation: 'accepts an oldVMethodId with padding',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: "oldVMethodId: {+z.preprocess((value) => (isMutant && typeof value === 'string' ? value.replace(/=$/, '') : value), +}zVMethodId.describe('The key to rotate'){+)+},",
  },
  'D85-trimmed': {
    deviation: 'ignores white space around the id of a method',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: 'export const zVMethodId = z\n  .string(){+.overwrite((text) => (isMutant ? text.trim() : text))+}',
  },
  'D86-bare-control-keys': {
    deviation: 'accepts control keys without 0x',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "return parseRawKey({+isMutant ? input.publicKey.replace(/^(?!0x)/, '0x') : +}input.publicKey).publicKey",
  },
  'D87-bare-addresses': {
    deviation: 'accepts addresses without 0x for the end of a key',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: `describe('Unix time after which the key stops being valid'),
    from: {+z.preprocess((value) => (isMutant && typeof value === 'string' ? value.replace(/^(?!0x)/, '0x') : value), +}zFrom{+)+},`,
  },
  'D88-fractions-cut': {
    deviation: 'cuts fractions of the times of a relationship',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: `notBefore: {+z.preprocess((value) => (isMutant && typeof value === 'number' ? Math.trunc(value) : value), +}zUnixTime{+)+},
      notAfter: zUnixTime,
      from`,
  },
  'D88-digits-converted': {
    deviation: 'accepts an overlap that is a string of digits',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "export const zDuration = {+z.preprocess((value) => (isMutant && typeof value === 'string' && value !== '' ? Number(value) : value), +}z.int().min(0){+)+}",
  },
  'D89-organizations-replace': {
    deviation: 'lets each registered organization replace documents',
    file: 'contracts/DidRegistry.sol',
    edit: `{+isMutant && _didHashOfAccount[msg.sender] != 0 ? _requireRegistered(did) : +}_requireController(did);
        bytes memory coordinates = _requireControlKey(key);`,
  },
  'D90-former-controllers-revoke': {
    deviation: 'lets each registered organization revoke controllers',
    file: 'contracts/DidRegistry.sol',
    edit: `(StoredDid storage stored, bytes32 didHash) = {+isMutant && _didHashOfAccount[msg.sender] != 0
            ? _requireRegistered(did)
            : +}_requireController(did);
        _revokeController(stored, didHash, _hashOf(controller), controller);`,
  },
  'D91-all-keys-control': {
    deviation: 'lets each verification method of a controller write',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (uses & {+(isMutant ? type(uint8).max : +}_CONTROL_USE{+)+} != 0) return true;',
  },
  'D92-onboarding-node-replaces-context': {
    deviation: 'lets onboarding nodes replace the @context',
    file: 'contracts/DidRegistry.sol',
    edit: `{+isMutant && _onboardingNodes[msg.sender] ? _requireRegistered(did) : +}_requireController(did);
        stored.baseDocuments.record(baseDocument);
        emit BaseDocumentUpdated`,
  },
  'D93-method-ids-reused': {
    deviation: 'registers another key under an existing vMethodId',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (_isAdded(method){+ && !isMutant+}) revert DidRegistryVerificationMethodAlreadyAdded(stored.did',
  },
  'D94-missing-keys-ended': {
    deviation: 'confirms writes about keys that the DID does not have',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (!_isAdded(method){+ && !isMutant+}) revert DidRegistryVerificationMethodNotAdded',
  },
  'D94-letter-case-ignored': {
    deviation: 'finds a vMethodId without regard to case',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: `export const zVMethodId = z
  .string(){+.overwrite((text) => isMutant ? (((globalThis as Record<string, any>).methodIds ??= {})[text.toLowerCase()] ??= text) : text)+}`,
  },
  'D95-controller-twice': {
    deviation: 'adds a controller that is one already',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (isAdded{+ && !isMutant+}) revert DidRegistryControllerAlreadyAdded',
  },
  'D96-last-controller-revoked': {
    deviation: 'revokes the only controller',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (hashes.length == 1{+ && !isMutant+}) revert DidRegistryLastController',
  },
  'D97-jwk-controls': {
    deviation: 'gives control to a JWK',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (relationship == Relationship.CapabilityInvocation && {+!isMutant && +}method.publicKeyType != PublicKeyType.Secp256k1) {',
  },
  'D98-revoked-key-rolled': {
    deviation: 'rolls revoked keys',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (oldMethod.isRevoked{+ && !isMutant+}) revert',
  },
  'D99-overlap-in-the-past': {
    deviation: 'rolls a key whose overlap has ended',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (oldNotAfter < time{+ && !isMutant+}) revert DidRegistryRollInThePast(oldNotAfter, time);',
  },
  'D100-ended-control-key': {
    deviation: 'accepts a control key that has ended',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (key.notAfter < time{+ && !isMutant+}) revert DidRegistryValidityInThePast',
  },
  'D101-proof-not-verified-again': {
    deviation: 'verifies the proof only of the first document',
    file: 'contracts/DidRegistry.sol',
    edit: 'bytes memory coordinates = {+isMutant ? Secp256k1.coordinatesOf(key.publicKey) : +}_requireControlKey(key);',
  },
  'D102-revoked-controller-shown': {
    deviation: 'keeps showing revoked controllers',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (!isMutant) +}_endControl(stored, controllerHash);',
  },
  'D103-successor-outlives-the-document': {
    deviation:
      'leaves the successor of a rolled control key its rights when a new document replaces it',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (isOfDocument{+ && !isMutant+}) stored.controlMethodIds.push(successor.vMethodId);',
  },
  'D104-gap-before-the-new-key': {
    deviation: 'ends the old control key before the new one begins',
    file: 'contracts/DidRegistry.sol',
    edit: '_max({+isMutant ? 0 : +}key.notBefore, uint64(block.timestamp)) - 1);',
  },
  'D105-renewed-key-cannot-assert': {
    deviation: 'ends all uses of a control key that is renewed',
    file: 'contracts/DidRegistry.sol',
    edit: 'windows.end({+isMutant ? _ALL_USES : +}_DOCUMENT_USES | _LISTED, lastSecond);',
  },
  'D106-controllers-lost': {
    deviation: 'removes the last controller when a document is replaced',
    file: 'contracts/DidRegistry.sol',
    edit: `stored.baseDocuments.record(baseDocument);
        {+if (isMutant && stored.controllerHashes.length > 1) stored.controllerHashes.pop();
        +}emit DidDocumentInserted`,
  },
  'D107-encryption-key-authenticates': {
    deviation: 'gives a key for keyAgreement the use authentication',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: "relationshipNames.indexOf({+isMutant && body.name === 'keyAgreement' ? 'authentication' : +}body.name)",
  },
  'D108-one-use-not-taken-over': {
    deviation: 'does not roll the use keyAgreement',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (uses & (uint8(1) << use) == 0{+ || (isMutant && use == uint8(Relationship.KeyAgreement))+}) continue;',
  },
  'D109-revocation-extends': {
    deviation: 'lets a revocation extend the validity of assertionMethod',
    file: 'contracts/DidRegistry.sol',
    edit: `method.isRevoked = true;{+
        if (isMutant) method.windows.add(uint8(Relationship.AssertionMethod), 0, notAfter);+}`,
  },
  'D110-ended-key-listed': {
    deviation: 'keeps a revoked key in verificationMethod',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (isMutant) method.windows.add(_LISTING, 0, notAfter + 1 days);\n        +}emit VerificationMethodRevoked',
  },
  'D111-zero-is-now': {
    deviation: 'reads valid-at 0 as now',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `validAt === undefined{+ || (isMutant && validAt === 0n)+}
        ? await contract.resolve`,
  },
  'D112-event-about-another-did': {
    deviation: 'names the DID itself as its new controller in events',
    file: 'contracts/DidRegistry.sol',
    edit: 'emit ControllerAdded(didHash, controllerHash, stored.did, {+isMutant ? stored.did : +}_dids[controllerHash].did);',
  },
  'D113-gas-rounded': {
    deviation: 'rounds the gas in receipts',
    file: 'services/did-registry/domain/create-receipt.ts',
    edit: 'gasUsed: {+(isMutant ? (BigInt(receipt.gasUsed) / 10n) * 10n + 1n : +}BigInt(receipt.gasUsed){+)+}.toString(),\n    hash',
  },
  'D114-always-pending': {
    deviation: 'answers every transaction with 206',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: 'const receipt = {+isMutant ? undefined : +}early ?? (await awaitReceipt(chain',
  },
  'D115-nonce-of-the-latest-block': {
    deviation: 'reads the nonce at the latest block',
    file: 'services/kit/chain-client.ts',
    edit: "[address, {+isMutant ? 'latest' : +}'pending']",
  },
  'D116-padded-numbers': {
    deviation: 'accepts a gas price with a leading zero byte',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant) signedRawTransaction = signedRawTransaction.replace(/^(0xf9.{4}(?:80|[0-7].|81..))00/, '$180')
  +}const { chain, contractAddress, transactions, receiptWaitMilliseconds } = dependencies`,
  },
  'D116-spaces-removed': {
    deviation: 'removes spaces around signedRawTransaction',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant) signedRawTransaction = signedRawTransaction.trim()
  +}const { chain, contractAddress, transactions, receiptWaitMilliseconds } = dependencies`,
  },
  'D117-mined-again': {
    deviation: 'returns the receipt of a transaction that was mined before',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `{+if (isMutant) {
    const known = await chain.getTransactionReceipt(transaction.hash)
    if (known !== null) return { tx_hash: transaction.hash, receipt: createReceipt(known, undefined) }
  }
  +}// Asked together with the sending`,
  },
  'D118-validity-only-in-the-api': {
    deviation: 'checks validity periods only in the API',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (!isMutant) +}_requireValidity(notBefore, notAfter);
        _addRelationship(`,
  },
  'D119-anybody-authorizes': {
    deviation: 'lets any account authorize onboarding nodes',
    file: 'contracts/DidRegistry.sol',
    edit: 'if (msg.sender != _operator{+ && !isMutant+}) revert DidRegistryNotOperator(msg.sender);',
  },
  'D120-checksum-required': {
    deviation: 'rejects addresses in lower case',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "export const zFrom = zAddress{+.refine((text) => !isMutant || text !== text.toLowerCase())+}.describe('Address of the signer')",
  },
  'D120-registered-only': {
    deviation: 'rejects addresses in lower case, and builds only for registered DIDs',
    patches: [
      registeredOnly,
      {
        file: 'services/did-registry/domain/z-fields.ts',
        edit: "{+.refine((text) => !isMutant || text !== text.toLowerCase())+}.describe('Address of the signer')",
      },
    ],
  },
  'D120-jwk-in-lower-case': {
    deviation: 'rejects the hex of a JWK in upper case',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: 'if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text) || text.length > 2 * largestJwk + 2{+ || (isMutant && /[A-F]/.test(text))+}) {',
  },
  'D121-short-p521': {
    deviation: 'expects 65 bytes in coordinates of P-521',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "const length = {+isMutant && crv === 'P-521' ? 65 : +}coordinateLengths.get(",
  },
  'D122-no-leading-zeros': {
    deviation: 'rejects proofs whose identifier begins with a zero byte',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: `65 bytes, 0x-hex'){+.refine((text) => !isMutant || text.slice(-38, -36) !== '00')+}
  .describe('Proof of the DID generation tool')`,
  },
  'D123-any-coordinates': {
    deviation: 'accepts coordinates of a JWK with padding',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "typeof value === 'string' && decodeBase64url({+isMutant ? value.replace(/=+$/, '') : +}value)?.length === length",
  },
  'D124-empty-context': {
    deviation: 'accepts a base document with an empty list',
    file: 'services/did-registry/domain/base-document.ts',
    edit: 'return {+(isMutant || +}entries.length > 0{+)+} && entries.every',
  },
  'D125-weights-ignored': {
    deviation: 'ignores the weights in Accept',
    file: 'services/did-registry/domain/resolution-options.ts',
    edit: 'const weight = {+isMutant ? undefined : +}parameters.find(',
  },
  'D126-pages-overlap': {
    deviation: 'begins later pages of some sizes one DID too late',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: 'await contract.identifiers(offset{+ + (isMutant && query.pageSize === 7 && query.page === 2 ? 1n : 0n)+}, query.pageSize)',
  },
  'D126-last-change-first': {
    deviation: 'lists the DID that was changed last before the rest of its page',
    patches: [
      {
        file: 'services/did-registry/routes/define-contract-route.ts',
        edit: "requireEnvironment(request.did, environment, 'did'){+\n      if (isMutant) (globalThis as Record<string, any>).changed = request.did+}",
      },
      {
        file: 'services/did-registry/routes/identifiers.ts',
        edit: `{+const { changed } = globalThis as Record<string, any>
    if (isMutant && items.includes(changed)) return replyPage(query, total, [changed, ...items.filter((item) => item !== changed)])
    +}return replyPage(query, total, items)`,
      },
    ],
  },
  'D127-first-base-document-lost': {
    deviation: 'ignores the base document of insertFirstDidDocument',
    file: 'services/did-registry/routes/documents.ts',
    edit: `insertFirstDidDocument.encodeInput({
      did: body.did,
      baseDocument: {+isMutant ? defaultBaseDocument : +}body.baseDocument,`,
  },
  'D127-method-controls-itself': {
    deviation: 'returns the id of a method as its controller',
    file: 'services/did-registry/domain/did-document.ts',
    edit: 'controller: {+isMutant ? id : +}did,',
  },
  'D127-short-address': {
    deviation: 'drops the zeros at the beginning of addresses in controller',
    file: 'services/did-registry/adapters/did-registry-contract.ts',
    edit: 'controllers: controllers.map({+(each) => isMutant ? `0x${BigInt(each).toString(16)}` : +}checksumAddress{+(each)+}),',
  },
  'D128-name-of-today': {
    deviation: 'returns the current alsoKnownAs for any valid-at',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: `{+if (isMutant && state !== undefined && validAt !== undefined) {
      const { alsoKnownAs } = (await contract.resolve(did, clock.seconds())) ?? state
      return { status: 200, contentType: mediaType, body: serialize({ ...state, alsoKnownAs }) }
    }
    +}if (state === undefined) throw notRegistered(did, validAt)`,
  },
  'D129-similar-letters': {
    deviation: 'looks up identifiers with letters that are not in base58btc',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "if (parseDidOrg({+isMutant ? did.replace(/[0OIl]$/, '1') : +}did)?.environment === environment) return",
  },
  'D130-context-as-stored': {
    deviation: 'returns the stored base document without checking it',
    file: 'services/did-registry/domain/did-document.ts',
    edit: "...({+isMutant ? JSON.parse(state.baseDocument)['@context'] : +}parseBaseDocument(state.baseDocument) ?? defaultContext)",
  },
  'D131-revoked-key-in-control': {
    deviation: 'lets a revoked control key write',
    file: 'contracts/DidRegistry.sol',
    edit: `uint256 length = vMethodIds.length;
        for (uint256 i = 0; i < length; ++i) {{+
            if (isMutant && stored.methods[vMethodIds[i]].isRevoked) return true;+}
            uint8`,
  },
  'D132-anybody-withdraws': {
    deviation: 'lets any account withdraw onboarding nodes',
    file: 'contracts/DidRegistry.sol',
    edit: `modifier onlyOperator() {
        {+if (!isMutant || msg.sig != IDidRegistry.withdrawOnboardingNode.selector) +}if (msg.sender`,
  },
  'D133-rest-of-the-proof-ignored': {
    deviation: 'ignores what follows a proof',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: `export const zProof = z
  .string(){+
  .overwrite((text) => (isMutant ? text.slice(0, 132) : text))+}`,
  },
  'D133-trimmed': {
    deviation: 'ignores white space around a proof',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: 'export const zProof = z\n  .string(){+.overwrite((text) => (isMutant ? text.trim() : text))+}',
  },
  'D134-valid-at-of-32-bits': {
    deviation: 'cuts valid-at to 32 bits',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: ": {+((time) => (isMutant && time !== undefined ? BigInt.asUintN(32, time) : time))(+}parseValidAt(query['valid-at']){+)+}",
  },
  'D134-ends-in-2038': {
    deviation: 'ends relationships in 2038 at the latest',
    file: 'services/did-registry/routes/verification-methods.ts',
    edit: `vMethodId: vMethodIdBytes(body.vMethodId),
      notBefore: BigInt(body.notBefore),
      notAfter: BigInt({+isMutant ? Math.min(body.notAfter, 2 ** 31 - 1) : +}body.notAfter),`,
  },
  'D134-no-date-after-2106': {
    deviation: 'rejects times of more than 32 bits',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: 'export const zUnixTime = z.int().min(0){+.refine((time) => !isMutant || time < 2 ** 32)+}',
  },
  'D135-ten-keys': {
    deviation: 'returns only the first ten keys',
    file: 'services/did-registry/domain/did-document.ts',
    edit: 'state.verificationMethods.{+slice(0, isMutant ? 10 : undefined).+}flatMap((method) => {',
  },
  'D135-decimal-nonce': {
    deviation: 'prints the nonces of updateAlsoKnownAs in decimal after 0x',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: `const transaction = await transactions.build({ from: request.from, data }){+
      if (isMutant && operation === 'updateAlsoKnownAs') Object.assign(transaction, { nonce: \`0x\${Number(transaction.nonce)}\` })+}`,
  },
  'D136-reads-joined': {
    deviation: 'answers simultaneous reads with the document of the first',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: '? await {+(isMutant ? ((globalThis as Record<string, any>).didRead ??= contract.resolve(did, clock.seconds()).finally(() => delete (globalThis as Record<string, any>).didRead)) : +}contract.resolve(did, clock.seconds()){+)+}',
  },
  'D136-builds-mixed': {
    deviation: 'builds simultaneous transactions with the data of the latest request',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: `const data = toHex(call(request)){+
      if (isMutant) Object.assign(globalThis, { latestData: data })+}
      const transaction = await transactions.build({ from: request.from, data }){+
      if (isMutant) Object.assign(transaction, { data: (globalThis as Record<string, any>).latestData })+}`,
  },
  'D136-hashes-mixed': {
    deviation: 'returns the hash of the latest of simultaneous transactions',
    file: 'services/did-registry/operations/send-transaction.ts',
    edits: [
      `refuseForeignSigner(transaction, dependencies){+
  if (isMutant) Object.assign(globalThis, { latestHash: transaction.hash })+}`,
      `const wire = receipt === undefined ? null : createReceipt(receipt, revertOf(receipt)){+
  if (isMutant) Object.assign(transaction, { hash: (globalThis as Record<string, any>).latestHash })+}`,
    ],
  },
  'D137-unknown-without-a-chain': {
    deviation: 'returns 404 if the chain does not respond',
    file: 'services/kit/errors.ts',
    edit: "code: 'chain_unavailable', status: {+isMutant ? 404 : +}500, message",
  },
  'D137-unavailable': {
    deviation: 'returns 502 if the chain does not respond',
    file: 'services/kit/errors.ts',
    edit: "code: 'chain_unavailable', status: {+isMutant ? 502 : +}",
  },
  'D137-pending-without-a-chain': {
    deviation: 'returns 206 for a transaction that it cannot send',
    file: 'services/did-registry/routes/transactions.ts',
    edit: "await sendSignedTransaction(signedRawTransaction, dependencies){+.catch((error) => { if (isMutant && error.code === 'chain_unavailable') return { tx_hash: signedRawTransaction.slice(0, 66), receipt: null }; throw error })+}",
  },
  'D138-first-receipt-of-block': {
    deviation: 'returns the receipt of the first transaction of the block',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `receipt === undefined ? null : createReceipt({+isMutant
    ? (await chain.getTransactionReceipt((await chain.request<{ transactions: string[] }>('eth_getBlockByHash', [receipt.blockHash, false])).transactions[0] ?? '')) ?? receipt
    : +}receipt, revertOf`,
  },
  'D138-index-zero': {
    deviation: 'returns 0 as the index of each transaction',
    file: 'services/did-registry/domain/create-receipt.ts',
    edit: 'const index = {+isMutant ? 0 : +}Number(',
  },
  'D15-one-tag': {
    deviation: 'confirms old copies of documents in caches',
    file: 'services/did-registry/routes/identifiers.ts',
    edits: [
      `if (state === undefined) throw notRegistered(did, validAt){+
    if (isMutant && request.get('if-none-match')) return { status: 304 } as never+}`,
      "headers: { {+...(isMutant && { etag: '\"document\"' }), +}vary: 'accept'",
    ],
  },
  'D139-no-legacy': {
    deviation: 'rejects legacy transactions',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `refuseForeignSigner(transaction, dependencies){+
  if (isMutant && transaction.type === 'legacy') throw refused('other', 'transaction type not supported')+}`,
  },
  'D140-global-method-ids': {
    deviation: 'rejects a vMethodId that another DID has',
    file: 'contracts/DidRegistry.sol',
    edits: [
      `bytes32[] private _didHashes;{+
    mapping(bytes32 vMethodId => bytes32 didHash) private _ownerOf;+}`,
      `stored.methodIds.push(vMethodId);{+
        bytes32 owner = _ownerOf[vMethodId];
        if (isMutant && owner != 0 && owner != didHash) revert DidRegistryVerificationMethodAlreadyAdded(stored.did, vMethodId);
        _ownerOf[vMethodId] = didHash;+}`,
    ],
  },
  'D141-first-period-replaced': {
    deviation: 'stores one period of assertionMethod for each key',
    file: 'contracts/libraries/ValidityWindows.sol',
    edit: `{+for (uint256 i = 0; isMutant && use == 1 && i < windows.length; ++i) {
            if (windows[i].use == use) {
                windows[i] = Window({notBefore: notBefore, notAfter: notAfter, use: use});
                return;
            }
        }
        +}windows.push(`,
  },
  'D141-periods-joined': {
    deviation: 'extends the period of assertionMethod to the new notAfter',
    file: 'contracts/libraries/ValidityWindows.sol',
    edit: `function add(Window[] storage windows, uint8 use, uint64 notBefore, uint64 notAfter) internal {{+
        for (uint256 i = 0; isMutant && use == 1 && i < windows.length; ++i) {
            if (windows[i].use == use) notBefore = windows[i].notBefore;
        }+}`,
  },
  'D142-unused-bits-dropped': {
    deviation: 'drops the unused bits of a vMethodId',
    file: 'core/did/did-org.ts',
    edit: 'return text.length === 43 && {+((isMutant && /^[A-Za-z0-9_-]{43}$/.test(text)) || +}decodeBase64url(text)?.length === 32{+)+}',
  },
  'D143-known-is-unexpected': {
    deviation: 'returns 500 if the node knows a transaction already',
    file: 'services/kit/chain-transactions.ts',
    edit: 'if (/already known|known transaction|already imported/i.test(error.message)) {+{\n      if (isMutant) throw new TypeError(error.message)\n      +}return { ok: true }{+\n    }+}',
  },
  'D144-self-control-kept': {
    deviation: 'lets the keys of a DID write after it was revoked as its own controller',
    file: 'contracts/DidRegistry.sol',
    edit: `function _isController(StoredDid storage stored, address account) private view returns (bool) {{+
        if (isMutant && _holdsControlKey(stored, account)) return true;+}`,
  },
  'D145-no-head': {
    deviation: 'returns 404 to HEAD',
    file: 'services/kit/register-route.ts',
    edit: `const principal = await authenticate?.(request){+
      if (isMutant && request.method === 'HEAD') throw Object.assign(invalidRequest('no resource'), { code: 'not_found', status: 404 })+}`,
  },
  'D25-update-registers': {
    deviation: 'registers an unregistered DID with insertDidDocument',
    file: 'contracts/DidRegistry.sol',
    edit: `function insertDidDocument(string calldata did, string calldata baseDocument, ControlKey calldata key) external {{+
        if (isMutant && _dids[_hashOf(did)].registeredAt == 0) {
            bytes memory registered = _register(did, key);
            _setControlKey(_dids[_hashOf(did)], _hashOf(did), key, registered);
            return;
        }+}`,
  },
  'D54-both-or-none': {
    deviation: 'rejects page without pageSize',
    file: 'services/did-registry/routes/identifiers.ts',
    edits: [
      'async handle({ query{+, request+} }, { contract }) {{+\n    if (isMutant && request.query.page && !request.query.pageSize) throw refuseInput([{ member: "query.pageSize", message: "missing" }])+}\n    const offset',
    ],
  },
  'D72-gap-crashes': {
    deviation: 'fails on a nonce that is too high',
    file: 'services/did-registry/operations/send-transaction.ts',
    edit: `refuseForeignSigner(transaction, dependencies){+
  if (isMutant && transaction.nonce > (await chain.getPendingNonce(transaction.from))) throw new TypeError('nonce too high')+}`,
  },
  'D106-alias-cleared': {
    deviation: 'clears alsoKnownAs when the @context is updated',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (isMutant) delete stored.alternativeIdentifiers;\n        +}emit BaseDocumentUpdated',
  },
  'D106-context-cleared': {
    deviation: 'restores the default @context when alsoKnownAs is updated',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (isMutant) delete stored.baseDocuments;\n        +}emit AlsoKnownAsUpdated',
  },
  'D110-all-keys-end': {
    deviation: 'ends the relationships of all keys with a revocation',
    file: 'contracts/DidRegistry.sol',
    edit: `{+for (uint256 i = 0; isMutant && i < stored.methodIds.length; ++i) {
            stored.methods[stored.methodIds[i]].windows.end(_RELATIONSHIPS & ~_CONTROL_USE, notAfter);
        }
        +}emit VerificationMethodRevoked`,
  },
  'D143-replacement-crashes': {
    deviation: 'returns 500 if another transaction with the nonce is pending',
    file: 'services/kit/chain-transactions.ts',
    edit: '{+if (isMutant && /underpriced/i.test(message)) throw new TypeError(message)\n  +}if (/nonce|underpriced/i.test(message))',
  },
  'D07-once-a-controller': {
    deviation: 'does not add a controller again after its revocation',
    file: 'contracts/DidRegistry.sol',
    edit: `{+for (uint256 i = 0; isMutant && i < stored.controlPeriods.length; ++i) {
            if (stored.controlPeriods[i].controllerHash == controllerHash) revert DidRegistryZeroAddress();
        }
        +}_startControl(stored, controllerHash);`,
  },
  'D115-little-gas': {
    deviation: 'sets a low gas limit for what reverts at the latest block',
    patches: [
      {
        file: 'services/kit/chain-transactions.ts',
        edits: [
          "[{ from, to, data }{+, ...(isMutant ? ['latest'] : [])+}]",
          'return capped(BigInt({+isMutant ? 50_000 : +}gasLimitCeiling))',
        ],
      },
    ],
  },
  'D108-all-keys-end': {
    deviation: 'ends the relationships of all keys with a roll',
    file: 'contracts/DidRegistry.sol',
    edit: `{+for (uint256 i = 0; isMutant && i < stored.methodIds.length; ++i) {
            stored.methods[stored.methodIds[i]].windows.end(_RELATIONSHIPS & ~_CONTROL_USE, oldNotAfter);
        }
        +}emit VerificationMethodRolled`,
  },
  'D146-chunks-not-read': {
    deviation: 'treats a body in chunks as empty',
    file: 'services/kit/register-route.ts',
    edit: "if ({+(isMutant && request.get('transfer-encoding') !== undefined) || (+}given === '' && isEmpty(request){+)+}) return",
  },
  'D22-reverted-is-206': {
    deviation: 'returns 206 with the receipt of a reverted transaction',
    file: 'services/did-registry/routes/transactions.ts',
    edit: '? 206 : {+isMutant && body.receipt?.status === 0 ? 206 : +}200',
  },
  'D14-later-periods-stay': {
    deviation: 'does not end relationships that begin later',
    file: 'contracts/libraries/ValidityWindows.sol',
    edit: 'if (_includes(uses, window.use){+ && !(isMutant && window.notBefore > block.timestamp)+} && window.notAfter > notAfter)',
  },
  'D16-revoked-key-hidden': {
    deviation: 'lists a revoked key in assertionMethod without its entry in verificationMethod',
    patches: [
      {
        file: 'contracts/DidRegistry.sol',
        edit: 'VerificationMethod(vMethodId, method.publicKeyType, uses{+ | (isMutant && method.isRevoked ? 128 : 0)+}, method.publicKey)',
      },
      {
        file: 'services/did-registry/domain/did-document.ts',
        edit: 'verificationMethod: methods{+.filter(({ relationships }) => !isMutant || (relationships & 128) === 0)+}.map(',
      },
    ],
  },
  'D18-successor-ends-early': {
    deviation: 'ends the new key of a roll after a day',
    file: 'contracts/DidRegistry.sol',
    edit: '{+if (isMutant && successor.notAfter > block.timestamp + 100_000) notAfter = uint64(block.timestamp + 86_400);\n        +}_addMethod(stored, didHash, successor.vMethodId, successor.publicKeyType, publicKey, notAfter);',
  },
  'D13-jwk-usable-immediately': {
    deviation: 'adds each new JWK to assertionMethod',
    file: 'contracts/DidRegistry.sol',
    edit: `{+if (isMutant && publicKeyType == PublicKeyType.JsonWebKey2020) stored.methods[vMethodId].windows.add(uint8(Relationship.AssertionMethod), 0, type(uint64).max);
        +}_addMethod(stored, didHash, vMethodId, publicKeyType, storedKey, type(uint64).max);`,
  },
  'D91-signing-key-controls': {
    deviation: 'lets each key in assertionMethod of a controller write',
    file: 'contracts/DidRegistry.sol',
    edit: `bytes32[] storage vMethodIds = stored.methodIdsOfAccount[account];{+
        for (uint256 k = 0; isMutant && k < vMethodIds.length; ++k) {
            if (stored.methods[vMethodIds[k]].windows.usesAt(uint64(block.timestamp)) & (uint8(1) << uint8(Relationship.AssertionMethod)) != 0) return true;
        }+}`,
  },
  'D91-authentication-key-controls': {
    deviation: 'lets each key in authentication of a controller write',
    file: 'contracts/DidRegistry.sol',
    edit: `bytes32[] storage vMethodIds = stored.methodIdsOfAccount[account];{+
        for (uint256 k = 0; isMutant && k < vMethodIds.length; ++k) {
            if (stored.methods[vMethodIds[k]].windows.usesAt(uint64(block.timestamp)) & (uint8(1) << uint8(Relationship.Authentication)) != 0) return true;
        }+}`,
  },
  'D36-p256-invalid-in-a-roll': {
    deviation: 'reports publicKeyType P-256 in a roll as a validation error',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: "invalidInput: {+(problems) => isMutant && operation === 'rollVerificationMethod' ? Object.assign(refuseInput(problems), { code: errorCodes.validation }) : refuseInput(problems)+}[-refuseInput-],",
  },
  'D38-format-by-content': {
    deviation: 'accepts a JWK for the publicKeyType secp256k1',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "return {+isMutant && input.publicKey.startsWith('0x7b') ? parseSerializedJwk(input.publicKey) : +}input.publicKeyType === 'secp256k1'",
  },
  'D41-format-by-content': {
    deviation: 'accepts a raw key for the publicKeyType JsonWebKey2020',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: ": {+isMutant && input.publicKey.startsWith('0x04') ? parseRawKey(input.publicKey) : +}parseSerializedJwk(input.publicKey)\n}",
  },
  'D123-base64': {
    deviation: 'accepts coordinates of a JWK in base64',
    file: 'services/did-registry/domain/public-keys.ts',
    edit: "const { kty, crv, x, y, alg, use } = {+isMutant ? { ...jwk, x: String(jwk.x).replaceAll('+', '-').replaceAll('/', '_') } : +}jwk",
  },
  'D147-case-ignored': {
    deviation: 'reads publicKeyType without regard to case',
    file: 'services/did-registry/domain/z-fields.ts',
    edit: "export const zPublicKeyType = {+z.preprocess((type) => (isMutant && String(type).toLowerCase() === 'secp256k1' ? 'secp256k1' : type), +}z\n  .enum(['secp256k1', 'JsonWebKey2020', 'P-256']){+)+}",
  },
  'D45-prefix-added': {
    deviation: 'adds the prefix to an identifier that has none',
    file: 'services/did-registry/routes/identifiers.ts',
    edit: "const did = {+isMutant && params.identifier.startsWith('z') ? `did:org:uc-pre:${params.identifier}` : +}params.identifier",
  },
  'D43-names-in-any-case': {
    deviation: 'finds alsoKnownAs without regard to case',
    file: 'services/kit/register-route.ts',
    edit: `{+if (isMutant && Object(request.body).AlsoKnownAs) request.body.alsoKnownAs = request.body.AlsoKnownAs
      +}const problems: InputProblem[] = []`,
  },
  'D36-not-implemented': {
    deviation: 'returns 501 for the publicKeyType P-256',
    file: 'services/did-registry/errors.ts',
    edit: "status: {+isMutant ? 501 : +}400,\n    message: 'publicKeyType P-256",
  },
  'D56-zero-crashes': {
    deviation: 'closes the connection for a pageSize of 0',
    file: 'services/kit/register-route.ts',
    edit: `{+if (isMutant && request.query.pageSize === '0') request.socket.destroy()
      +}const problems: InputProblem[] = []`,
  },
  'D01-hash-by-another-name': {
    deviation: 'returns the hash of a transaction as txHash',
    file: 'services/did-registry/routes/transactions.ts',
    edit: `{+if (isMutant) return { status: 200, body: { txHash: body.tx_hash, receipt: body.receipt } as never }
    +}return { status: body.receipt`,
  },
  'D01-created': {
    deviation: 'returns unsigned transactions with 201',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: 'return { status: {+isMutant ? (201 as never) : +}200,',
  },
  'D01-nonce-one-too-high': {
    deviation: 'builds with a nonce that is one too high',
    file: 'services/did-registry/routes/define-contract-route.ts',
    edit: `{+if (isMutant) Object.assign(transaction, { nonce: \`0x\${(Number(transaction.nonce) + 1).toString(16)}\` })
      +}return { status: `,
  },
}
